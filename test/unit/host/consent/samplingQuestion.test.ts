import { describe, expect, it } from 'vitest';
import type { SamplingReview } from '../../../../src/client/sampling/ports.ts';
import { createSamplingQueue } from '../../../../src/host/consent/samplingQuestion.ts';
import { createOpenQuestions } from '../../../../src/host/consent/openQuestions.ts';
import type { SecretMark } from '../../../../src/client/sampling/secretMarks.ts';
import type { ModelAnswer } from '../../../../src/models/modelGateway.ts';
import { type ConsentToPanel, ruleEndNames } from '../../../../src/shared/consentMessages.ts';
import { sampleReview, sentBy } from '../../../fixtures/samplingHost.ts';
import { createQuestionPanel } from './questionPanel.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

const review: SamplingReview = {
  ...sampleReview,
  request: { messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }], maxTokens: 10 },
  facts: { ...sampleReview.facts, estimatedTokens: 5 },
  models: [{ id: 'm', name: 'M', vendor: '', family: '', maxInputTokens: 1 }],
  suggestedModel: 'm',
};
const answer: ModelAnswer = {
  result: { role: 'assistant', content: [{ type: 'text', text: 'hi' }], model: 'm' },
  usage: { inputTokens: 5, outputTokens: undefined },
};
const edits = { messages: [['hello']], systemPrompt: '', maxTokens: 10 };

/** The extension's side of the panel; the test takes the place of the page. */
function setUp(addModel: () => Promise<void> = () => Promise.resolve()) {
  const clock = createManualClock();
  const { panels, panel, openPanel, say } = createQuestionPanel<ConsentToPanel>();
  const questions = createOpenQuestions();
  const estimateTokens = (text: string): number => text.length;
  const queue = createSamplingQueue({ clock, estimateTokens, addModel, questions, openPanel });
  const approve = (id: number, more: object = {}): void =>
    say({ type: 'approve', id, edits, model: 'm', remembersModel: false, masked: [], ...more });
  /** Opens a question, and its page. */
  const ask = (about = review) => {
    const session = queue.open(about);
    const decision = session.askRequest();
    say({ type: 'ready' });
    return { session, decision };
  };
  /** Opens a question whose request is approved. */
  const start = async () => {
    const { session, decision } = ask();
    approve(1);
    expect((await decision).kind).toBe('approve');
    return session;
  };
  /** Opens a question about an answer alone, as a rule let the request through. */
  const letThrough = (about = review) => {
    const session = queue.open(about);
    session.letThrough('m');
    return session;
  };
  return { queue, clock, panels, panel, say, approve, ask, start, letThrough };
}
type Asking = ReturnType<typeof setUp>;

