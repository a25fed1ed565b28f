import { describe, expect, it, vi } from 'vitest';
import { createNullLogger } from '../../../../src/base/logger.ts';
import type { AuditEntry } from '../../../../src/client/auditLog.ts';
import { Mutes } from '../../../../src/client/mutes.ts';
import { ToolCallApproval } from '../../../../src/client/toolCalls/toolCallApproval.ts';
import { ToolGrants } from '../../../../src/client/toolCalls/toolGrants.ts';
import { createGrantStore } from '../../../fixtures/toolGrantStore.ts';
import type { CallAnswer, ProposedCall } from '../../../../src/client/toolCalls/ports.ts';
import type { Tool } from '../../../../src/protocol/mcp/tools.ts';
import { settle } from '../../../fixtures/manualClock.ts';

const remove: Tool = { name: 'remove', inputSchema: { type: 'object' }, annotations: { destructiveHint: true } };
const add: Tool = { name: 'add', inputSchema: { type: 'object' } };
const look: Tool = { name: 'look', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };

function proposed(tool: Tool, call: Partial<ProposedCall> = {}): ProposedCall {
  return {
    server: 'demo',
    identity: 'one',
    name: tool.name,
    tool,
    sameNameCount: 1,
    args: {},
    caller: 'command',
    isSeen: false,
    isDestructive: tool.annotations?.destructiveHint === true,
    unchecked: undefined,
    signal: undefined,
    ...call,
  };
}

const inForm = { caller: 'form', isSeen: true } as const;

/** A user who answers what a test sets; yes by default. */
function setUp(store = createGrantStore()) {
  let answer: (call: ProposedCall) => CallAnswer | undefined | Promise<CallAnswer | undefined> = () => 'once';
  const asked: { readonly call: ProposedCall; readonly offered: readonly CallAnswer[] }[] = [];
  const audit: AuditEntry[] = [];
  const mutes = new Mutes({ record: (entry) => audit.push(entry) }, createNullLogger);
  const questions = {
    async ask(call: ProposedCall, offered: readonly CallAnswer[]) {
      asked.push({ call, offered });
      return answer(call);
    },
  };
  const approval = new ToolCallApproval(questions, mutes, new ToolGrants(store));
  const ask = async (tool: Tool, call?: Partial<ProposedCall>): Promise<string> =>
    approval.approve(proposed(tool, call));
  /** Allows a call once, and then always, in the view of approvals. */
  const always = async (tool: Tool, call?: Partial<ProposedCall>): Promise<void> => {
    expect(await ask(tool, call)).toBe('allowed once');
    const [latest] = approval.allowedOnce;
    if (latest !== undefined) await approval.allowAlways(latest);
  };
  /** @returns whether the person was asked */
  const isAsked = async (tool: Tool, call: Partial<ProposedCall>): Promise<boolean> => {
    const before = asked.length;
    await ask(tool, call);
    return asked.length > before;
  };
  const answers = (next: typeof answer): void => void (answer = next);
  return { store, approval, ask, isAsked, always, asked, audit, mutes, answers };
}

