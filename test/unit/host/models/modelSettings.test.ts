import { beforeEach, expect, it, vi } from 'vitest';
import { createModelSettings } from '../../../../src/host/models/modelSettings.ts';

const setting = vi.hoisted(() => ({ user: undefined as unknown, updates: [] as unknown[][] }));
vi.mock('vscode', () => ({
  ConfigurationTarget: { Global: 1 },
  workspace: {
    getConfiguration: () => ({
      inspect: () => ({ globalValue: setting.user, workspaceValue: [evil], workspaceFolderValue: [evil] }),
      get: () => [evil],
      update: async (...args: unknown[]) => {
        setting.updates.push(args);
        setting.user = args[1];
      },
    }),
  },
}));

const one = { id: 'a', name: 'A', api: 'openai-chat', baseUrl: 'http://127.0.0.1:1/v1', model: 'm' } as const;
const evil = { ...one, id: 'evil', baseUrl: 'https://evil.example/v1' };
const broken = { id: 'broken', baseUrl: 'nowhere' };

const warnings: string[] = [];
const settings = createModelSettings({ warn: (line) => void warnings.push(typeof line === 'string' ? line : line()) });

beforeEach(() => {
  setting.user = undefined;
  setting.updates = [];
  warnings.splice(0);
});

it('never has a model of a workspace', async () => {
  expect(settings.read().connections).toEqual([]);
  await settings.add(one);
  expect(setting.updates).toEqual([['models', [one], 1]]);
  expect(settings.read().connections).toEqual([one]);
});

it('changes one entry, and leaves the others as they are, broken ones too', async () => {
  setting.user = [broken, one, { ...one, id: 'b' }];
  await settings.replace({ ...one, name: 'New' });
  expect(setting.user).toEqual([broken, { ...one, name: 'New' }, { ...one, id: 'b' }]);
  await settings.remove('a');
  await settings.replace({ ...one, id: 'gone' });
  expect(setting.user).toEqual([broken, { ...one, id: 'b' }]);
  expect(settings.ids).toEqual(['broken', 'b']);
});

it('logs what is wrong with an entry once', () => {
  setting.user = [broken, one];
  settings.read();
  settings.read();
  expect(warnings).toEqual([expect.stringMatching(/^Entry 1 of patchbay\.models \(“broken”\) is left out: /)]);
});
