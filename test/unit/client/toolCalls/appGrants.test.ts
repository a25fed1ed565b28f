import { describe, expect, it } from 'vitest';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { Mutes } from '../../../../src/client/mutes.ts';
import { ToolCallApproval } from '../../../../src/client/toolCalls/toolCallApproval.ts';
import type { CallAnswer, ProposedCall } from '../../../../src/client/toolCalls/ports.ts';
import { type GrantRequest, ToolGrants, type ToolGrant } from '../../../../src/client/toolCalls/toolGrants.ts';
import type { Tool } from '../../../../src/protocol/mcp/tools.ts';

const remove: Tool = { name: 'remove', inputSchema: { type: 'object' } };
const look: Tool = { name: 'look', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };

const ask = async (): Promise<undefined> => undefined;
const map = { caller: 'app', app: { uri: 'ui://weather/map', title: 'Map', ask } } as const;
const chart = { caller: 'app', app: { uri: 'ui://weather/chart', title: 'Map', ask } } as const;
const others = [{ caller: 'extension' }, { caller: 'command' }, { caller: 'form' }, { caller: 'again' }] as const;

/** A person who answers what a test sets; each call says whether the person was asked. */
function setUp() {
  let answer: CallAnswer | undefined = 'once';
  let questions = 0;
  const answerAll = async () => {
    questions += 1;
    return answer;
  };
  const mutes = new Mutes({ record: () => {} }, createNullLogger);
  const approval = new ToolCallApproval({ ask: answerAll }, mutes);
  const isAsked = async (tool: Tool, call: Partial<ProposedCall>): Promise<boolean> => {
    const before = questions;
    await approval.approve({
      server: 'demo',
      identity: 'one',
      name: tool.name,
      tool,
      sameNameCount: 1,
      args: {},
      caller: 'command',
      isSeen: false,
      unchecked: undefined,
      signal: undefined,
      ...call,
    });
    return questions > before;
  };
  /** Answers the next question only. */
  const answerOnce = async (next: CallAnswer, tool: Tool, call: Partial<ProposedCall>): Promise<void> => {
    answer = next;
    expect(await isAsked(tool, call)).toBe(true);
    answer = 'once';
  };
  /** Allows a call once, and then always, in the view of approvals. */
  const always = async (tool: Tool, call: Partial<ProposedCall>): Promise<void> => {
    await answerOnce('once', tool, call);
    const [latest] = approval.allowedOnce;
    if (latest !== undefined) approval.allowAlways(latest);
  };
  const refuseAll = (): void => void (answer = undefined);
  return { approval, isAsked, answerOnce, always, refuseAll, mutes };
}

describe('what is allowed to an app', () => {
  it('holds for that app, and for nobody else', async () => {
    const { approval, isAsked, always } = setUp();
    await always(remove, map);
    expect(approval.grants).toEqual([
      { server: 'demo', tool: 'remove', reach: 'everyone', app: 'ui://weather/map' },
    ] satisfies ToolGrant[]);
    expect(await isAsked(remove, map)).toBe(false);
    expect(await isAsked(remove, { ...map, app: { ...map.app, title: 'Renamed' } })).toBe(false);
    expect(await isAsked(remove, chart)).toBe(true);
    for (const other of others) expect(await isAsked(remove, other)).toBe(true);
  });

  it('is not what is allowed to others, or to the person', async () => {
    for (const caller of others) {
      for (const answer of ['tool', 'readOnly'] as const) {
        const { isAsked, answerOnce, always } = setUp();
        const isOwn = caller.caller === 'form' || caller.caller === 'again';
        await (isOwn ? answerOnce(answer, look, caller) : always(look, caller));
        expect(await isAsked(look, caller)).toBe(false);
        expect(await isAsked(look, map)).toBe(true);
      }
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
    expect(approval.grants).toEqual([]);
    expect(await isAsked(remove, map)).toBe(true);
    await always(remove, map);
    expect(await isAsked(remove, { ...map, identity: 'two' })).toBe(true);
    expect(await isAsked(remove, map)).toBe(true);
  });

  it('is taken back alone, and leaves what others may', async () => {
    const { approval, isAsked, always } = setUp();
    await always(remove, map);
    await always(remove, chart);
    await always(remove, { caller: 'extension' });
    const ofMap = approval.grants.filter(({ app }) => app === map.app.uri);
    expect(ofMap).toHaveLength(1);
    for (const grant of ofMap) approval.revoke(grant);
    expect(approval.grants.map(({ app }) => app)).toEqual([undefined, chart.app.uri]);
    expect(await isAsked(remove, map)).toBe(true);
    expect([await isAsked(remove, chart), await isAsked(remove, { caller: 'extension' })]).toEqual([false, false]);
    const [ofAll] = approval.grants;
    if (ofAll !== undefined) approval.revoke(ofAll);
    expect([await isAsked(remove, chart), await isAsked(remove, { caller: 'extension' })]).toEqual([false, true]);
  });

  it('is nothing after several refusals in a row: then nobody is asked', async () => {
    const { isAsked, refuseAll, mutes } = setUp();
    refuseAll();
    const declined = { code: 'declined', message: expect.stringContaining('was declined') };
    for (let count = 0; count < 3; count += 1) await expect(isAsked(remove, map)).rejects.toMatchObject(declined);
    expect(mutes.muted).toEqual([{ server: 'demo', what: 'calls' }]);
    await expect(isAsked(remove, map)).rejects.toMatchObject({
      message: expect.stringContaining('declined several such calls in a row'),
    });
  });
});

describe('the grants of a run', () => {
  const call: GrantRequest = { name: 'x', digest: 'd', claimsReadOnly: true, isUnchecked: false, caller: 'app' };

  it('tell whether there were any when the server stops, those of apps included', () => {
    const grants = new ToolGrants();
    grants.scope('demo', 'one', 'ui://a').find(call);
    expect(grants.end('demo')).toBe(false);
    grants.scope('demo', 'one', 'ui://a').grant('tool', call);
    expect(grants.end('demo')).toBe(true);
    expect(grants.all).toEqual([]);
  });

  it('tell in which way a call of an app is covered', () => {
    const grants = new ToolGrants();
    const run = grants.scope('demo', 'one', 'ui://a');
    run.grant('readOnly', call);
    expect(run.find(call)).toBe('always for tools called read-only');
    run.grant('tool', call);
    expect(run.find(call)).toBe('always for this tool');
    expect(grants.scope('demo', 'one', 'ui://A').find(call)).toBeUndefined();
  });
});
