import { describe, expect, it } from 'vitest';
import { createCompleter, SuggestionList } from '../../../../src/host/arguments/suggestions.ts';
import { readCompletion } from '../../../../src/protocol/mcp/completion.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';

interface Question {
  readonly value: string;
  readonly signal: AbortSignal;
  answer(values: readonly string[]): void;
  fail(error: unknown): void;
}

function setUp() {
  const clock = createManualClock();
  const questions: Question[] = [];
  const results: (readonly string[])[] = [];
  const busy: boolean[] = [];
  const errors: unknown[] = [];
  const completer = createCompleter(clock, {
    fetch: (value, signal) =>
      new Promise((resolve, reject) => {
        questions.push({ value, signal, answer: (values) => resolve({ values }), fail: reject });
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
    onResult: (_value, { values }) => results.push(values),
    onBusy: (isBusy) => busy.push(isBusy),
    onError: (error) => errors.push(error),
  });
  return { clock, questions, results, busy, errors, completer };
}

describe('completer', () => {
  it('asks once typing pauses for 150 ms [completion]', async () => {
    const { completer, clock, questions } = setUp();
    completer.request('p');
    await clock.advance(149);
    completer.request('pa');
    await clock.advance(149);
    expect(questions).toEqual([]);
    await clock.advance(1);
    expect(questions.map(({ value }) => value)).toEqual(['pa']);
  });

  it('cancels a question as soon as the text changes, and drops its answer', async () => {
    const { completer, clock, questions, results, busy, errors } = setUp();
    completer.request('p', 0);
    completer.request('pa');
    expect(questions[0]?.signal.aborted).toBe(true);
    questions[0]?.answer(['stale']);
    await settle();
    expect(results).toEqual([]);
    await clock.advance(150);
    questions[1]?.answer(['Paris']);
    await settle();
    expect(results).toEqual([['Paris']]);
    expect(busy).toEqual([true, true, false]);
    expect(errors).toEqual([]);
  });

  it('takes a failure for no values', async () => {
    const { completer, questions, results, errors, busy } = setUp();
    completer.request('p', 0);
    questions[0]?.fail(new Error('no'));
    await settle();
    expect(results).toEqual([[]]);
    expect(errors).toHaveLength(1);
    expect(busy.at(-1)).toBe(false);
  });

  it('bounds what a server sends [completion-bounds]', async () => {
    const { completer, questions, results } = setUp();
    completer.request('', 0);
    questions[0]?.answer(['x'.repeat(20_000), 'a', 'a', '0']);
    await settle();
    expect(results[0]).toEqual(['a', '0']);
    const many = Array.from({ length: 5_000 }, (_, index) => String(index));
    const read = readCompletion({ completion: { values: many, hasMore: false, total: -1 } });
    expect(read.values).toHaveLength(1_000);
    expect(read).toMatchObject({ hasMore: true });
    expect(new SuggestionList().take('', read)).toEqual({ values: many.slice(0, 100), hasMore: true });
  });

  it('is silent once disposed', async () => {
    const { completer, clock, questions, results } = setUp();
    completer.request('a', 0);
    completer.request('b');
    completer.dispose();
    await clock.advance(1_000);
    questions[0]?.answer(['late']);
    await settle();
    expect(questions).toHaveLength(1);
    expect(results).toEqual([]);
  });
});
