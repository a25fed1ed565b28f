import { TrafficLog } from '../../../../src/client/trace/trafficLog.ts';
import type { TextDocument } from 'vscode';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Clock, createSystemClock } from '../../../../src/base/clock.ts';
import { createNullLogger } from '../../../../src/base/logger.ts';
import {
  argumentsReplaced,
  fillDefaults,
  firstArguments,
  replaceArguments,
} from '../../../../src/host/tools/fillArguments.ts';
import type { ToolParts } from '../../../../src/host/tools/toolLibrary.ts';
import { argumentsChanged, toolChanged, toolKeepsChanging } from '../../../../src/host/tools/shownDefinition.ts';
import { ToolSession } from '../../../../src/host/tools/toolSession.ts';
import { digestOf } from '../../../../src/host/tools/toolCaller.ts';
import { ToolTab } from '../../../../src/host/tools/toolTab.ts';
import { Mutes } from '../../../../src/client/mutes.ts';
import type { ProposedCall, ToolCallOptions } from '../../../../src/client/toolCalls/ports.ts';
import { ToolCallApproval } from '../../../../src/client/toolCalls/toolCallApproval.ts';
import { ToolGrants } from '../../../../src/client/toolCalls/toolGrants.ts';
import { createCallQuestions } from '../../../../src/host/consent/callQuestions.ts';
import { createGrantStore } from '../../../fixtures/toolGrantStore.ts';
import type { Tool } from '../../../../src/protocol/mcp/tools.ts';
import type { ToolToPanel } from '../../../../src/shared/toolMessages.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { editor, workspace } from '../../../fixtures/vscode.ts';

type Edit = readonly [range: { readonly start: number; readonly end: number }, text: string];

/** The text of the only document, and whether VS Code refuses to edit it. */
let text = '';
let isRefusing = false;
/** What is kept with the text over a reload of the window. */
const kept: object[] = [];

const document = {
  uri: {},
  getText: () => text,
  positionAt: (offset: number) => offset,
  save: () => Promise.resolve(true),
} as unknown as TextDocument;

const tool: Tool = { name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } };

/** @param now who has the label of the server */
function openSession(
  now?: { readonly identity: string },
  isWithheld = false,
  lastSeen: Tool = tool,
  validation = 'valid',
  isForCommand = false,
  clock: Clock = createSystemClock(),
): ToolSession {
  const nothing = (): { dispose(): void } => ({ dispose() {} });
  const server = now && {
    get identity() {
      return now.identity;
    },
    state: { kind: 'stopped' },
    isRemembered: true,
  };
  const registry = { get: () => server && { server }, onDidChangeAny: nothing, onDidChangeServers: nothing };
  const address = { server: 's', identity: 'a', tool: 'add', occurrence: 0, copy: 0 };
  const validator = { validate: () => Promise.resolve({ kind: validation, problems: [] }) };
  const files = { keep: (_uri: unknown, part: object) => void kept.push(part) };
  const ports = { registry, validator, clock, files } as never;
  return new ToolSession(document, address, ports, { tool: lastSeen, isWithheld, isForCommand });
}

beforeEach(() => {
  text = '{}\n';
  isRefusing = false;
  kept.length = 0;
  const applyEdit = async ({ edits }: { readonly edits: readonly Edit[] }) => {
    if (isRefusing) throw new Error('The document is being closed.');
    for (const [{ start, end }, put] of edits) text = text.slice(0, start) + put + text.slice(end);
    editor.fire('onDidChangeTextDocument', { document, contentChanges: edits });
    return true;
  };
  Object.assign(workspace, { applyEdit });
});

describe('a form that nobody has filled in', () => {
  const properties = { a: { type: 'number', default: 7 }, b: { type: 'string' }, c: { const: 'x' } };
  const plain: Tool = { name: 'add', inputSchema: { type: 'object', properties, required: ['c'] } };
  const withApp: Tool = { ...plain, _meta: { ui: { resourceUri: 'ui://s/add' } } };

  it.each([
    ['has its defaults from the beginning where its tool has an app', withApp, true, { a: 7, c: 'x' }],
    ['is empty where its defaults do not fit', withApp, false, undefined],
    ['is empty where there is no app', plain, true, undefined],
    ['is empty where there are no defaults', { ...withApp, inputSchema: tool.inputSchema }, true, undefined],
  ])('%s', async (_what, definition, isAccepted, first) => {
    expect(await firstArguments(definition, async () => isAccepted)).toEqual(first);
  });

  it('gets the defaults of what is absent on demand, once', async () => {
    text = '{"b":"y"}';
    const session = openSession(undefined, false, plain);
    await fillDefaults(session);
    expect(session.args).toEqual({ b: 'y', a: 7 });
    await expect(fillDefaults(session)).rejects.toMatchObject({ code: 'notFound' });
    session.dispose();
  });
});