describe('ConsentQueue', () => {
  it('says nothing to a page that has not loaded', () => {
    const { queue, panel, say } = setUp();
    queue.open(review);
    expect(panel().posted).toEqual([]);
    say({ type: 'ready' });
    expect(panel().posted).toMatchObject([{ type: 'show', id: 1 }]);
  });

  it.each([
    ['closing the panel', ({ panel }: Asking) => panel().close.fire()],
    ['a message that cannot be read', ({ say }: Asking) => say({ type: 'approve', id: 1, edits: 'all', model: 'm' })],
    ['no message at all', ({ say }: Asking) => say(undefined)],
    ['a mark that was not shown', ({ approve }: Asking) => approve(1, { masked: [0] })],
    ['a model that was not offered', ({ approve }: Asking) => approve(1, { model: 'other' })],
    ['disposing the queue', ({ queue }: Asking) => queue.dispose()],
  ])('takes %s as a no that lasts', async (_name, refuse) => {
    const asking = setUp();
    const { session, decision } = asking.ask();
    refuse(asking);
    expect(await decision).toEqual({ kind: 'decline' });
    expect(session.stopped.aborted).toBe(true);
    expect(await session.askAnswer(answer)).toEqual({ kind: 'withhold' });
  });

  it('withholds the answer when the panel closes during the review, or before it', async () => {
    const { panel, start } = setUp();
    const session = await start();
    const answered = session.askAnswer(answer);
    panel().close.fire();
    expect(await answered).toEqual({ kind: 'withhold' });
    expect(await session.askRequest()).toEqual({ kind: 'decline' });
  });

  it('hears only what belongs to the request and its phase', async () => {
    const { approve, say, ask } = setUp();
    const { session, decision } = ask();
    approve(7);
    say({ type: 'send', id: 1, text: 'too early' });
    say({ type: 'retry', id: 1 });
    approve(1);
    expect((await decision).kind).toBe('approve');
    approve(1);
    say({ type: 'answer', id: 1, text: 'too late' });
    const answered = session.askAnswer(answer);
    say({ type: 'send', id: 1, text: 'edited' });
    say({ type: 'send', id: 1, text: 'again' });
    expect(await answered).toEqual({ kind: 'send', content: [{ type: 'text', text: 'edited' }] });
    expect(session.stopped.aborted).toBe(false);
  });

  it('shows a failure with the request, and keeps a decision that comes before the next question', async () => {
    const { panel, approve, say, start } = setUp();
    const session = await start();
    const second = session.askRequest('overloaded');
    expect(panel().posted.at(-1)).toEqual({ type: 'failure', id: 1, message: 'overloaded' });
    approve(1);
    expect((await second).kind).toBe('approve');
    const answered = session.askAnswer(answer);
    say({ type: 'retry', id: 1 });
    say({ type: 'answer', id: 1, text: 'mine' });
    expect(await answered).toEqual({ kind: 'retry' });
    expect(await session.askRequest()).toEqual({ kind: 'answer', text: 'mine' });
    expect(await session.askRequest()).toEqual({ kind: 'decline' });
  });

  it('draws a stream at most once an interval, and all of it', async () => {
    const { clock, panel, start } = setUp();
    const session = await start();
    for (let length = 1; length <= 1_000; length += 1) session.showAnswer('x'.repeat(length));
    await clock.advance(50);
    expect(panel().posted.filter(({ type }) => type === 'answerText')).toEqual([
      { type: 'answerText', id: 1, text: 'x'.repeat(1_000) },
    ]);
    session.showAnswer('late');
    session.dispose();
    expect(clock.waiting).toBe(0);
  });

  it('draws a long stream less often, as each message has all of it', async () => {
    const { clock, panel, start } = setUp();
    const session = await start();
    const drawn = () => panel().posted.filter(({ type }) => type === 'answerText').length;
    session.showAnswer('x'.repeat(1_000_000));
    await clock.advance(549);
    expect(drawn()).toBe(0);
    await clock.advance(1);
    expect(drawn()).toBe(1);
    session.dispose();
  });

  it('opens one panel for all, closes it with the last, and opens a fresh one after it was closed', async () => {
    const { queue, panels, panel, say } = setUp();
    const sessions = [queue.open(review), queue.open(review), queue.open(review)];
    const decisions = sessions.map((session) => session.askRequest());
    say({ type: 'ready' });
    expect(panel().posted).toMatchObject([{ type: 'show', id: 1, view: { waiting: 2 } }]);
    say({ type: 'decline', id: 1 });
    expect(panel().posted.at(-1)).toMatchObject({ type: 'show', id: 2, view: { waiting: 1 } });
    expect(panels).toHaveLength(1);
    panel().close.fire();
    expect(panels).toHaveLength(2);
    say({ type: 'ready' });
    say({ type: 'decline', id: 3 });
    expect(await Promise.all(decisions)).toEqual([{ kind: 'decline' }, { kind: 'decline' }, { kind: 'decline' }]);
    expect(panel().isOpen).toBe(false);
  });

  it('lays a request out once, however often it is shown', async () => {
    let reads = 0;
    const message = { role: 'user', content: [{ type: 'text', text: 'hello' }] } as const;
    const request = {
      maxTokens: 10,
      messages: [message],
      // Read when it is laid out, to count its characters and its members, and to be shown.
      get metadata() {
        reads += 1;
        return { a: 1 };
      },
    };
    const { queue, say, approve } = setUp();
    const decision = queue
      .open({
        ...review,
        get request() {
          return request;
        },
      })
      .askRequest();
    say({ type: 'ready' });
    const first = reads;
    say({ type: 'ready' });
    expect(reads).toBe(first);
    approve(1);
    expect((await decision).kind).toBe('approve');
    expect(reads).toBe(first);
  });

  it('tells how many wait', () => {
    const { queue, panel, say } = setUp();
    queue.open(review);
    say({ type: 'ready' });
    queue.open(review);
    expect(panel().posted.at(-1)).toEqual({ type: 'waiting', id: 1, count: 1 });
  });

  it('declines what comes after the end', async () => {
    const { queue, panels } = setUp();
    queue.dispose();
    expect(await queue.open(review).askRequest()).toEqual({ kind: 'decline' });
    expect(panels).toEqual([]);
  });
});

