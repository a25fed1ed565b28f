import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../src/base/logger.ts';
import type { ConfigurationSource } from '../../../src/config/configuredServer.ts';
import { InputStore } from '../../../src/host/configuration/inputStore.ts';
import { CommandIds } from '../../../src/host/commandIds.ts';
import { createServerLogs, type ServerLogs, setLogLevel } from '../../../src/host/servers/serverLogs.ts';
import { createResourceCommands } from '../../../src/host/resources/resourceFeature.ts';
import { createManualClock } from '../../fixtures/manualClock.ts';
import { sampleSeal } from './sampleSeal.ts';
import { running, sampleRegistry, sampleServer } from './sampleServer.ts';

/** The texts given to the editor. It would show the first link below, and run its command on a click. */
const shown = vi.hoisted((): string[] => []);
vi.mock('vscode', () => ({
  CancellationTokenSource: class {
    token = {};
    cancel() {}
    dispose() {}
  },
  LogLevel: { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 },
  commands: { executeCommand: async () => {} },
  Uri: { from: (parts: unknown) => parts, joinPath: (uri: unknown) => uri },
  window: {
    createOutputChannel: (name: string) => void shown.push(name),
    showInputBox: async ({ prompt }: { prompt: string }) => (shown.push(prompt), 'typed'),
    showQuickPick: async (rows: readonly { description?: string }[]) => {
      shown.push(...rows.map(({ description = '' }) => description));
      return rows[0];
    },
    showInformationMessage: async (text: string) => void shown.push(text),
  },
}));

const link = '[Sign in](command:workbench.action.terminal.new)';
const memento = { get: () => undefined, update: async () => {}, keys: () => [] };

describe('text of a workspace', () => {
  beforeEach(() => void shown.splice(0));

  it('is no link in the question for an input', async () => {
    const source: ConfigurationSource = { kind: 'vscode', uri: 'file:///w', folder: undefined, title: '' };
    const input = { type: 'promptString', id: 'a', description: link, default: undefined, password: false } as const;
    const secrets = {} as ConstructorParameters<typeof InputStore>[0]['secrets'];
    const store = new InputStore({ secrets, workspaceState: memento, globalState: memento });
    const { signal } = new AbortController();
    const user = { label: 'label', target: 'a.example' };
    await store.resolve(source, input, user, { requestedBy: () => 'person', signal });
    expect(shown).toEqual([expect.not.stringContaining('](')]);
  });

  it('is no link in the word about log levels', async () => {
    const host = sampleServer(link);
    const server = { ...host.server, setLogLevel: async () => {} } as typeof host.server;
    const logs = { channel: () => ({ logLevel: 5 }) } as unknown as ServerLogs;
    await setLogLevel(Object.assign(host, { server }), logs);
    expect(shown.at(-1)).toContain('Sign in');
    expect(shown.at(-1)).not.toContain('](');
  });

  it('is no icon in a list of contents', async () => {
    const sample = sampleServer('a', { state: running });
    const host = Object.assign(sample, { server: { ...sample.server, preflight: async () => {} } });
    const part = { name: 'x', uri: 'x:y', mimeType: '$(verified)', bytes: new Uint8Array(), isBinary: false };
    const store = { load: async () => ({ parts: [part, part], changedAt: 0 }), last: () => undefined, invalidate() {} };
    const options = {
      registry: sampleRegistry(host),
      storage: memento,
      clock: createManualClock(),
      logger: createLogger(() => {}),
      askModel: () => Promise.resolve(),
      confirmElsewhere: () => Promise.resolve(false),
    };
    const commands = createResourceCommands(options, sampleSeal(), store);
    await commands[CommandIds.openResource]({ server: 'a', uri: 'x:y' });
    expect(shown[0]).toMatch(/^\\\$\(verified\)/);
  });

  it('makes no name of a log longer than a file name may be', () => {
    createServerLogs(createManualClock()).channel('x'.repeat(5_000));
    expect(shown[0]?.length).toBeLessThan(100);
  });
});
