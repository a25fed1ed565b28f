import { describe, expect, it, vi } from 'vitest';
import { CancelledError, PatchbayError } from '../../../../src/base/errors.ts';
import { Emitter } from '../../../../src/base/event.ts';
import type { CallAnswer, ProposedCall, ToolCallOptions } from '../../../../src/client/toolCalls/ports.ts';
import { InvalidResultError } from '../../../../src/client/toolCalls/sendToolCall.ts';
import { AppPresenter } from '../../../../src/host/apps/registerApps.ts';
import type { ModelSubject } from '../../../../src/host/invocation/modelQuestion.ts';
import { callTool, type WantedCall } from '../../../../src/host/tools/toolCaller.ts';
import type { ToolParts } from '../../../../src/host/tools/toolLibrary.ts';
import { argumentsChanged, toolChanged } from '../../../../src/host/tools/shownDefinition.ts';
import type { ToolSession } from '../../../../src/host/tools/toolSession.ts';
import type { CallView } from '../../../../src/shared/toolMessages.ts';
import type { CallToolResult, Tool } from '../../../../src/protocol/mcp/tools.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { TrafficLog } from '../../../../src/client/trace/trafficLog.ts';
import type { LaunchPlan } from '../../../../src/base/launchPlan.ts';
import type { EndedCall } from '../../../../src/host/calls/callRecord.ts';
import { createRedactor } from '../../../../src/secrets/redactor.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { running, sampleRegistry, sampleServer } from '../sampleServer.ts';

const tool: Tool = { name: 'add', title: 'Add Numbers', inputSchema: { type: 'object' } };
const destructive: Tool = { ...tool, annotations: { destructiveHint: true } };
const result: CallToolResult = {
  content: [{ type: 'text', text: 'The sum.' }],
  structuredContent: { sum: 3 },
  isError: false,
};

/** A tool whose server answers a call with `answer`, and says `lines` while the call is on its way. */
function setUp(answer: (options: ToolCallOptions) => CallToolResult = () => result, lines: readonly string[] = []) {
  const host = sampleServer('demo', { state: running, contents: { tools: [tool, tool] } });
  const clock = createManualClock();
  const traffic = new TrafficLog(clock);
  const redactor = createRedactor([]);
  const plan: LaunchPlan = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: {} };
  const tap = traffic.tap({ label: 'demo', plan, redactor: () => redactor });
  const write = (method: string): void => tap.message('received', { jsonrpc: '2.0', method });
  const showTraffic = vi.fn(async () => false);
  const sent: unknown[] = [];
  const server = {
    async callTool(_name: string, args: object, options: ToolCallOptions) {
      write('before');
      options.onSend?.();
      options.onRequest?.(7);
      sent.push(args);
      for (const line of lines) write(line);
      return answer(options);
    },
  };
  Object.assign(host.server, server);
  const address = { server: 'demo', identity: 'demo', tool: 'add', occurrence: 1, copy: 0 };
  const session = {
    address,
    tool,
    args: { a: 1 },
    call: { kind: 'idle' },
    isForCommand: true,
    changeNote: toolChanged,
    refresh: () => {},
    document: { isClosed: false },
    write: vi.fn(async () => {}),
  };
  const asked: ModelSubject[] = [];
  const kept: unknown[] = [];
  const apps = Object.assign(new AppPresenter(() => Promise.reject(new Error('No app'))), { begin: vi.fn() });
  const options = {
    registry: sampleRegistry(host),
    clock,
    askModel: async (about: ModelSubject) => void asked.push(about),
    library: { keep: async (call: unknown) => void kept.push(call) },
    traffic,
    showTraffic,
    apps,
    markUsed: () => {},
  } as unknown as ToolParts;
  const shown = session as unknown as ToolSession;
  const call = async (wanted: WantedCall = { caller: 'form' }) => callTool(shown, wanted, options)?.ended;
  return { host, session, shown, sent, asked, kept, apps, write, call, clock, options, showTraffic };
}

