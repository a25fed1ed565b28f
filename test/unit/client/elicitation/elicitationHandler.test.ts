import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import type { AuditEntry } from '../../../../src/client/auditLog.ts';
import { checkAnswer } from '../../../../src/client/elicitation/answerCheck.ts';
import { defaultElicitationLimits, ElicitationHandler } from '../../../../src/client/elicitation/elicitationHandler.ts';
import type { ElicitationDecision, ElicitationReview } from '../../../../src/client/elicitation/ports.ts';
import type { ElicitationContext } from '../../../../src/client/serverRequests/serverRequestHandlers.ts';
import { type ElicitRequest, readElicitRequest } from '../../../../src/protocol/mcp/elicitation.ts';
import { readFlatForm } from '../../../../src/schema/flatForm.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { problem } from '../../../fixtures/problem.ts';
import { createLocalValidator } from '../../../fixtures/schemaChecker.ts';

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
  const ask = (request: ElicitRequest, more: Partial<ElicitationContext> = {}) => {
    const { signal } = new AbortController();
    return flow.handle(request, { server: 's', cause: 'tool t', signal, completed: undefined, ...more });
  };
  return { ask, clock, audit, reviews, sessions };
}

describe('a question', () => {
  it('gets the answer of the person; what stands in it is on no record [elicit-shown]', async () => {
    const { ask, audit, reviews, sessions } = setUp(accepted);
    expect(await ask(form)).toEqual({ action: 'accept', content: { name: 'Ada', password: 'hunter2' } });
    const asked = { server: 's', cause: 'tool t', message: 'Who are you?' };
    expect(reviews).toMatchObject([{ ...asked, kind: 'form', schema: { properties: { name: {}, password: {} } } }]);
    const detail = { cause: 'tool t', mode: 'form', message: 'Who are you?', fields: 2, sent: 'name, password' };
    expect(audit).toEqual([{ server: 's', action: 'elicitation', outcome: 'accepted', detail }]);
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
    await expect(ask(form)).rejects.toEqual(problem(-32603, 'waiting'));
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

const asked = readFlatForm({
  properties: {
    code: { type: 'string', pattern: '^[0-9]+$' },
    count: { type: 'integer', maximum: 3 },
    codes: { type: 'array', items: { type: 'string', pattern: '^[0-9]+$' } },
    id: { type: 'integer' },
    size: { type: 'number', minimum: 1 },
    at: { type: 'string', format: 'date-time' },
    link: { type: 'string', format: 'uri' },
    mail: { type: 'string', format: 'email' },
    unreadable: { type: 'string', pattern: '(' },
  },
  required: ['count'],
});

describe('checkAnswer', () => {
  it('finds what is wrong with each value, and where', async () => {
    const content = { code: 'x', count: 4, codes: ['1', 'x'], mail: 'a@b..c', unreadable: 'x' };
    const findings = await checkAnswer(createLocalValidator(), 'demo', asked, content);
    const checked = findings.filter(({ value }) => value !== undefined);
    expect(checked.map(({ name, value, problems }) => [name, value, problems.map(({ path }) => path)])).toEqual([
      ['code', 'x', [['code']]],
      ['count', 4, [['count']]],
      ['codes', ['1', 'x'], [['codes', '1']]],
      ['mail', 'a@b..c', [['mail']]],
      ['unreadable', 'x', []],
    ]);
    expect(findings[1]?.problems[0]?.message).toBe('must be at most 3');
  });

  it('misses what is required only', async () => {
    const findings = await checkAnswer(createLocalValidator(), 'demo', asked, {});
    expect(findings.flatMap(({ problems }) => problems)).toEqual([{ path: ['count'], message: 'is required' }]);
  });

  it.each(['first.last+tag@sub.example.com', 'jürgen@example.org', 'ada@localhost'])(
    'takes the address %s',
    async (mail) => {
      const findings = await checkAnswer(createLocalValidator(), 'demo', asked, { count: 1, mail });
      expect(findings.flatMap(({ problems }) => problems)).toEqual([]);
    },
  );

  it.each([
    [{ id: 2 ** 53 }, 'id', 'must be a whole number'],
    [{ count: 2 ** 53 }, 'count', 'must be a whole number of at most 3'],
    [{ size: Number.NaN }, 'size', 'must be a number of at least 1'],
    [{ size: Infinity }, 'size', 'must be a number of at least 1'],
    [{ at: '2026-03-14 09:30:00Z' }, 'at', 'must be a valid date-time'],
    [{ at: '2026-03-14T09:30:00+09' }, 'at', 'must be a valid date-time'],
    [{ link: 'http://h:99999/' }, 'link', 'must be a valid uri'],
  ])('refuses %s', async (content, name, message) => {
    const findings = await checkAnswer(createLocalValidator(), 'demo', asked, { count: 1, ...content });
    expect(findings.flatMap(({ problems }) => problems)).toEqual([{ path: [name], message }]);
  });

  it('says what was not checked, and does not let pass what is certainly wrong', async () => {
    const validator = createLocalValidator();
    validator.dispose();
    const findings = await checkAnswer(validator, 'demo', asked, { code: 'x', count: 4 });
    const note = 'Not checked: Patchbay is closing.';
    expect(findings.slice(0, 2)).toMatchObject([
      { name: 'code', problems: [], note },
      { name: 'count', problems: [{ path: ['count'] }], note },
    ]);
  });
});
