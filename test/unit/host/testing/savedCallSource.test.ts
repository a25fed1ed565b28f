import { beforeEach, describe, expect, it } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import { createLogger } from '../../../../src/base/logger.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { AnswersInRun } from '../../../../src/client/serverRequests/answersInRun.ts';
import type { ToolCallOptions } from '../../../../src/client/toolCalls/ports.ts';
import { SavedCalls } from '../../../../src/host/calls/savedCallStore.ts';
import type { DevelopmentState } from '../../../../src/host/servers/developmentStates.ts';
import type { WindowSecrets } from '../../../../src/host/servers/windowSecrets.ts';
import type { ServerRegistry } from '../../../../src/host/servers/serverRegistry.ts';
import { createSavedCallCommands } from '../../../../src/host/testing/savedCallCommands.ts';
import type { SavedCallRunPorts } from '../../../../src/host/testing/savedCallRun.ts';
import { SavedCallSource } from '../../../../src/host/testing/savedCallSource.ts';
import type { RunOrigin } from '../../../../src/host/testing/testSource.ts';
import type { CheckResult } from '../../../../src/workshop/checks/checkResult.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { unhurried } from '../../../fixtures/unhurried.ts';
import { editor, type Question, Uri } from '../../../fixtures/vscode.ts';

beforeEach(unhurried);

const fileName = '/w/app/.vscode/mcp-calls.json';
const inputSchema = { type: 'object' };

interface Call {
  readonly tool: string;
  readonly args: object;
  readonly answer: unknown;
}

function setUp(...calls: readonly object[]) {
  const write = (list: readonly object[]): void => {
    const named = list.map((call, index) => ({ name: `n${index}`, server: 's', tool: 'read', ...call }));
    editor.files.set(fileName, { text: JSON.stringify({ calls: named }) });
  };
  write(calls);
  editor.folders = [{ name: 'app', uri: Uri.file('/w/app') }];
  const made: Call[] = [];
  const starts: string[] = [];
  const tools = [
    { name: 'read', inputSchema },
    { name: 'wipe', inputSchema, annotations: { destructiveHint: true } },
    { name: 'idle', inputSchema },
  ];
  const server = {
    identity: 'one',
    state: { kind: 'running' },
    contents: { tools },
    start: async () => void starts.push('nobody'),
    async callTool(tool: string, args: object, options: ToolCallOptions) {
      const definition = tools.find(({ name }) => name === tool);
      const asks = definition?.annotations?.destructiveHint === true;
      const answer = asks ? await options.askInForm?.({ server: 's', tool: definition } as never, []) : options.caller;
      if (answer === undefined) throw new DOMException('declined', 'AbortError');
      options.onSend?.();
      made.push({ tool, args, answer });
      return { content: [{ type: 'text', text: `result ${made.length}` }], isError: false };
    },
  };
  const host = {
    label: 's',
    definition: 'one',
    configured: { source: {} },
    server,
    isStale: false,
    development: undefined as DevelopmentState | undefined,
    restart: async (who: string) => {
      starts.push(`again for ${who}`);
      Object.assign(host, { isStale: false, development: undefined });
    },
    start: async (who: string) => void starts.push(who),
  };
  const states = new Emitter<unknown>();
  const registry = {
    get: (label: string) => (label === 's' ? host : undefined),
    servers: [host],
    onDidChangeState: states.event,
  };
  const clock = createManualClock();
  const logger = createLogger(() => {});
  const knownSecrets = { collector: async () => ({ collect: async () => ({ secrets: [], isWhole: true }) }) };
  const ports = {
    registry: registry as unknown as ServerRegistry,
    clock,
    validator: { validate: () => ({ kind: 'valid' }) },
    knownSecrets: knownSecrets as unknown as WindowSecrets,
    answersInRun: new AnswersInRun({ record: () => {} }),
  } satisfies SavedCallRunPorts;
  const saved = new SavedCalls(ports.knownSecrets, clock, logger);
  const source = new SavedCallSource(ports, saved);
  async function run(ids: readonly string[], origin: RunOrigin = 'selection'): Promise<readonly CheckResult[]> {
    const results: CheckResult[] = [];
    for await (const result of source.run(ids, new AbortController().signal, origin)) results.push(result);
    return results;
  }
  const runs: (readonly string[])[] = [];
  const tree = {
    run: async (_: string, ids: readonly string[], origin: RunOrigin) => void runs.push([...ids, origin]),
    idsOf: () => undefined,
  };
  const commands = createSavedCallCommands({ registry: ports.registry, logger, calls: saved, source, tree });
  const restart = async (): Promise<void> => {
    states.fire({ label: 's', state: { kind: 'running' } });
    await clock.advance(0);
  };
  return { source, run, made, starts, server, host, write, commands, runs, restart };
}

const verdicts = (results: readonly CheckResult[]): string[] => results.map(({ id, verdict }) => `${id} ${verdict}`);