describe('approving a call', () => {
  it('asks nothing of a person who has just seen the call, but of a tool that its server calls destructive [tool-annotations]', async () => {
    const { ask, asked } = setUp();
    for (const caller of ['form', 'again'] as const) {
      for (const tool of [add, look]) {
        expect(await ask(tool, { caller, isSeen: true })).toBe('called by the person');
        expect(await ask(tool, { caller, isSeen: true, unchecked: 'the schema is too large' })).toBe(
          'called by the person',
        );
      }
    }
    expect(asked).toHaveLength(0);
    await ask(remove, inForm);
    await ask({ ...remove, annotations: { readOnlyHint: true, destructiveHint: true } }, inForm);
    await ask(look, { caller: 'form' });
    for (const caller of ['again', 'command', 'extension'] as const) await ask(look, { caller });
    expect(asked.map(({ call: { name, caller } }) => `${name} ${caller}`).join(', ')).toBe(
      'remove form, remove form, look form, look again, look command, look extension',
    );
  });

  it('offers a standing yes for what it can be bound to, to the person’s own calls and those of an app', async () => {
    const { approval, ask, asked, answers } = setUp();
    await ask(remove, inForm);
    // Not the definition that was seen, none at all, and two of which the server is told the name alone.
    await ask(remove, { caller: 'form' });
    await ask(look, { caller: 'again', tool: undefined });
    await ask(remove, { ...inForm, sameNameCount: 2 });
    expect(asked.map(({ offered }) => offered)).toEqual([['tool'], [], [], []]);
    answers(() => 'tool');
    for (const caller of ['command', 'extension', 'app'] as const) {
      expect(await ask(look, { caller })).toBe('allowed once');
      expect(asked.at(-1)?.offered).toEqual([]);
    }
    expect(approval.grants).toEqual([]);
    expect(await ask(look, map)).toBe('always for this tool');
    expect(asked.at(-1)?.offered).toEqual(['tool']);
    await ask(remove, { ...map, tool: undefined });
    expect(asked.at(-1)?.offered).toEqual([]);
  });

  it('remembers the latest calls of others that were allowed once, the newest first, until the server stops', async () => {
    const { approval, ask } = setUp();
    await ask(remove, inForm);
    for (let count = 0; count < 12; count += 1) await ask({ ...remove, name: `tool${count % 11}` });
    expect(approval.allowedOnce.map(({ tool }) => tool)).toEqual(
      [0, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((count) => `tool${count}`),
    );
    const [newest] = approval.allowedOnce;
    approval.end('demo');
    expect(approval.allowedOnce).toEqual([]);
    if (newest !== undefined) await approval.allowAlways(newest);
    expect(approval.grants).toEqual([]);
  });

  it('gives other callers nothing by a yes to calls of the person [tool-consent]', async () => {
    const { ask, always, isAsked, answers } = setUp();
    await always(remove);
    answers(() => 'tool');
    await ask(remove, { ...inForm, unchecked: 'the schema is too large' });
    expect(await isAsked(remove, { caller: 'extension' })).toBe(false);
    expect(await isAsked(remove, { caller: 'extension', unchecked: 'the schema is too large' })).toBe(true);
  });

  it('holds a yes for one tool to the server, its program and the definition, over restarts [tool-consent]', async () => {
    const { approval, ask, always, asked } = setUp();
    await always(remove);
    expect(await ask({ ...remove }, { caller: 'extension' })).toBe('always for this tool');
    expect(asked).toHaveLength(1);
    expect(approval.grants).toMatchObject([{ server: 'demo', identity: 'one', tool: 'remove', reach: 'everyone' }]);
    approval.end('demo');
    expect(await ask(remove, { caller: 'extension' })).toBe('always for this tool');
    await ask(remove, { server: 'other' });
    await ask({ ...remove, description: 'Now it does something else.' });
    await ask(remove, { unchecked: 'the schema is too large' });
    expect(asked).toHaveLength(4);
    // Another program under the same label, and then the same one again.
    await ask(remove, { identity: 'two' });
    expect(asked).toHaveLength(5);
    expect(await ask(remove)).toBe('always for this tool');
  });

  it('takes a yes to one’s own call for no yes to the calls of others', async () => {
    const { approval, ask, asked, answers } = setUp();
    answers(() => 'tool');
    await ask(remove, inForm);
    await ask(remove, { caller: 'again', isSeen: true });
    expect(asked).toHaveLength(1);
    expect(approval.grants).toMatchObject([{ server: 'demo', tool: 'remove', reach: 'own' }]);
    await ask(remove, { caller: 'extension' });
    await ask(remove, { caller: 'command' });
    expect(asked).toHaveLength(3);
  });

  it('ends what was allowed when it is revoked, also where that cannot be stored', async () => {
    const { store, approval, isAsked, ask, answers } = setUp();
    answers(() => 'tool');
    await ask(remove, inForm);
    answers(() => 'once');
    expect(await isAsked(remove, inForm)).toBe(false);
    const [grant] = approval.grants;
    store.failure = new Error('The disk is full');
    await expect(grant && approval.revoke(grant)).rejects.toThrow('The disk is full');
    expect(approval.grants).toEqual([]);
    store.failure = undefined;
    expect(await isAsked(remove, inForm)).toBe(true);
    expect(store.grants).toEqual([]);
  });

  it('allows nothing that it cannot read, and a call once whose standing yes cannot be stored', async () => {
    const { store, approval, isAsked, ask, answers } = setUp();
    answers(() => 'tool');
    await ask(remove, inForm);
    store.failure = new Error('The disk is full');
    answers(() => 'once');
    expect(await isAsked(remove, inForm)).toBe(true);
    answers(() => 'tool');
    expect(await ask(remove, inForm)).toBe('allowed once, as what should hold longer could not be stored');
    expect(approval.grants).toEqual([]);
  });

  it('shares what is allowed with other windows, which can revoke it', async () => {
    const one = setUp();
    const other = setUp(one.store);
    const changed: string[] = [];
    other.approval.onDidChange((server) => changed.push(server));
    await one.always(remove);
    expect(await other.isAsked(remove, { caller: 'extension' })).toBe(false);
    expect(changed).toEqual(['demo']);
    const [grant] = other.approval.grants;
    if (grant !== undefined) await other.approval.revoke(grant);
    expect(await one.isAsked(remove, { caller: 'extension' })).toBe(true);
    // Allowed again, in the window that did not revoke it, and in the one that did.
    const [latest] = one.approval.allowedOnce;
    if (latest !== undefined) await one.approval.allowAlways(latest);
    expect(await other.isAsked(remove, { caller: 'extension' })).toBe(false);
  });
});

describe('another extension that calls 1,000 times', () => {
  it('opens one question after the other, lets few wait, and is not asked about after several refusals', async () => {
    const { approval, ask, asked, audit, mutes, answers } = setUp();
    let open = 0;
    let mostOpen = 0;
    answers(async () => {
      open += 1;
      mostOpen = Math.max(open, mostOpen);
      await settle();
      open -= 1;
      return undefined;
    });
    const calls = Array.from({ length: 1_000 }, () => ask(remove, { caller: 'extension' }));
    const settled = await Promise.allSettled(calls);
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
    expect([asked.length, mostOpen]).toEqual([3, 1]);
    const detail = { what: 'calls', refusals: 3 };
    expect(audit).toEqual([{ server: 'demo', action: 'mute', outcome: 'muted', detail }]);
    await expect(ask(remove, { caller: 'command' })).rejects.toMatchObject({ code: 'declined' });
    expect(asked).toHaveLength(3);
    // The caller cannot get around that by restarting the server.
    approval.end('demo');
    await expect(ask(remove, { caller: 'extension', identity: 'two' })).rejects.toThrow(/declined several/);
    // Calls of the user, and calls of other servers, are still asked about.
    answers(() => 'once');
    await ask(remove, inForm);
    await ask(remove, { caller: 'extension', server: 'other' });
    mutes.unmute('demo');
    await ask(remove, { caller: 'extension' });
    expect(asked).toHaveLength(6);
  });

  it('is not asked about any more once its tool is always allowed, those that wait included', async () => {
    const { approval, ask, asked, answers } = setUp();
    await ask(remove, { caller: 'extension' });
    answers(() => {
      const [latest] = approval.allowedOnce;
      return (latest === undefined ? Promise.resolve() : approval.allowAlways(latest)).then(() => 'once');
    });
    const calls = Array.from({ length: 20 }, () => ask(remove, { caller: 'extension' }));
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['allowed once', 'always for this tool']));
    expect(asked).toHaveLength(2);
  });

  it('is not asked about what it has given up meanwhile', async () => {
    const { ask, asked, answers } = setUp();
    let allow: (answer: CallAnswer) => void = () => {};
    answers(() => new Promise<CallAnswer>((resolve) => (allow = resolve)));
    const abort = new AbortController();
    const calls = [1, 2].map(() =>
      expect(ask(remove, { caller: 'extension', signal: abort.signal })).rejects.toThrow('gone'),
    );
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    abort.abort(new Error('gone'));
    await Promise.all(calls);
    allow('tool');
    await settle();
    expect(asked).toHaveLength(1);
    answers(() => 'once');
    await ask(remove, { caller: 'extension' });
    expect(asked).toHaveLength(2);
  });

  it('a no is a refusal to another extension, and a silent end to a command', async () => {
    const { ask, answers } = setUp();
    answers(() => undefined);
    await expect(ask(remove, { caller: 'extension' })).rejects.toMatchObject({ code: 'declined' });
    await expect(ask(remove, { caller: 'command' })).rejects.toMatchObject({ name: 'AbortError' });
    await expect(ask(remove, inForm)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

const map = { caller: 'app', app: { uri: 'ui://weather/map', title: 'Map', ask: async () => undefined } } as const;
const chart = { caller: 'app', app: { uri: 'ui://weather/chart', title: 'Map', ask: async () => undefined } } as const;
const others = [{ caller: 'extension' }, { caller: 'command' }, { caller: 'form' }, { caller: 'again' }] as const;

describe('what is allowed to an app', () => {
  it.each(['in the view of approvals', 'in its question'])(
    'holds for that app, and for nobody else: %s',
    async (where) => {
      const { approval, ask, isAsked, always, answers } = setUp();
      if (where === 'in its question') {
        await ask(remove, map);
        answers(() => 'tool');
        await ask({ ...remove }, map);
        answers(() => 'once');
      } else await always(remove, map);
      expect(approval.allowedOnce).toEqual([]);
      expect(approval.grants).toMatchObject([
        { server: 'demo', tool: 'remove', reach: 'everyone', app: 'ui://weather/map' },
      ]);
      expect(await isAsked(remove, map)).toBe(false);
      expect(await isAsked(remove, { ...map, app: { ...map.app, title: 'Renamed' } })).toBe(false);
      expect(await isAsked(remove, chart)).toBe(true);
      for (const other of others) expect(await isAsked(remove, other)).toBe(true);
    },
  );

  it('is asked in its own place: a question that nobody answers holds up no other app, extension or command', async () => {
    const { ask, asked, answers } = setUp();
    const aborts = Array.from({ length: 20 }, () => new AbortController());
    answers(({ app }) => (app?.uri === map.app.uri ? new Promise(() => {}) : 'once'));
    const open = aborts.map(({ signal }) => ask(remove, { ...map, signal }));
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    await expect(ask(remove, map)).rejects.toThrow('More than 20');
    for (const other of [chart, { caller: 'extension' }, { caller: 'command' }] as const)
      expect(await ask(remove, other)).toBe('allowed once');
    // The same app in another document, and of another server.
    expect(await ask(remove, { ...chart, app: { ...chart.app } })).toBe('allowed once');
    expect(await ask(remove, { ...chart, server: 'other' })).toBe('allowed once');
    for (const abort of aborts) abort.abort(new Error('gone'));
    const settled = await Promise.allSettled(open);
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('is not what is allowed to others, or to the person', async () => {
    for (const { caller } of others) {
      const { ask, isAsked, always, answers } = setUp();
      const isOwn = caller === 'form' || caller === 'again';
      const call = { caller, isSeen: isOwn };
      answers(() => (isOwn ? 'tool' : 'once'));
      await (isOwn ? ask(remove, call) : always(remove, call));
      answers(() => 'once');
      expect(await isAsked(remove, call)).toBe(false);
      expect(await isAsked(remove, map)).toBe(true);
    }
  });

  it('ends with the definition, the program and the server that it was given for', async () => {
    const { approval, isAsked, always } = setUp();
    await always(remove, map);
    expect(await isAsked(remove, { ...map, server: 'other' })).toBe(true);
    expect(await isAsked({ ...remove, description: 'Also sends it somewhere.' }, map)).toBe(true);
    expect(await isAsked(remove, { ...map, unchecked: 'the schema is too large' })).toBe(true);
    expect(await isAsked(remove, map)).toBe(false);
    approval.end('demo');
    expect(await isAsked(remove, map)).toBe(false);
    expect(await isAsked(remove, { ...map, identity: 'two' })).toBe(true);
    expect(await isAsked(remove, map)).toBe(false);
  });

  it('is taken back alone, and leaves what others may', async () => {
    const { approval, isAsked, always } = setUp();
    await always(remove, map);
    await always(remove, chart);
    await always(remove, { caller: 'extension' });
    const ofMap = approval.grants.filter(({ app }) => app === map.app.uri);
    expect(ofMap).toHaveLength(1);
    for (const grant of ofMap) await approval.revoke(grant);
    expect(approval.grants.map(({ app }) => app)).toEqual([chart.app.uri, undefined]);
    expect(await isAsked(remove, map)).toBe(true);
    expect([await isAsked(remove, chart), await isAsked(remove, { caller: 'extension' })]).toEqual([false, false]);
    const ofAll = approval.grants.find(({ app }) => app === undefined);
    if (ofAll !== undefined) await approval.revoke(ofAll);
    expect([await isAsked(remove, chart), await isAsked(remove, { caller: 'extension' })]).toEqual([false, true]);
  });

  it('is nothing after several refusals in a row: then nobody is asked', async () => {
    const { isAsked, answers, mutes } = setUp();
    answers(() => undefined);
    const declined = { code: 'declined', message: expect.stringContaining('was declined') };
    for (let count = 0; count < 3; count += 1) await expect(isAsked(remove, map)).rejects.toMatchObject(declined);
    expect(mutes.muted).toEqual([{ server: 'demo', what: 'calls' }]);
    await expect(isAsked(remove, map)).rejects.toMatchObject({
      message: expect.stringContaining('declined several such calls in a row'),
    });
  });
});
