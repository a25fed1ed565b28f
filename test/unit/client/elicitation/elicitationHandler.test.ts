import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import type { AuditEntry } from '../../../../src/client/auditLog.ts';
import { defaultElicitationLimits, ElicitationHandler } from '../../../../src/client/elicitation/elicitationHandler.ts';
import type { ElicitationContext } from '../../../../src/client/serverRequests/serverRequestHandlers.ts';
import type { ElicitationDecision, ElicitationReview } from '../../../../src/client/elicitation/ports.ts';
import { type ElicitRequest, readElicitRequest } from '../../../../src/protocol/mcp/elicitation.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';

const form = readElicitRequest({
  message: 'Who are you?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' }, password: { type: 'string' } } },
});
const visit = readElicitRequest({ mode: 'url', message: 'Sign in', url: 'https://example.com/in?state=s3cret' });
const accepted: ElicitationDecision = { kind: 'accept', content: { name: 'Ada', password: 'hunter2' } };

/** A user with a given decision; without one the question stays open until its visit is over. */
function setUp(decision?: ElicitationDecision) {
  const clock = createManualClock();
  const audit: AuditEntry[] = [];
  const reviews: ElicitationReview[] = [];
  const sessions: { isDisposed: boolean; isComplete: boolean; leave(how: 'done' | 'cancelled'): void }[] = [];
  const flow = new ElicitationHandler(
    {
      open(review) {
        let leave: (how: 'done' | 'cancelled') => void = () => {};
        let cancel = (): void => {};
        const undecided = new Promise<ElicitationDecision>((resolve) => (cancel = () => resolve({ kind: 'cancel' })));
        const left = new Promise<'done' | 'cancelled'>((resolve) => (leave = resolve));
        const session = { isDisposed: false, isComplete: false, leave };
        reviews.push(review);
        sessions.push(session);
        return {
          decision: decision === undefined ? undecided : Promise.resolve(decision),
          left,
          complete() {
            session.isComplete = true;
            cancel();
          },
          dispose: () => void (session.isDisposed = true),
        };
      },
    },
    { ...defaultElicitationLimits, maximumOpen: 2, maximumPerMinute: 3 },
    clock,
    { record: (entry) => audit.push(entry) },
  );
  const ask = (request: ElicitRequest, more: Partial<ElicitationContext> = {}) =>
    flow.handle(request, {
      server: 's',
      cause: 'tool t',
      signal: new AbortController().signal,
      completed: undefined,
      ...more,
    });
  return { ask, clock, audit, reviews, sessions };
}

describe('a question', () => {
  it('gets the answer of the person; what stands in it is on no record [elicit-shown]', async () => {
    const { ask, audit, reviews, sessions } = setUp(accepted);
    expect(await ask(form)).toEqual({ action: 'accept', content: { name: 'Ada', password: 'hunter2' } });
    expect(reviews).toMatchObject([
      {
        kind: 'form',
        server: 's',
        cause: 'tool t',
        message: 'Who are you?',
        schema: { properties: { name: {}, password: {} } },
      },
    ]);
    expect(audit).toEqual([
      {
        server: 's',
        action: 'elicitation',
        outcome: 'accepted',
        detail: { cause: 'tool t', mode: 'form', message: 'Who are you?', fields: 2, sent: 'name, password' },
      },
    ]);
    expect(sessions[0]?.isDisposed).toBe(true);
  });

  it.each([
    ['decline', 'declined'],
    ['cancel', 'cancelled'],
  ] as const)('may get a %s [elicit-actions]', async (kind, outcome) => {
    const { ask, audit } = setUp({ kind });
    expect(await ask(form)).toEqual({ action: kind });
    expect(audit[0]?.outcome).toBe(outcome);
  });

  it('about a visit is put with its address taken apart, and recorded without what identifies somebody', async () => {
    const { ask, audit, reviews } = setUp({ kind: 'accept', content: undefined });
    expect(await ask(visit)).toEqual({ action: 'accept' });
    expect(reviews[0]).toMatchObject({ kind: 'visit', address: { host: 'example.com' }, isRequired: false });
    expect(audit[0]?.detail).toMatchObject({ mode: 'url', address: 'https://example.com/in?…' });
  });

  it('about an address that must not be opened reaches nobody', async () => {
    const { ask, audit, reviews } = setUp(accepted);
    const wrong = readElicitRequest({ mode: 'url', message: 'm', url: 'file:///etc/passwd' });
    await expect(ask(wrong)).rejects.toMatchObject({ code: -32602 });
    expect(reviews).toEqual([]);
    expect(audit[0]).toMatchObject({ outcome: 'failed', detail: { reason: expect.stringContaining('https') } });
  });

  it('leaves the screen when the server takes it back', async () => {
    const controller = new AbortController();
    const { ask, sessions, audit } = setUp();
    const asked = ask(form, { signal: controller.signal });
    controller.abort(new CancelledError());
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    expect(sessions[0]?.isDisposed).toBe(true);
    expect(audit[0]?.outcome).toBe('cancelled');
  });

  it('hears when its visit is over, also after it was answered', async () => {
    let complete = (): void => {};
    const completed = new Promise<void>((resolve) => (complete = resolve));
    const { ask, sessions } = setUp({ kind: 'accept', content: undefined });
    await ask(visit, { completed });
    expect(sessions[0]?.isComplete).toBe(false);
    complete();
    await settle();
    expect(sessions[0]?.isComplete).toBe(true);
  });
});