describe('the arguments of a tool', () => {
  it('are written after an edit that VS Code refused, too', async () => {
    const session = openSession();
    isRefusing = true;
    await expect(session.write({ a: 1 })).rejects.toThrow('being closed');
    await session.written;
    isRefusing = false;
    await session.write({ a: 2 });
    expect(JSON.parse(text)).toEqual({ a: 2 });
    expect(session.args).toEqual({ a: 2 });
    session.dispose();
  });

  it.each([
    ['{"a":1}', argumentsReplaced],
    ['{"a": 1, // mine', argumentsReplaced],
    ['{}', undefined],
    ['{"a":2}', undefined],
  ])('of another call replace %s in one step that can be undone, which is said: %s', async (given, note) => {
    text = given;
    const edits: unknown[] = [];
    const session = openSession();
    const { applyEdit } = workspace as unknown as { applyEdit: (edit: object) => Promise<boolean> };
    Object.assign(workspace, { applyEdit: (edit: object) => (edits.push(edit), applyEdit(edit)) });
    await replaceArguments(session, { a: 2 });
    expect([session.args, session.call]).toEqual([{ a: 2 }, idle(note)]);
    expect(edits).toHaveLength(given === '{"a":2}' ? 0 : 1);
    session.dispose();
  });

  it('that were not kept, as they held a secret, are said to be missing until others are entered', async () => {
    const session = openSession(undefined, true);
    const notices = (): readonly string[] =>
      session.messages.flatMap((message) => (message.type === 'tool' ? message.view.notices : []));
    expect(notices()).toContainEqual(expect.stringContaining('hold a secret that Patchbay knows'));
    await session.write({ a: 2 });
    expect(notices()).not.toContainEqual(expect.stringContaining('secret'));
    session.dispose();
  });

  it('are a problem once a call was tried: the pages and the window are told again', () => {
    const session = openSession();
    const sent: string[] = [];
    session.onDidChange(({ message }) => sent.push(message.type));
    session.call = { kind: 'idle' };
    expect(session.wasTried).toBe(false);
    session.call = { kind: 'waiting' };
    session.call = { kind: 'running' };
    expect(session.wasTried).toBe(true);
    expect(sent).toEqual(['call', 'call', 'problems', 'call']);
  });

  it('have one engine as long as their schema is the same', () => {
    const session = openSession();
    expect(session.engine?.fieldFor(session.engine.root, {}).kind).toBe('object');
    expect(session.engine).toBe(session.engine);
    session.dispose();
  });
});

describe('a tool whose server was replaced by another with its label', () => {
  it('shows nothing that belongs to the earlier one, and has it again with that', () => {
    text = '{"a": 42}';
    const now = { identity: 'b' };
    const session = openSession(now);
    session.outcome = { view: { kind: 'cancelled', at: 1 } };
    const shown = JSON.stringify(session.messages);
    expect(shown).toContain('"state":"replaced"');
    expect(shown).toContain('The definition of \\"s\\" has changed since this was opened.');
    expect(shown).not.toMatch(/42|cancelled|properties/);
    const sent: ToolToPanel[] = [];
    session.onDidChange(({ message }) => sent.push(message));
    now.identity = 'a';
    session.refresh();
    expect(sent).toMatchObject([
      { type: 'tool', view: { state: 'stopped' } },
      { type: 'arguments', args: { a: 42 } },
      { type: 'call' },
      { type: 'outcome', outcome: { kind: 'cancelled' } },
      { type: 'outcomeOf', summary: undefined },
      { type: 'callsAgain', isOffered: false, isOn: false },
    ]);
    session.dispose();
  });
});

const idle = (note: string | undefined) => ({ kind: 'idle', ...(note !== undefined && { note }) });

/** The page of a panel: what was posted to it, and what it sends. */
function createWebview(isClosed = () => false) {
  const posted: ToolToPanel[] = [];
  let receive: (message: unknown) => void = () => {};
  const webview = {
    onDidReceiveMessage(listener: typeof receive) {
      receive = listener;
      return { dispose() {} };
    },
    postMessage(message: ToolToPanel) {
      posted.push(message);
      if (isClosed()) throw new Error('Webview is disposed');
    },
  };
  return { webview, posted, send: (type: string, body: object = {}): void => receive({ type, ...body }) };
}

