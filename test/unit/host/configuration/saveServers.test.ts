import { beforeEach, expect, it, vi } from 'vitest';
import type { InputStore } from '../../../../src/host/configuration/inputStore.ts';
import { addServers } from '../../../../src/host/configuration/saveServers.ts';

const settings = vi.hoisted(() => new Map<string, unknown>());
vi.mock('vscode', () => ({
  ConfigurationTarget: { Global: 1 },
  workspace: {
    getConfiguration: () => ({
      inspect: (name: string) => ({ globalValue: settings.get(name) }),
      update: async (name: string, value: unknown) => void settings.set(name, value),
    }),
  },
}));

const input = { type: 'promptString', id: 'k', description: 'd', default: undefined, password: true } as const;
const nothing = async (): Promise<void> => {};

async function save(): Promise<void> {
  const options = { inputs: {} as InputStore, refresh: nothing, reveal: nothing };
  await addServers('user', [{ label: 'new', definition: { command: 'x' } }], [input], { inputIds: new Set() }, options);
}

beforeEach(() => settings.clear());

it('adds servers and inputs to the user settings', async () => {
  settings.set('servers', { old: { command: 'y' } });
  await save();
  expect(settings.get('servers')).toEqual({ old: { command: 'y' }, new: { command: 'x' } });
  expect(settings.get('inputs')).toEqual([input]);
});

it.each([
  ['servers', ['a'], /"patchbay.servers" in your user settings is not an object. Repair it first/],
  ['servers', 'a', /not an object/],
  ['inputs', { k: 1 }, /"patchbay.inputs" in your user settings is not a list/],
])('replaces no setting of another type: %s', async (name, value, message) => {
  settings.set(name, value);
  await expect(save()).rejects.toThrow(
    expect.objectContaining({ code: 'configuration', message: expect.stringMatching(message) }),
  );
  expect([...settings]).toEqual([[name, value]]);
});
