import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import type { OwnAnswered } from '../../../../src/client/sampling/samplingHandler.ts';
import { AnswerTab } from '../../../../src/host/invocation/askModel.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

function setUp() {
  const clock = createManualClock();
  const written: string[] = [];
  const set = (_path: string, _id: string, text: string): never => written.push(text) as never;
  const document = new AnswerTab({ set, show: async () => {} }, 'it', '1', clock, () => {});
  document.begin('Model `One`');
  return { clock, written, document, last: () => written.at(-1) ?? '' };
}

const model = { name: 'm', price: { input: 10, output: 0 } };

function answered(text: string, more: object = {}, stopReason?: string): OwnAnswered {
  return { result: { content: [{ type: 'text', text }], stopReason }, model, ...more } as unknown as OwnAnswered;
}

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
    document.end(answered('answer', { spent: { inputTokens: 1_234, outputTokens: 5, areEstimated: false } }), false);
    expect(last()).toBe('answer\n\n---\n\n_Model: `m` · 1,234 tokens sent, 5 received · $0.0123._\n');
    expect(clock.waiting).toBe(0);
  });

  it('says what is estimated', () => {
    const { document, last } = setUp();
    const spent = { inputTokens: 10, outputTokens: 5, areEstimated: true };
    document.end(answered('answer', { model: { name: 'm' }, spent }), false);
    expect(last()).toContain('_Model: `m` · about 10 tokens sent, about 5 received._');
  });

  it('says that it was stopped, or cut off, or written by the person', () => {
    const { document, last } = setUp();
    document.end(answered(''), true);
    expect(last()).toBe('_You stopped the model. Model: `m`._\n');
    document.end(answered('answer', {}, 'maxTokens'), false);
    expect(last()).toContain('_Cut off at the token limit that you set. Model: `m`._');
    document.end(answered('answer', { model: undefined }), false);
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
    document.end(answered(piece.repeat(20)), false);
    expect(last().length).toBeLessThan(limits.shown.result.characters + 200);
    expect(last()).toContain('_The rest is too long to be shown. Model: `m`._');
  });
});
