import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import type { SamplingReview } from '../../../../src/client/sampling/ports.ts';
import { createSamplingQueue } from '../../../../src/host/consent/samplingQuestion.ts';
import { createOpenQuestions } from '../../../../src/host/consent/openQuestions.ts';
import type { SamplingResult } from '../../../../src/protocol/mcp/sampling.ts';
import type { ConsentToPanel } from '../../../../src/shared/consentMessages.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

const review: SamplingReview = {
  server: 'demo',
  cause: undefined,
  request: { messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }], maxTokens: 10 },
  models: [{ id: 'm', name: 'M', vendor: '', family: '', maxInputTokens: 1 }],
  suggestedModel: 'm',
  suggestedBecause: undefined,
};
const result: SamplingResult = { role: 'assistant', content: [{ type: 'text', text: 'hi' }], model: 'm' };
const edits = { messages: [['hello']], systemPrompt: '', maxTokens: 10 };

/** The extension's side of the panel; the test takes the place of the page. */
function setUp() {
  const clock = createManualClock();
  const panels: { posted: ConsentToPanel[]; message: Emitter<unknown>; close: Emitter<void>; isOpen: boolean }[] = [];
  const queue = createSamplingQueue({
    clock,
    questions: createOpenQuestions(),
    openSurface() {
      const panel = {
        posted: [] as ConsentToPanel[],
        message: new Emitter<unknown>(),
        close: new Emitter<void>(),
        isOpen: true,
      };
      panels.push(panel);
      return {
        post: (message) => panel.posted.push(message),
        reveal: () => {},
        onMessage: panel.message.event,
        onDidClose: panel.close.event,
        dispose: () => (panel.isOpen = false),
      };
    },
  });
  const panel = () => {
    const last = panels.at(-1);
    if (last === undefined) throw new Error('No panel was opened.');
    return last;
  };
  const say = (message: unknown): void => panel().message.fire(message);
  const approve = (id: number, more: object = {}): void => say({ type: 'approve', id, edits, model: 'm', ...more });
  return { queue, clock, panels, panel, say, approve };
}

describe('ConsentQueue', () => {
  it('says nothing to a page that has not loaded', () => {
    const { queue, panel, say } = setUp();
    queue.open(review);
    expect(panel().posted).toEqual([]);
    say({ type: 'ready' });
    expect(panel().posted).toMatchObject([{ type: 'show', id: 1 }]);
  });

  it.each([
    ['closing the panel', ({ panel }: ReturnType<typeof setUp>) => panel().close.fire()],
    [
      'a message that cannot be read',
      ({ say }: ReturnType<typeof setUp>) => say({ type: 'approve', id: 1, edits: 'all', model: 'm' }),
    ],
    ['no message at all', ({ say }: ReturnType<typeof setUp>) => say(undefined)],
    ['a model that was not offered', ({ approve }: ReturnType<typeof setUp>) => approve(1, { model: 'other' })],
    [
      'more tokens than asked for',
      ({ approve }: ReturnType<typeof setUp>) => approve(1, { edits: { ...edits, maxTokens: 11 } }),
    ],
    ['disposing the queue', ({ queue }: ReturnType<typeof setUp>) => queue.dispose()],
  ])('takes %s as a no that lasts', async (_name, refuse) => {
    const asking = setUp();
    const asked = asking.queue.open(review);
    const decision = asked.askRequest();
    asking.say({ type: 'ready' });
    refuse(asking);
    expect(await decision).toEqual({ kind: 'decline' });
    expect(asked.stopped.aborted).toBe(true);
    expect(await asked.askAnswer(result)).toEqual({ kind: 'withhold' });
  });

  it('withholds the answer when the panel closes during the review, or before it', async () => {
    const { queue, panel, say, approve } = setUp();
    const session = queue.open(review);
    const decision = session.askRequest();
    say({ type: 'ready' });
    approve(1);
    expect((await decision).kind).toBe('approve');
    const answer = session.askAnswer(result);
    panel().close.fire();
    expect(await answer).toEqual({ kind: 'withhold' });
    expect(await session.askRequest()).toEqual({ kind: 'decline' });
  });

  it('hears only what belongs to the request and its phase', async () => {
    const { queue, say, approve } = setUp();
    const session = queue.open(review);
    const decision = session.askRequest();
    say({ type: 'ready' });
    approve(7);
    say({ type: 'send', id: 1, text: 'too early' });
    say({ type: 'retry', id: 1 });
    approve(1);
    expect((await decision).kind).toBe('approve');
    approve(1);
    say({ type: 'answer', id: 1, text: 'too late' });
    const answer = session.askAnswer(result);
    say({ type: 'send', id: 1, text: 'edited' });
    say({ type: 'send', id: 1, text: 'again' });
    expect(await answer).toEqual({ kind: 'send', content: [{ type: 'text', text: 'edited' }] });
    expect(session.stopped.aborted).toBe(false);
  });

  it('keeps a decision taken between a failure and the next question', async () => {
    const { queue, say, approve } = setUp();
    const session = queue.open(review);
    const first = session.askRequest();
    say({ type: 'ready' });
    approve(1);
    await first;
    session.showFailure('overloaded');
    approve(1);
    expect((await session.askRequest()).kind).toBe('approve');
    session.showFailure('overloaded again');
    say({ type: 'answer', id: 1, text: 'mine' });
    expect(await session.askRequest()).toEqual({ kind: 'answer', text: 'mine' });
    expect(await session.askRequest()).toEqual({ kind: 'decline' });
  });

  it('draws a stream at most once an interval, and all of it', async () => {
    const { queue, clock, panel, say, approve } = setUp();
    const session = queue.open(review);
    const decision = session.askRequest();
    say({ type: 'ready' });
    approve(1);
    await decision;
    for (let length = 1; length <= 1_000; length += 1) session.showAnswer('x'.repeat(length));
    await clock.advance(50);
    expect(panel().posted.filter(({ type }) => type === 'answerText')).toEqual([
      { type: 'answerText', id: 1, text: 'x'.repeat(1_000) },
    ]);
    session.showAnswer('late');
    session.dispose();
    expect(clock.waiting).toBe(0);
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
