import { beforeEach, expect, it, vi } from 'vitest';
import { type NewServers, saveServers } from '../../../../src/host/configuration/saveServers.ts';

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
const added: NewServers = { servers: [{ label: 'new', definition: { command: 'x' } }], inputs: [input], secrets: [] };

function save(): Promise<void> {
  return saveServers('user', added, {} as Parameters<typeof saveServers>[2]);
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
