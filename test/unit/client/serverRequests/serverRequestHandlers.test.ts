import { describe, expect, it } from 'vitest';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { limits } from '../../../../src/base/limits.ts';
import type { AuditEntry } from '../../../../src/client/auditLog.ts';
import { Mutes } from '../../../../src/client/mutes.ts';
import {
  createServerRequestHandlers,
  type RequestContext,
} from '../../../../src/client/serverRequests/serverRequestHandlers.ts';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';
import { readElicitRequest } from '../../../../src/protocol/mcp/elicitation.ts';
import type { SamplingResult } from '../../../../src/protocol/mcp/sampling.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';

const form = readElicitRequest({ message: 'Who?', requestedSchema: { type: 'object', properties: {} } });
const sampling = { messages: [], maxTokens: 1 };
const sampled: SamplingResult = { role: 'assistant', content: [], model: 'm' };

/** Handlers whose user decides when the test says so, on the oldest open request first. */
function setUp(hasMutes = true) {
  const clock = createManualClock();
  const audit: AuditEntry[] = [];
  const record = { record: (entry: AuditEntry) => void audit.push(entry) };
  const mutes = new Mutes(record, createNullLogger);
  const open: ((isApproved: boolean) => void)[] = [];
  let asked = 0;
  const decide = (context: RequestContext): Promise<boolean> => {
    asked += 1;
    return new Promise((resolve, reject) => {
      context.signal.addEventListener('abort', () => reject(context.signal.reason as Error));
      open.push((isApproved) => {
        context.onDecision?.(isApproved);
        resolve(isApproved);
      });
    });
  };
  const gate = createServerRequestHandlers(
    { label: 's', definition: () => Promise.resolve('d'), cause: () => undefined },
    {
      async sampling(_request, context) {
        if (await decide(context)) return sampled;
        throw new JsonRpcError(-1, 'User rejected sampling request');
      },
      elicitation: async (_request, context) => ({ action: (await decide(context)) ? 'accept' : 'cancel' }),
      ...(hasMutes && { mutes }),
    },
    record,
    clock,
  );
  const context = {
    signal: new AbortController().signal,
    reportProgress: () => {},
    waitForPerson: () => ({ dispose: () => {} }),
  };
  const elicit = () => gate.handlers.elicit?.(form, context);
  const sample = () => gate.handlers.createMessage?.(sampling, context).catch((error: unknown) => error);
  const say = async (isApproved: boolean): Promise<void> => {
    open.shift()?.(isApproved);
    await settle();
  };
  return { elicit, sample, say, mutes, audit, clock, asked: () => asked };
}

describe('a server whose questions are refused', () => {
  it('is muted after several in a row, of either kind, and then reaches nobody', async () => {
    const { elicit, sample, say, mutes, audit, asked } = setUp();
    const changed: string[] = [];
    mutes.onDidChange((label) => changed.push(label));
    for (const ask of [elicit, sample, elicit]) {
      const answer = ask();
      await say(false);
      await answer;
    }
    expect(asked()).toBe(limits.questions.refusals);
    expect(changed).toEqual(['s']);
    expect(audit).toEqual([
      { server: 's', action: 'mute', outcome: 'muted', detail: { what: 'questions', refusals: 3 } },
    ]);
    for (let count = 0; count < 1_000; count += 1) {
      expect(await elicit()).toEqual({ action: 'decline' });
      expect(await sample()).toMatchObject({ code: -1 });
    }
    expect(asked()).toBe(3);
    // Further requests do not fill the record.
    expect(audit).toHaveLength(41);
    const detail = { reason: 'the server is muted' };
    expect(audit.at(-1)).toEqual({ server: 's', action: 'sampling', outcome: 'refused', detail });
  });

  it('is heard again when the person wants it', async () => {
    const { elicit, say, mutes, audit, asked } = setUp();
    for (let count = 0; count < 3; count += 1) {
      void elicit();
      await say(false);
    }
    mutes.unmute('s');
    expect(audit.at(-1)).toMatchObject({ action: 'mute', outcome: 'ended' });
    const answer = elicit();
    await say(true);
    expect(await answer).toEqual({ action: 'accept' });
    expect(asked()).toBe(4);
  });

  it('is not muted where one was approved in between', async () => {
    const { elicit, say, mutes } = setUp();
    for (const isApproved of [false, false, true, false, false]) {
      void elicit();
      await say(isApproved);
    }
    expect(mutes.isMuted('s')).toBe(false);
  });

  it('has what it asked before refused as well, once it is muted', async () => {
    const { elicit, sample, say, asked } = setUp();
    const refused = [elicit(), elicit(), elicit()];
    const waiting = [elicit(), sample()] as const;
    for (let count = 0; count < 3; count += 1) await say(false);
    for (const answer of refused) expect(await answer).toEqual({ action: 'cancel' });
    expect(await waiting[0]).toEqual({ action: 'decline' });
    expect(await waiting[1]).toMatchObject({ code: -1 });
    expect(asked()).toBe(5);
  });

  it('is heard for ever where it is no person who answers', async () => {
    const { elicit, say, asked } = setUp(false);
    for (let count = 0; count < 10; count += 1) {
      const answer = elicit();
      await say(false);
      expect(await answer).toEqual({ action: 'cancel' });
    }
    expect(asked()).toBe(10);
  });
});