describe('saved calls in Test Explorer', () => {
  it('are listed below their server, at their lines', async () => {
    const { source } = setUp({}, { cases: [{ name: 'a' }] });
    expect(await source.items()).toEqual([
      expect.objectContaining({ id: 'saved/s/read/n0', label: 'n0', place: { path: fileName, line: 1 } }),
      expect.objectContaining({ id: 'saved/s/read/n1/a', label: 'a' }),
    ]);
  });

  it('start their server for the person who has agreed to them; a run of all tests starts none, and asks nothing', async () => {
    const { run, starts, made, server } = setUp({}, { arguments: { a: 1 } });
    editor.answer = () => 'Call Them';
    await run(['saved/s/read/n0']);
    expect([starts, made.map(({ answer }) => answer)]).toEqual([['person'], ['test']]);
    editor.answer = () => expect.unreachable('a question');
    const [seen, unseen] = await run(['saved/s/read/n0', 'saved/s/read/n1'], 'all');
    expect([seen?.verdict, unseen?.verdict, made.length]).toEqual(['passed', 'notRun', 2]);
    expect(unseen?.message).toContain('You have not tested this call in this window');
    server.state = { kind: 'stopped' };
    const [left] = await run(['saved/s/read/n0'], 'all');
    expect([left?.verdict, left?.message]).toEqual(['notRun', expect.stringContaining('does not run')]);
    expect([starts.filter((who) => who === 'person'), made.length]).toEqual([['person'], 2]);
  });

  it.each(['selection', 'command'] as const)(
    'show what a folder has written before it is sent, once (%s): another extension may have begun the run',
    async (origin) => {
      const questions: Question[] = [];
      const call = { arguments: { path: '/home/me' }, answers: { sampling: [{ text: 'yes' }] } };
      const { run, made, starts, write, host } = setUp(call);
      const ids = ['saved/s/read/n0'];
      editor.answer = (question: Question) => (questions.push(question), 'Skip Them');
      expect(verdicts(await run(ids, origin))[0]).toBe('saved/s/read/n0 notRun');
      expect([made, starts]).toEqual([[], []]);
      expect(questions[0]?.detail).toContain(
        'read of s (“n0”): {"path":"/home/me"}, and answers to what it asks: [{"text":"yes"}]',
      );
      editor.answer = (question: Question) => (questions.push(question), 'Call Them');
      await run(ids, origin);
      await run(ids, origin);
      expect([made.length, questions.length]).toEqual([2, 2]);
      // What is expected may change without a question, and what is sent may not.
      write([{ ...call, expect: { isError: true } }]);
      await run(ids, origin);
      expect(questions).toHaveLength(2);
      write([{ ...call, arguments: { path: '/' } }]);
      await run(ids, origin);
      expect(questions).toHaveLength(3);
      host.definition = 'another';
      await run(ids, origin);
      expect(questions).toHaveLength(4);
    },
  );

  it.each<{ isStale?: boolean; development?: DevelopmentState }>([
    { development: { restartsOnSave: false, staleFile: 'server.js' } },
    { development: { restartsOnSave: true, staleFile: 'server.js', pausedBecause: 'too often' } },
    { isStale: true },
  ])('restart a server that runs older code first: %j', async (old) => {
    const { run, starts, host } = setUp({});
    editor.answer = () => 'Call Them';
    Object.assign(host, old);
    const [result] = await run(['saved/s/read/n0']);
    expect([result?.verdict, starts]).toEqual(['passed', ['again for person', 'person']]);
    Object.assign(host, old);
    const [all] = await run(['saved/s/read/n0'], 'all');
    expect([all?.verdict, starts.length]).toEqual(['warning', 3]);
    const what = old.isStale === true ? 'its configuration' : 'server.js';
    expect(all?.message).toBe(`This ran on code from before ${what} changed. Restart the server, then run it again.`);
  });

  it('call nothing where the restart is declined, and say of a failure too that older code ran', async () => {
    const { run, host, made } = setUp({ expect: { text: 'Oslo' } });
    const development = { restartsOnSave: false, staleFile: 'server.js' };
    editor.answer = () => 'Call Them';
    await run(['saved/s/read/n0']);
    Object.assign(host, { development });
    const [failed] = await run(['saved/s/read/n0'], 'all');
    expect(failed?.failures?.map(({ message }) => message)).toEqual([
      expect.stringContaining('does not contain'),
      expect.stringContaining('before server.js changed'),
    ]);
    host.restart = async () => {
      throw new CancelledError('You did not allow the start.');
    };
    const [declined] = await run(['saved/s/read/n0']);
    expect([declined?.verdict, declined?.message, made.length]).toEqual(['notRun', 'You did not allow the start.', 2]);
  });

  it('are not called where another server has taken the name while the question was open', async () => {
    const { run, made, host } = setUp({});
    editor.answer = () => ((host.definition = 'another'), 'Call Them');
    expect(verdicts(await run(['saved/s/read/n0']))[0]).toBe('saved/s/read/n0 notRun');
    expect(made).toEqual([]);
  });

  it('ask once for all calls that may change data, and call none of them after a no', async () => {
    const questions: Question[] = [];
    const { run, made } = setUp({ tool: 'wipe' }, { tool: 'wipe', arguments: { a: 1 } }, {});
    const ids = ['saved/s/wipe/n0', 'saved/s/wipe/n1', 'saved/s/read/n2'];
    editor.answer = () => 'Call Them';
    await run(ids);
    editor.answer = (question: Question) => (questions.push(question), 'Skip Them');
    const refused = verdicts(await run(ids));
    expect(refused.slice(0, 3)).toEqual(['saved/s/wipe/n0 notRun', 'saved/s/wipe/n1 notRun', 'saved/s/read/n2 passed']);
    editor.answer = (question: Question) => (questions.push(question), 'Call Them');
    await run(ids);
    expect(questions).toHaveLength(2);
    expect(JSON.stringify(questions[0])).toContain('“n1”');
    expect(made.map(({ tool }) => tool)).toEqual(['wipe', 'wipe', 'read', 'read', 'wipe', 'wipe', 'read']);
  });

  it('say which tools have none', async () => {
    const { run, source } = setUp({}, { tool: 'wipe' });
    editor.answer = () => 'Skip Them';
    const coverage = (await run(['saved/s/read/n0', 'saved/s/wipe/n1'])).at(-1);
    expect(coverage?.message).toBe('2 of 3 tools have a saved call. Without one: “idle”.');
    expect(coverage && source.entryFor(coverage)?.label).toBe('Tools with a saved call');
    expect(await run(['saved/s/read/n0'])).toHaveLength(1);
  });

  it('are not run in Restricted Mode', async () => {
    const { run, made } = setUp({});
    editor.isTrusted = false;
    await expect(run(['saved/s/read/n0'])).rejects.toThrow('In Restricted Mode');
    expect(made).toEqual([]);
  });
});