describe('what the person masks', () => {
  const secret = 'sk-4f8Zq2LmX9';
  const mark = (value: string): SecretMark => ({
    kind: 'keyFormat',
    what: 'a key',
    value,
    places: ['message 1'],
    isMaskable: true,
  });
  const text = `the key is ${secret}`;
  const marked: SamplingReview = {
    ...review,
    marks: [mark(secret), mark('hidden-from-no-one')],
    request: {
      maxTokens: 10,
      messages: [
        { role: 'user', content: [{ type: 'text', text }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'run', input: { key: secret } }] },
      ],
      metadata: { key: secret },
      tools: [{ name: 'run', description: text, inputSchema: { type: 'object', default: secret } }],
    },
  };
  const unedited = { messages: [[text], [null]], systemPrompt: '', maxTokens: 10 };

  it('is masked in every part of the request, also in what the person wrote', async () => {
    const { approve, ask } = setUp();
    const { decision } = ask(marked);
    approve(1, { masked: [0], edits: { ...unedited, systemPrompt: `use ${secret}` } });
    const sent = await sentBy(decision, marked.request);
    expect(sent).toMatchObject({
      masked: 1,
      request: { systemPrompt: 'use [masked: a key]', metadata: { key: '[masked: a key]' } },
    });
    expect(JSON.stringify(sent)).not.toContain(secret);
  });

  it('is nothing by itself', async () => {
    const { approve, ask } = setUp();
    const { decision } = ask(marked);
    approve(1, { edits: unedited });
    expect(await sentBy(decision, marked.request)).toEqual({ masked: 0, request: marked.request });
  });

  it('is found with the line breaks of a text field', async () => {
    const lines = 'BEGIN KEY\r\nabcdef\r\nEND KEY';
    const { ask, approve } = setUp();
    const message = { role: 'user', content: [{ type: 'text', text: lines }] } as const;
    const request = { maxTokens: 10, messages: [message] };
    const { decision } = ask({ ...review, marks: [mark(lines)], request });
    approve(1, { masked: [0], edits: { ...edits, messages: [[`${lines.replaceAll('\r', '')}!`]] } });
    expect(await sentBy(decision, request)).toMatchObject({
      request: { messages: [{ content: [{ text: '[masked: a key]!' }] }] },
    });
  });
});

describe('an approval', () => {
  it('makes a rule that ends at the time the extension computes', async () => {
    const { clock, approve, ask } = setUp();
    const { decision } = ask();
    const rule = { requestsPerHour: 3, tokensPerHour: 50, end: '4 hours', reviewsAnswer: false, isKept: true };
    approve(1, { rule, remembersModel: true });
    expect(await decision).toEqual({
      kind: 'approve',
      edits: { ...edits, masked: [] },
      model: 'm',
      remembersModel: true,
      rule: {
        requestsPerHour: 3,
        tokensPerHour: 50,
        reviewsAnswer: false,
        isKept: true,
        expiresAt: clock.now() + 4 * 3_600_000,
      },
    });
  });
});