describe('a call whose arguments do not fit', () => {
  const refuse = (): never => {
    throw new PatchbayError('invalidArguments', 'They do not fit.');
  };
  function setUpRefusal(problems: readonly unknown[]) {
    const made = setUp();
    const outcome = { view: { kind: 'declined' } };
    made.host.server.callTool = refuse;
    const check = async (): Promise<void> => void Object.assign(made.session, { problems });
    return Object.assign(made, { session: Object.assign(made.session, { check, outcome }), outcome });
  }

  it('leads to the first that does not, and leaves the result that was there', async () => {
    const { call, shown, outcome, kept } = setUpRefusal([{ path: ['a'], message: 'is required' }]);
    expect(await call()).toBeUndefined();
    expect(shown.call).toEqual({
      kind: 'idle',
      note: 'The tool was not called. Correct the arguments first.',
      isInvalid: true,
    });
    expect([shown.outcome, kept]).toEqual([outcome, []]);
  });

  it('says so as its result where the form shows no problem', async () => {
    const { call, shown } = setUpRefusal([]);
    await call();
    expect(shown.call).toEqual({ kind: 'idle' });
    expect(shown.outcome?.view).toMatchObject({ title: 'The tool was not called', message: 'They do not fit.' });
  });
});

/** The gate wants a second press, with what `tool` is by then. */
function setUpQuestion(offered: readonly CallAnswer[] = ['tool']) {
  const made = setUp();
  const { host, session, shown, clock } = made;
  const changes = new Emitter<{ message: { type: string } }>();
  Object.assign(session, { tool: destructive, revision: 1, confirmations: 0, onDidChange: changes.event });
  const send = host.server.callTool.bind(host.server);
  const answers: unknown[] = [];
  const proposed = { tool: destructive, args: { a: 1 }, isDestructive: true, isSeen: true };
  host.server.callTool = async (name, args, options) => {
    const answer = await options?.askInForm?.(proposed as unknown as ProposedCall, offered);
    answers.push(answer);
    if (answer === undefined) throw new CancelledError();
    return send(name, args, options);
  };
  const begin = async (ms = 1_000) => {
    const ended = made.call();
    await settle();
    await clock.advance(ms);
    return { ended, question: shown.call as Extract<CallView, { kind: 'confirm' }> };
  };
  return { ...made, proposed, answers, begin, change: (type: string) => changes.fire({ message: { type } }) };
}

