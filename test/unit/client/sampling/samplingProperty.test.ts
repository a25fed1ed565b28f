import * as fc from 'fast-check';
import { describe, it } from 'vitest';
import { type Answer, runSequence, type SentRequest, type Step } from './samplingSequence.ts';
import { counterexamples } from './samplingCounterexamples.ts';
import { cases } from '../../../fixtures/cases.ts';

function usually<T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 7, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
}

const request: fc.Arbitrary<SentRequest> = fc.record({
  // The first of each is the usual one, so that a rule is met again and again.
  server: usually('a', 'b'),
  definition: usually('d1', 'd2'),
  length: usually(1, 2),
  maxTokens: usually(10, 20),
  extra: usually('none', 'prompt', 'image', 'tools', 'context', 'secret'),
});

const rule = fc.record({
  requestsPerHour: fc.integer({ min: 1, max: 3 }),
  tokensPerHour: usually(1_000, 20, 40),
  hours: fc.constantFrom(0.5, 3, 48),
  reviewsAnswer: fc.constant(false),
  isKept: fc.boolean(),
});

const answer: fc.Arbitrary<Answer> = fc.record({
  kind: usually('approve', 'decline', 'withhold'),
  rule: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: rule }),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant('requests'),
      requests: fc.oneof(
        fc.array(request, { minLength: 1, maxLength: 3 }),
        // The same at once: each must count.
        fc
          .tuple(request, fc.integer({ min: 1, max: 3 }))
          .map(([one, times]) => Array.from({ length: times }, () => one)),
      ),
      answer,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('time'), minutes: fc.constantFrom(10, 40, 70, 1_500, -40, -1_500) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('serverStops'), server: fc.constantFrom('a', 'b') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke') }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('budget'), dailyTokens: fc.constantFrom(80, 1_000_000, 1_000_000) }),
  },
);

describe('no sequence of requests, rules, clocks, definitions and restarts', () => {
  it('lets through what neither the person nor their rule allowed, or ends without one outcome and one entry', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), runSequence);
    await fc.assert(property, { numRuns: cases(20, 150) });
  }, 60_000);

  it.each(Object.entries(counterexamples))('breaks it: %s', async (_, steps) => {
    await runSequence(steps);
  });
});