describe('a person on a page', () => {
  const opened: ElicitationDecision = { kind: 'accept', content: undefined };

  it.each([
    ['done', []],
    ['cancelled', ['cancelled']],
  ] as const)('is waited for until they are %s [elicit-visit-patience] [elicit-visit-controls]', async (how, after) => {
    const { ask, sessions } = setUp(opened);
    const happened: string[] = [];
    const waitForPerson = () => ({ dispose: () => void happened.push('time goes on') });
    expect(await ask(visit, { waitForPerson, cancelCause: () => void happened.push('cancelled') })).toEqual({
      action: 'accept',
    });
    await settle();
    expect(happened).toEqual([]);
    sessions[0]?.leave(how);
    await settle();
    expect(happened).toEqual([...after, 'time goes on']);
  });

  it('is told when the server is gone', async () => {
    const { ask, sessions } = setUp(opened);
    const ended = new AbortController();
    await ask(visit, { ended: ended.signal });
    expect(sessions[0]?.isComplete).toBe(false);
    ended.abort();
    expect(sessions[0]?.isComplete).toBe(true);
  });
});

describe('what a person said', () => {
  it.each([
    [{ kind: 'accept', content: {} }, true],
    [{ kind: 'decline' }, false],
    [{ kind: 'cancel' }, false],
  ] as const)('is told: %j', async (decision, isApproved) => {
    const { ask } = setUp(decision);
    const told: boolean[] = [];
    await ask(form, { onDecision: (is) => told.push(is) });
    expect(told).toEqual([isApproved]);
  });

  it('is nothing where the server no longer needs it', async () => {
    const { ask } = setUp();
    const told: boolean[] = [];
    const answer = ask(visit, { completed: Promise.resolve(), onDecision: (is) => told.push(is) });
    expect(await answer).toEqual({ action: 'cancel' });
    expect(told).toEqual([]);
  });
});

describe('a server that asks too much', () => {
  it('is refused while too many questions of it are open', async () => {
    const { ask, reviews } = setUp();
    void ask(form);
    void ask(form);
    await expect(ask(form)).rejects.toMatchObject({ code: -32603, message: expect.stringContaining('waiting') });
    expect(reviews).toHaveLength(2);
  });

  it('is refused when it asks too often, until the minute is over, and does not fill the record', async () => {
    const { ask, audit, clock, reviews } = setUp({ kind: 'cancel' });
    for (let count = 0; count < 3; count += 1) await ask(form);
    for (let count = 0; count < 100; count += 1)
      await expect(ask(form)).rejects.toMatchObject({ message: expect.stringContaining('too often') });
    expect(reviews).toHaveLength(3);
    expect(audit).toHaveLength(23);
    await clock.advance(60_000);
    await ask(form);
    expect(reviews).toHaveLength(4);
  });
});