describe('a second press', () => {
  it.each([
    [false, ['tool'], 'once'],
    [true, ['tool'], 'tool'],
    [true, [], 'once'],
  ] as const)(
    'calls, and lets the tool be called without one where that was ticked and offered: %s, %j',
    async (remember, offered, answer) => {
      const { shown, sent, answers, begin } = setUpQuestion(offered);
      const { ended, question } = await begin();
      expect(question).toEqual({ kind: 'confirm', id: 1, reason: 'destructive', canRemember: offered.length > 0 });
      shown.confirmCall?.(question.id, remember);
      expect(await ended).toBe(result);
      expect([answers, sent]).toEqual([[answer], [{ a: 1 }]]);
      expect(shown.confirmCall).toBeUndefined();
    },
  );

  it('within the time of a double click, or to another question, is none', async () => {
    const { shown, sent, clock, begin } = setUpQuestion();
    const { ended, question } = await begin(800);
    shown.confirmCall?.(question.id, false);
    await clock.advance(200);
    shown.confirmCall?.(question.id + 1, false);
    await settle();
    expect([shown.call.kind, sent]).toEqual(['confirm', []]);
    shown.confirmCall?.(question.id, false);
    await ended;
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['arguments', 1, 'Cancelled. Nothing was sent.'],
    ['broken', 1, 'Cancelled. Nothing was sent.'],
    ['tool', 2, toolChanged],
  ])('is not wanted any more once the form is another: %s', async (type, revision, note) => {
    const { session, shown, kept, sent, begin, change } = setUpQuestion();
    const { ended, question } = await begin();
    Object.assign(session, { revision });
    const confirm = shown.confirmCall;
    change(type);
    confirm?.(question.id, true);
    expect(await ended).toBeUndefined();
    expect([shown.call, shown.outcome, kept, sent]).toEqual([{ kind: 'idle', note }, undefined, [], []]);
  });

  it('stays wanted while the state of the server changes', async () => {
    const { shown, begin, change } = setUpQuestion();
    const { ended, question } = await begin();
    change('tool');
    shown.confirmCall?.(question.id, false);
    expect(await ended).toBe(result);
  });

  it('is not wanted for what the form does not show', async () => {
    for (const [proposal, note] of [
      [{ tool: { ...destructive, description: 'Another.' } }, toolChanged],
      [{ args: { a: 2 } }, argumentsChanged],
    ] as const) {
      const { shown, sent, proposed, begin } = setUpQuestion();
      Object.assign(proposed, proposal);
      const { ended } = await begin();
      await ended;
      expect([shown.call, sent]).toEqual([{ kind: 'idle', note }, []]);
    }
  });

  it('is wanted where the server has changed the tool since, with that as the reason', async () => {
    const { proposed, shown, begin } = setUpQuestion([]);
    Object.assign(proposed, { isSeen: false });
    const { ended, question } = await begin();
    expect(question).toMatchObject({ reason: 'changed', canRemember: false });
    shown.cancelCall?.();
    await ended;
  });

  it('is not wanted in a tab that was closed', async () => {
    const { shown, options, sent } = setUpQuestion();
    const open = callTool(shown, { caller: 'form' }, options);
    await settle();
    expect(shown.call.kind).toBe('confirm');
    open?.leave();
    expect([await open?.ended, sent]).toEqual([undefined, []]);
  });

  it('is asked for elsewhere where a command calls', async () => {
    const { answers, call } = setUpQuestion();
    await call({ caller: 'command', args: { a: 1 } });
    expect(answers).toEqual([undefined]);
  });
});

