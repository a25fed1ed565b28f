import { beforeEach, expect, it, vi } from 'vitest';
import type { ConfiguredServer } from '../../../../src/config/configuredServer.ts';
import type { LaunchView } from '../../../../src/config/launchView.ts';
import { createTrustService } from '../../../../src/host/configuration/trust.ts';

const asked = vi.hoisted(() => ({ count: 0 }));
vi.mock('vscode', () => ({
  workspace: { isTrusted: true },
  window: {
    showWarningMessage: async () => {
      asked.count += 1;
      return 'Start Server';
    },
  },
}));

function memento() {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
}

const globalState = memento();
const windows = { a: memento(), b: memento() };

async function start(window: 'a' | 'b', argument: string): Promise<void> {
  const server: ConfiguredServer = {
    label: 'files',
    definition: { command: 'x', args: [argument] },
    options: {},
    source: { kind: 'user', uri: undefined, folder: undefined, title: 'User settings' },
    range: undefined,
    shadows: [],
  };
  const args = [argument.replace('${workspaceFolder}', `/${window}`)];
  const view: LaunchView = {
    kind: 'stdio',
    command: 'x',
    args,
    cwd: '/',
    env: [],
    envFile: undefined,
    envFileValues: {},
    variables: [],
  };
  const showConfiguration = async (): Promise<void> => {};
  const trust = createTrustService({ workspaceState: windows[window], globalState, isTest: false, showConfiguration });
  await trust.confirm(server, view, new AbortController().signal);
}

beforeEach(() => {
  asked.count = 0;
});

it("asks about a user's server once, for all workspaces", async () => {
  await start('a', '--fast');
  await start('b', '--fast');
  expect(asked.count).toBe(1);
  await start('b', '--slow');
  expect(asked.count).toBe(2);
});

it('asks once in each workspace where the folder is part of the command, however often one goes back and forth', async () => {
  for (const window of ['a', 'b', 'a', 'b'] as const) await start(window, '${workspaceFolder}');
  expect(asked.count).toBe(2);
});
