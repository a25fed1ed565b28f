import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { type AnswerEnd, createAnswerDocument } from '../../../../src/host/invocation/askModel.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

function setUp() {
  const clock = createManualClock();
  const written: string[] = [];
  const document = createAnswerDocument((text) => written.push(text), clock);
  document.begin('Model `One`');
  return { clock, written, document, last: () => written.at(-1) ?? '' };
}

const end: AnswerEnd = { text: 'answer', model: 'm', spent: undefined, isStopped: false, isCutOff: false };

describe('the document of an answer', () => {
  it('is updated at most ten times a second, however fast the model is', async () => {
    const { clock, written, document } = setUp();
    for (let piece = 0; piece < 1_000; piece += 1) {
      document.append('x');
      await clock.advance(1);
    }
    expect(written.length).toBeLessThanOrEqual(1 + 10);
    expect(written.at(-1)?.length).toBeGreaterThan(800);
  });

  it('has the whole answer at its end at once, and a footer', async () => {
    const { clock, document, last } = setUp();
    document.append('ans');
    document.end({ ...end, spent: { inputTokens: 1_234, outputTokens: 5, areEstimated: false, dollars: 0.01234 } });
    expect(last()).toBe('answer\n\n---\n\n_Model: `m` · 1,234 tokens sent, 5 received · $0.0123._\n');
    expect(clock.waiting).toBe(0);
  });

  it('says what is estimated', () => {
    const { document, last } = setUp();
    document.end({ ...end, spent: { inputTokens: 10, outputTokens: 5, areEstimated: true, dollars: undefined } });
    expect(last()).toContain('_Model: `m` · about 10 tokens sent, about 5 received._');
  });

  it('says that it was stopped, or cut off, or written by the person', () => {
    const { document, last } = setUp();
    document.end({ ...end, text: '', isStopped: true });
    expect(last()).toBe('_You stopped the model. Model: `m`._\n');
    document.end({ ...end, isCutOff: true });
    expect(last()).toContain('_Cut off, as it has as many tokens as you allowed. Model: `m`._');
    document.end({ ...end, model: undefined });
    expect(last()).toBe('answer\n\n---\n\n_Written by you._\n');
  });

  it('keeps what arrived before a failure, and starts over with the next try', async () => {
    const { clock, document, written, last } = setUp();
    document.append('half');
    document.fail('The connection\nended.');
    expect(last()).toBe('half\n\n---\n\n_The model did not answer: The connection ended._\n');
    document.begin('Other');
    document.append('new');
    await clock.advance(100);
    expect(written.slice(-2)).toEqual(['_`Other` is writing…_\n', 'new']);
  });

  it('has a maximum length while it streams, and at its end', async () => {
    const { clock, document, last } = setUp();
    const piece = 'x'.repeat(100_000);
    for (let count = 0; count < 20; count += 1) document.append(piece);
    await clock.advance(100);
    expect(last()).toHaveLength(limits.shown.result.characters);
    document.append(piece);
    expect(clock.waiting).toBe(0);
    document.end({ ...end, text: piece.repeat(20) });
    expect(last().length).toBeLessThan(limits.shown.result.characters + 200);
    expect(last()).toContain('_The rest is too long to be shown. Model: `m`._');
  });
});