describe('the page of a tool', () => {
  it('gets nothing after it was closed, though the history was still being read', async () => {
    const session = openSession();
    let isClosed = false;
    let resolveHistory: (messages: readonly ToolToPanel[]) => void = () => {};
    const { webview, posted, send } = createWebview(() => isClosed);
    const library = {
      onDidChange: () => ({ dispose() {} }),
      messages: () => new Promise<readonly ToolToPanel[]>((resolve) => (resolveHistory = resolve)),
    };
    const options = { logger: createNullLogger(), library } as unknown as ToolParts;
    const tab = new ToolTab({ webview } as never, session, options);
    send('ready');
    await vi.waitFor(() => expect(posted).toContainEqual({ type: 'arguments', args: {} }));
    const before = posted.length;
    tab.dispose();
    isClosed = true;
    resolveHistory([{ type: 'saved', calls: [] }]);
    await session.written;
    await new Promise((done) => setImmediate(done));
    expect(posted).toHaveLength(before);
    session.dispose();
  });

  /** @param validation what the schema says of arguments that were given */
  function openTab(
    listed: Tool,
    validation: 'valid' | 'invalid' | 'unsupported' = 'valid',
    isForCommand = false,
    clock: Clock = createSystemClock(),
  ) {
    const session = openSession(undefined, false, listed, validation, isForCommand, clock);
    const called: unknown[] = [];
    const { webview, posted, send } = createWebview();
    const library = {
      onDidChange: () => ({ dispose() {} }),
      messages: async () => [],
      keep: async () => {},
      receive: async (): Promise<unknown> => undefined,
    };
    const server = {
      identity: 'a',
      state: { kind: 'running' },
      contents: { tools: [listed] },
      listState: () => ({ isLoading: false }),
      async callTool(_name: string, args: object, { caller, onSend }: ToolCallOptions) {
        called.push({ caller, args });
        onSend?.();
        return { content: [], isError: false };
      },
    };
    const options = {
      logger: createNullLogger(),
      clock,
      storage: { get: () => undefined },
      library,
      registry: { get: () => ({ label: 's', server }) },
      traffic: new TrafficLog(clock),
      apps: { begin: () => undefined, canShow: () => false },
      markUsed: () => {},
    } as unknown as ToolParts;
    const tab = new ToolTab({ webview } as never, session, options);
    const isFocused = (): boolean => posted.some(({ type }) => type === 'focus');
    return { tab, session, called, isFocused, send, library, host: server };
  }

  const nothingToFill: readonly Tool[] = [
    { name: 'add', inputSchema: { type: 'object' } },
    { name: 'add', inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false } },
  ];

  it.each(nothingToFill)('calls a tool at once that takes nothing, once it is there: %j', async (listed) => {
    const { tab, called, isFocused, send } = openTab(listed);
    const result = tab.callOrEdit({ caller: 'form' });
    await settle();
    expect(called).toEqual([]);
    send('ready');
    expect(await result).toEqual({ content: [], isError: false });
    expect(called).toEqual([{ caller: 'form', args: {} }]);
    expect(isFocused()).toBe(false);
  });

  it('wants a second press in the page for a tool that takes nothing and is destructive, also where it was chosen in the list', async () => {
    const listed: Tool = { name: 'add', inputSchema: { type: 'object' }, annotations: { destructiveHint: true } };
    const { tab, session, called, send, host } = openTab(listed);
    const mutes = new Mutes({ record: () => {} }, createNullLogger);
    const approval = new ToolCallApproval(createCallQuestions(false), mutes, new ToolGrants(createGrantStore()));
    const callUnasked = host.callTool.bind(host);
    host.callTool = async (name, args, options) => {
      const { caller, askInForm } = options;
      const proposed = { name, tool: listed, args, caller, askInForm, isSeen: true, isDestructive: true };
      await approval.approve({ server: 's', identity: 'a', sameNameCount: 1, ...proposed } as ProposedCall);
      return callUnasked(name, args, options);
    };
    send('ready');
    const result = tab.callOrEdit({ caller: 'form' });
    await vi.waitFor(() => expect(session.call).toMatchObject({ kind: 'confirm', reason: 'destructive' }));
    expect(called).toEqual([]);
    send('confirm', { id: 1, remember: false });
    send('cancel');
    expect(await result).toBeUndefined();
    expect(called).toEqual([]);
    session.dispose();
  });

  it.each<Tool>([
    tool,
    { name: 'add', inputSchema: { type: 'object', additionalProperties: { type: 'string' } } },
    { name: 'add', inputSchema: { type: 'object', patternProperties: { a: {} } } },
    { name: 'add', inputSchema: { type: 'object', required: ['a'] } },
    { name: 'add', inputSchema: { anyOf: [{ required: ['a'] }] } },
    { name: 'add', inputSchema: { type: 'object' }, omittedSchemas: ['inputSchema'] },
  ])('lets the person fill in what a tool may take: %j', async (listed) => {
    const { tab, called, isFocused, send } = openTab(listed);
    send('ready');
    expect(await tab.callOrEdit({ caller: 'form' })).toBeUndefined();
    expect(called).toEqual([]);
    expect(isFocused()).toBe(true);
  });

  it.each([
    [true, [{ a: 1 }]],
    [false, []],
  ])('calls again after a restart, if the server still lists the tool: %s', async (isListed, made) => {
    const { tab, session, called } = openTab(tool);
    vi.spyOn(session, 'isListed', 'get').mockReturnValue(isListed);
    session.callsAgain = true;
    session.ownCall = { a: 1 };
    await tab.callAfterRestart();
    expect(called).toMatchObject(made.map((args) => ({ args })));
    expect(called).toHaveLength(made.length);
  });

  it('calls at once with arguments that the schema does not object to', async () => {
    for (const validation of ['valid', 'unsupported'] as const) {
      const { tab, called, send } = openTab(tool, validation);
      send('ready');
      await tab.callOrEdit({ caller: 'command', args: { a: 2 } });
      expect(called).toEqual([{ caller: 'command', args: { a: 2 } }]);
    }
  });

  it('fills in what a command gives where that is not all, and asks about the call as about any of a command', async () => {
    const { tab, session, called, isFocused, send } = openTab(tool, 'invalid');
    send('ready');
    expect(await tab.callOrEdit({ caller: 'command', args: { a: 2 } })).toBeUndefined();
    expect(JSON.parse(text)).toEqual({ a: 2 });
    expect(called).toEqual([]);
    expect(isFocused()).toBe(true);
    for (const _ of ['command', 'form']) {
      send('call', { args: { a: 2 }, revision: session.revision });
      await vi.waitFor(() => expect(session.outcome?.view.kind).toBe('result'));
      session.outcome = undefined;
    }
    expect(called).toMatchObject([{ caller: 'command' }, { caller: 'form' }]);
  });

  it('asks about a call of a command also after the window was reloaded, once', async () => {
    const before = openTab(tool, 'invalid');
    before.send('ready');
    await before.tab.callOrEdit({ caller: 'command', args: { a: 2 } });
    expect(kept).toEqual([{ isForCommand: true }]);
    const { session, called, send } = openTab(tool, 'valid', true);
    send('ready');
    for (const count of [1, 2]) {
      send('call', { args: { a: 2 }, revision: session.revision });
      await vi.waitFor(() => expect([called.length, session.call.kind]).toEqual([count, 'idle']));
    }
    expect(called).toMatchObject([{ caller: 'command' }, { caller: 'form' }]);
    expect(kept.at(-1)).toEqual({ isForCommand: false });
    session.dispose();
  });

  const calledByHand = { args: { a: 2 }, revision: 1 };

  it('sends what it shows of a tool with an app, and no defaults that it does not show', async () => {
    const properties = { a: { type: 'number', default: 7 } };
    const inputSchema = { type: 'object', properties };
    const { session, called, send } = openTab({
      name: 'add',
      inputSchema,
      _meta: { ui: { resourceUri: 'ui://s/add' } },
    });
    send('ready');
    send('call', { args: {}, revision: session.revision });
    await vi.waitFor(() => expect(called).toEqual([{ caller: 'form', args: {} }]));
    expect(session.args).toEqual({});
    session.dispose();
  });

  it.each([
    ['with the arguments and the definition that it shows', calledByHand, true, undefined],
    ['but not with others than it shows', { args: { a: 3 }, revision: 1 }, false, argumentsChanged],
    ['but not with another definition than it shows', { args: { a: 2 }, revision: 2 }, false, toolChanged],
  ])('calls what the person has seen: %s', async (_what, shown, isCalled, note) => {
    text = '{"a":2}';
    const { session, called, send } = openTab(tool);
    send('ready');
    send('call', shown);
    await vi.waitFor(() => expect([called.length, session.call]).toEqual([Number(isCalled), idle(note)]));
    session.dispose();
  });

  it('calls no definition that the server has sent within the last second', async () => {
    text = '{"a":2}';
    const { session, called, send } = openTab(tool);
    send('ready');
    session.tool = { ...tool, description: 'Deletes everything.' };
    session.refresh();
    send('call', { args: { a: 2 }, revision: session.revision });
    await vi.waitFor(() => expect(session.call).toEqual(idle(toolChanged)));
    expect(called).toEqual([]);
    session.dispose();
  });

  it('says what to do about a tool that keeps changing, and calls it once it stays the same', async () => {
    text = '{"a":2}';
    const clock = createManualClock();
    const { session, called, send } = openTab(tool, 'valid', false, clock);
    send('ready');
    const press = async (): Promise<unknown> => {
      send('call', { args: { a: 2 }, revision: session.revision });
      await settle();
      return session.call;
    };
    for (const note of [toolChanged, toolChanged, toolKeepsChanging, toolKeepsChanging]) {
      session.tool = { ...tool, description: `${session.revision % 2}` };
      session.refresh();
      expect(await press()).toEqual(idle(note));
    }
    expect(called).toEqual([]);
    await clock.advance(1_000);
    await press();
    expect(called).toHaveLength(1);
    session.dispose();
  });

  it('says that a call waits for the question about a changed definition, and shows that where it is', async () => {
    text = '{"a":2}';
    const { session, called, send, host } = openTab(tool);
    const callTool = host.callTool.bind(host);
    let answer: () => void = () => {};
    host.callTool = async (name, args, options) => {
      options.onQuestion?.();
      await new Promise<void>((resolve) => (answer = resolve));
      return callTool(name, args, options);
    };
    send('ready');
    send('call', calledByHand);
    await vi.waitFor(() => expect(session.call).toEqual({ kind: 'waiting', isAsked: true }));
    send('showNotifications');
    await vi.waitFor(() => expect(editor.executed).toEqual([['notifications.showList']]));
    answer();
    await vi.waitFor(() => expect([called.length, session.call]).toEqual([1, idle(undefined)]));
    session.dispose();
  });

  it('calls once where it is asked twice at once', async () => {
    text = '{"a":2}';
    const { session, called, send } = openTab(tool);
    send('ready');
    for (const _ of [1, 2]) send('call', calledByHand);
    await vi.waitFor(() => expect(session.outcome?.view.kind).toBe('result'));
    await settle();
    expect(called).toHaveLength(1);
    session.dispose();
  });

  it('says which call the result is of while the form has other arguments', async () => {
    const session = openSession();
    const told: unknown[] = [];
    session.onDidChange(({ message }) => message.type === 'outcomeOf' && told.push(message.summary));
    await session.write({ a: 1 });
    session.outcome = { view: { kind: 'cancelled', at: 1 }, args: { a: 1 } };
    await session.write({ a: 2 });
    expect(session.messages).toContainEqual({ type: 'outcomeOf', summary: 'a: 1' });
    await session.write({ a: 1 });
    expect(told).toEqual(['a: 1', undefined]);
    session.dispose();
  });

  it.each([
    ['calls again what was called with this very definition', true],
    ['fills in what was called with another, or nobody knows with which, and calls nothing', false],
  ])('%s', async (_what, isSame) => {
    const { session, called, send, library, isFocused } = openTab(tool);
    library.receive = async () => {
      await session.write({ a: 2 });
      return { args: { a: 2 }, ...(isSame && { digest: await digestOf(tool) }) };
    };
    send('ready');
    send('history', { id: 'x', action: 'again' });
    if (isSame) await vi.waitFor(() => expect(called).toEqual([{ caller: 'again', args: { a: 2 } }]));
    else
      await vi.waitFor(() =>
        expect([isFocused(), session.call]).toEqual([true, { kind: 'idle', note: expect.any(String) as string }]),
      );
    expect([called.length, JSON.parse(text)]).toEqual([Number(isSame), { a: 2 }]);
    session.dispose();
  });

  it('calls nothing if it is closed before its page is there', async () => {
    const { tab, called } = openTab({ name: 'add', inputSchema: {} });
    const result = tab.callOrEdit({ caller: 'form' });
    tab.dispose();
    expect(await result).toBeUndefined();
    expect(called).toEqual([]);
  });
});