it('makes rules that end at midnight of the person, and within 30 days in any case', async () => {
  const expires = async (end: string): Promise<number> => {
    const { clock, approve, ask } = setUp();
    const { decision } = ask();
    approve(1, { rule: { requestsPerHour: 1, tokensPerHour: 50, end, reviewsAnswer: true, isKept: false } });
    const decided = await decision;
    return ((decided.kind === 'approve' && decided.rule?.expiresAt) || 0) - clock.now();
  };
  const ends = await Promise.all(ruleEndNames.filter((end) => end !== 'end of today').map(expires));
  expect([Math.min(...ends), Math.max(...ends)]).toEqual([30 * 60_000, 30 * 24 * 3_600_000]);
  const now = createManualClock().now();
  expect(await expires('end of today')).toBe(new Date(now).setHours(24, 0, 0, 0) - now);
});

describe('a request that a rule let through', () => {
  it('shows the model that answers, then its answer, and needs no approval', async () => {
    const { panel, say, approve, letThrough } = setUp();
    const session = letThrough({ ...review, askedBecause: 'Your rule sent it.' });
    session.showAnswer('h');
    say({ type: 'ready' });
    expect(panel().posted).toMatchObject([
      { type: 'show', view: { askedBecause: 'Your rule sent it.' } },
      { type: 'running', id: 1, modelName: 'M' },
      { type: 'answerText', id: 1, text: 'h' },
    ]);
    approve(1);
    const answered = session.askAnswer(answer);
    expect(panel().posted.at(-1)).toMatchObject({ type: 'reviewAnswer', usage: 'about 5 tokens in, 2 out' });
    say({ type: 'send', id: 1, text: 'hi' });
    expect(await answered).toEqual({ kind: 'send', content: answer.result.content });
  });

  it('is for the person again after they asked for another answer', async () => {
    const { say, approve, letThrough } = setUp();
    const session = letThrough();
    say({ type: 'ready' });
    const answered = session.askAnswer(answer);
    say({ type: 'retry', id: 1 });
    expect(await answered).toEqual({ kind: 'retry' });
    const decision = session.askRequest();
    approve(1);
    expect(await decision).toMatchObject({ kind: 'approve', model: 'm' });
  });

  it('ends when the panel closes', async () => {
    const { panel, say, letThrough } = setUp();
    const session = letThrough();
    say({ type: 'ready' });
    panel().close.fire();
    expect(session.stopped.aborted).toBe(true);
    expect(await session.askAnswer(answer)).toEqual({ kind: 'withhold' });
  });
});

describe('adding a model', () => {
  const { models, suggestedModel, suggestedBecause } = review;
  const without: SamplingReview = { ...review, models: [], suggestedModel: undefined };
  const refreshModels = () => Promise.resolve({ models, suggestedModel, suggestedBecause });

  it('offers it in the open question, also after the page was loaded again', async () => {
    const asked: (() => void)[] = [];
    const { panel, say, approve, ask } = setUp(() => new Promise((resolve) => asked.push(resolve)));
    const { decision } = ask({ ...without, refreshModels });
    say({ type: 'addModel', id: 1 });
    say({ type: 'addModel', id: 1 });
    expect(asked).toHaveLength(1);
    asked[0]?.();
    await expect
      .poll(() => panel().posted.at(-1))
      .toMatchObject({
        type: 'models',
        id: 1,
        models: { models: [{ id: 'm' }], suggestedModel: 'm' },
      });
    say({ type: 'ready' });
    expect(panel().posted.at(-1)).toMatchObject({ type: 'show', view: { models: [{ id: 'm' }] } });
    approve(1);
    expect(await decision).toMatchObject({ kind: 'approve', model: 'm' });
  });

  it('leaves the question open where it fails', async () => {
    let asked = 0;
    const { panel, say, ask } = setUp(() => {
      asked += 1;
      return Promise.reject(new Error('no'));
    });
    const { decision } = ask({ ...without, refreshModels });
    say({ type: 'addModel', id: 1 });
    await expect.poll(() => (say({ type: 'addModel', id: 1 }), asked)).toBeGreaterThan(1);
    expect(panel().posted).toHaveLength(1);
    say({ type: 'answer', id: 1, text: 'mine' });
    expect(await decision).toEqual({ kind: 'answer', text: 'mine' });
  });
});