describe('a call of a tool', () => {
  it('is made with the definition that the person saw, also where its server starts with another', async () => {
    const { host, session, call } = setUp();
    const given: unknown[] = [];
    Object.assign(session, { refresh: () => Object.assign(session, { tool: { ...tool, description: 'Another.' } }) });
    Object.assign(host.server, {
      callTool: async (_name: string, _args: object, options: ToolCallOptions) => {
        session.refresh();
        return (given.push(options.tool), result);
      },
    });
    await call();
    expect(given).toEqual([tool]);
  });

  it('keeps the digest of its definition, so that it can be made again', async () => {
    const { kept, call } = setUp();
    await call();
    await vi.waitFor(() => expect(kept).toMatchObject([{ digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string }]));
  });

  it('shows its result and its messages, and offers to ask a model about it', async () => {
    const { shown, asked, kept, call, write, showTraffic } = setUp(undefined, ['one', 'two']);
    expect(await call()).toBe(result);
    write('after');
    expect(shown.call).toEqual({ kind: 'idle' });
    await vi.waitFor(() => expect(kept).toHaveLength(1));
    const { exchange = '', sent } = kept[0] as EndedCall;
    expect(sent).toEqual([{ log: '', position: 2, id: 7 }]);
    expect(exchange).toMatch(/^\S+ ← notification one\n\{.*\}\n\S+ ← notification two\n\{.*\}\n$/);
    expect(shown.outcome?.document?.actions.at(-1)?.label).toBe('Show Exchange');
    await shown.outcome?.showExchange?.();
    expect(showTraffic).toHaveBeenLastCalledWith(sent);
    expect(editor.executed.at(-1)).toEqual(['patchbay.openWhole', { title: 'add.log', value: Buffer.from(exchange) }]);
    await shown.outcome?.document?.actions.find(({ label }) => label === 'Ask a Model…')?.run();
    expect(asked).toMatchObject([{ server: 'demo', title: 'Add Numbers', about: 'result of the tool add' }]);
    expect(asked[0]?.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: '```json\n{\n  "sum": 3\n}\n```' },
          { type: 'text', text: 'The sum.' },
        ],
      },
    ]);
  });

  it('is cancelled by each page of its tool, not only by the one that began it', async () => {
    const { host, shown, kept, call } = setUp();
    const wait = (_name: string, _args: object, { signal }: ToolCallOptions): Promise<CallToolResult> =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    Object.assign(host.server, { callTool: wait });
    const ended = call();
    expect(shown.call).toEqual({ kind: 'waiting' });
    shown.cancelCall?.();
    expect(await ended).toBe(undefined);
    // Nothing was sent: what was there stays, and the history has nothing of it.
    expect([shown.outcome, kept]).toEqual([undefined, []]);
    expect([shown.call, shown.cancelCall]).toEqual([{ kind: 'idle', note: 'Cancelled. Nothing was sent.' }, undefined]);
  });

  it('bounds the messages that it keeps', async () => {
    const { kept, call } = setUp(undefined, Array<string>(601).fill('x'));
    await call();
    const cut = expect.stringMatching(/\n… 101 more left out\n$/) as string;
    await vi.waitFor(() => expect(kept).toMatchObject([{ exchange: cut }]));
  });

  it('is of the tool in the tab, if there are several of its name', async () => {
    const { apps, call } = setUp();
    await call();
    expect(apps.begin).toHaveBeenCalledWith(expect.objectContaining({ occurrence: 1 }));
  });

  it('writes the arguments of a command into the form once it is sent', async () => {
    const { session, sent, call } = setUp();
    await call({ caller: 'command', args: { a: 2 } });
    expect(sent).toEqual([{ a: 2 }]);
    expect(session.write).toHaveBeenCalledWith({ a: 2 });
    expect(session.isForCommand).toBe(false);
  });

  it('leaves what the person has typed while the call waited', async () => {
    const { host, session, sent, call } = setUp();
    const send = host.server.callTool.bind(host.server);
    host.server.callTool = (name, args, options) => {
      session.args = { a: 3 };
      return send(name, args, options);
    };
    await call({ caller: 'command', args: { a: 2 } });
    await call({ caller: 'form' });
    expect(sent).toEqual([{ a: 2 }, { a: 3 }]);
    expect(session.write).not.toHaveBeenCalled();
  });

  it('sends nothing if another server has the label once the person has agreed', async () => {
    const { host, session, sent, shown, kept, call } = setUp();
    const send = host.server.callTool.bind(host.server);
    host.server.callTool = (name, args, options) => {
      Object.assign(host.server, { identity: 'another' });
      return send(name, args, options);
    };
    expect(await call({ caller: 'command', args: { a: 2 } })).toBeUndefined();
    expect(sent).toEqual([]);
    expect(session.write).not.toHaveBeenCalled();
    expect(shown.outcome?.view).toMatchObject({ kind: 'error', message: expect.stringContaining('has changed') });
    expect(kept).toEqual([]);
  });

  it('shows a result that breaks its schema all the same, with a word about it [output-schema]', async () => {
    const differences = [{ path: ['sum'], message: 'must be number' }];
    const missing = setUp(({ onNote, onInvalid }) => {
      onNote?.('The arguments were not checked.');
      onInvalid?.(new InvalidResultError('demo', 'add', result, ['The tool sent none.']));
      return result;
    });
    await missing.call();
    expect(missing.shown.outcome?.document).toMatchObject({
      notices: ['The arguments were not checked.', 'The tool sent none.'],
      differences: [],
    });
    const different = setUp(({ onInvalid }) => {
      onInvalid?.(
        new InvalidResultError(
          'demo',
          'add',
          result,
          ['In the structured content, “sum” must be a number.'],
          differences,
        ),
      );
      return result;
    });
    await different.call();
    expect(different.shown.outcome?.document).toMatchObject({ notices: [], differences });
  });
});