describe('Run Saved Calls After Each Restart', () => {
  it('repeats only what the person has run, on the same server, and what changes nothing', async () => {
    editor.answer = () => 'Call Them';
    const calls = [{}, { arguments: { a: 1 } }, { tool: 'wipe' }];
    const { run, source, host, write, starts } = setUp(...calls);
    expect(await source.repeatable('s')).toEqual([]);
    await run(['saved/s/read/n0', 'saved/s/wipe/n2']);
    await run(['saved/s/read/n1'], 'all');
    expect(await source.repeatable('s')).toEqual(['saved/s/read/n0']);
    await run(['saved/s/read/n0'], 'restart');
    expect(starts.at(-1)).toBe('nobody');
    // A run of the same calls by the person is theirs: it starts a server that does not run.
    await run(['saved/s/read/n0']);
    expect(starts.at(-1)).toBe('person');
    write([{ arguments: { path: '/etc' } }]);
    expect(await source.repeatable('s')).toEqual([]);
    write(calls);
    host.definition = 'another';
    expect(await source.repeatable('s')).toEqual([]);
  });

  it('runs them each time the server runs again, until it is switched off', async () => {
    const { run, commands, runs, restart } = setUp({});
    editor.answer = () => 'Call Them';
    await run(['saved/s/read/n0']);
    await restart();
    expect(runs).toEqual([]);
    await commands['patchbay.runCallsAfterRestart']({ server: 's' });
    await restart();
    await expect.poll(() => runs).toEqual([['saved/s/read/n0', 'restart']]);
    await commands['patchbay.runCallsAfterRestart']({ server: 's' });
    await restart();
    expect(runs).toHaveLength(1);
  });
});

describe('Update Snapshots', () => {
  const snapshotFiles = (): string[] => [...editor.files.keys()].filter((path) => path.includes('mcp-snapshots'));

  it('writes what the run gave, and nothing for a call that has changed since', async () => {
    const call = { expect: { snapshot: true } };
    const { run, source, write } = setUp(call);
    editor.answer = () => 'Call Them';
    const runFirst = expect.stringContaining('run the saved calls first');
    // The last one as from the menu of a test that is no saved call.
    for (const ids of [['saved/s/read/n0'], undefined, []]) {
      await source.updateSnapshots(ids);
      expect(editor.questions.at(-1)).toMatchObject({ text: runFirst });
    }
    expect(verdicts(await run(['saved/s/read/n0']))[0]).toBe('saved/s/read/n0 failed');
    expect(snapshotFiles()).toEqual([]);
    write([{ ...call, arguments: { a: 1 } }]);
    await expect(source.updateSnapshots(['saved/s/read/n0'])).rejects.toThrow('has changed since it ran');
    expect(snapshotFiles()).toEqual([]);
    write([call]);
    await source.updateSnapshots(['saved/s/read/n0']);
    await source.updateSnapshots(undefined);
    expect(editor.questions.at(-1)).toMatchObject({ text: expect.stringContaining('no snapshot was missing') });
    expect(snapshotFiles()).toEqual([expect.stringMatching(/^\/w\/app\/\.vscode\/mcp-snapshots\/call-read--n0-/)]);
  });
});
