import { beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/base/logger.ts';
import type { ConfigurationSource } from '../../../src/config/configuredServer.ts';
import { InputStore } from '../../../src/host/configuration/inputStore.ts';
import { CommandIds } from '../../../src/host/commandIds.ts';
import { createServerLogs, type ServerLogs, setLogLevel } from '../../../src/host/servers/serverLogs.ts';
import { createResourceCommands } from '../../../src/host/resources/resourceFeature.ts';
import { createManualClock } from '../../fixtures/manualClock.ts';
import { sampleSeal } from './sampleSeal.ts';
import { running, sampleRegistry, sampleServer } from './sampleServer.ts';
import { sampleState } from './sampleState.ts';
import { editor, type Question } from '../../fixtures/vscode.ts';

/** The texts given to the editor. It would show the first link below, and run its command on a click. */
const shown = (): readonly string[] =>
  editor.questions.flatMap(({ text, choices }) => [text, ...choices.map(({ description = '' }) => description)]);

const link = '[Sign in](command:workbench.action.terminal.new)';

describe('text of a workspace', () => {
  beforeEach(() => void (editor.answer = ({ choices }: Question) => choices[0] ?? 'typed'));

  it('is no link in the question for an input', async () => {
    const source: ConfigurationSource = { kind: 'vscode', uri: 'file:///w', folder: undefined, title: '' };
    const input = { type: 'promptString', id: 'a', description: link, default: undefined, password: false } as const;
    const secrets = {} as ConstructorParameters<typeof InputStore>[0]['secrets'];
    const store = new InputStore({ secrets, workspaceState: sampleState(), globalState: sampleState() });
    const { signal } = new AbortController();
    const user = { label: 'label', target: 'a.example' };
    await store.resolve(source, input, user, { requestedBy: () => 'person', signal });
    expect(shown()).toEqual([expect.not.stringContaining('](')]);
  });

  it('is no link in the word about log levels', async () => {
    const host = sampleServer(link);
    const server = { ...host.server, setLogLevel: async () => {} } as typeof host.server;
    const logs = { channel: () => ({ logLevel: 5 }) } as unknown as ServerLogs;
    await setLogLevel(Object.assign(host, { server }), logs);
    expect(shown().at(-1)).toContain('Sign in');
    expect(shown().at(-1)).not.toContain('](');
  });

  it('is no icon in a list of contents', async () => {
    const sample = sampleServer('a', { state: running });
    const host = Object.assign(sample, { server: { ...sample.server, preflight: async () => {} } });
    const part = { name: 'x', uri: 'x:y', mimeType: '$(verified)', bytes: new Uint8Array(), isBinary: false };
    const store = { load: async () => ({ parts: [part, part], changedAt: 0 }), last: () => undefined, invalidate() {} };
    const options = {
      registry: sampleRegistry(host),
      storage: sampleState(),
      clock: createManualClock(),
      logger: createLogger(() => {}),
      askModel: () => Promise.resolve(),
      confirmElsewhere: () => Promise.resolve(false),
    };
    const commands = createResourceCommands(options, sampleSeal(), store);
    await commands[CommandIds.openResource]({ server: 'a', uri: 'x:y' });
    expect(shown()[1]).toMatch(/^\\\$\(verified\)/);
  });

  it('makes no name of a log longer than a file name may be', () => {
    createServerLogs(createManualClock()).channel('x'.repeat(5_000));
    expect(editor.channels[0]?.length).toBeLessThan(100);
  });
});
