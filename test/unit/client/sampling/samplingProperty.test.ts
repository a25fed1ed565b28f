import * as fc from 'fast-check';
import { describe, it } from 'vitest';
import { cases } from '../../../fixtures/cases.ts';
import { type Answer, runSequence, type SentRequest, type Step } from './samplingSequence.ts';

function usually<T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 7, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
}

const anyRequest: fc.Arbitrary<SentRequest> = fc.record({
  // The first of each is the usual one, so that a rule is met again and again.
  server: usually('a', 'b'),
  definition: usually('d1', 'd2'),
  length: usually(1, 2),
  maxTokens: usually(10, 20),
  extra: usually('none', 'prompt', 'image', 'tools', 'context', 'secret'),
});

const anyRule = fc.record({
  requestsPerHour: fc.integer({ min: 1, max: 3 }),
  tokensPerHour: usually(1_000, 20, 40),
  hours: fc.constantFrom(0.5, 3, 48),
  reviewsAnswer: fc.constant(false),
  isKept: fc.boolean(),
});

const anyAnswer: fc.Arbitrary<Answer> = fc.record({
  kind: usually('approve', 'decline', 'withhold'),
  rule: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: anyRule }),
});

const anyRequests = fc.oneof(
  fc.array(anyRequest, { minLength: 1, maxLength: 3 }),
  // The same at once: each must count.
  fc.tuple(anyRequest, fc.integer({ min: 1, max: 3 })).map(([one, times]) => Array.from({ length: times }, () => one)),
);

function weighed(weight: number, kind: Step['kind'], members: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}) {
  return {
    weight,
    arbitrary: fc.record({ kind: fc.constant(kind), ...members }) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>,
  };
}

const anyStep = fc.oneof(
  weighed(20, 'requests', { requests: anyRequests, answer: anyAnswer }),
  weighed(4, 'time', { minutes: fc.constantFrom(10, 40, 70, 1_500, -40, -1_500) }),
  weighed(2, 'restart'),
  weighed(1, 'serverStops', { server: fc.constantFrom('a', 'b') }),
  weighed(1, 'revoke'),
  weighed(1, 'budget', { dailyTokens: fc.constantFrom(80, 1_000_000, 1_000_000) }),
);

const request: SentRequest = { server: 'a', definition: 'd1', length: 1, maxTokens: 10, extra: 'none' };
const rule = { requestsPerHour: 1, tokensPerHour: 1_000, hours: 3, reviewsAnswer: false, isKept: false };
const approve: Answer = { kind: 'approve', rule: undefined };
const decline: Answer = { kind: 'decline', rule: undefined };

function send(requests: readonly SentRequest[], answer: Answer): Step {
  return { kind: 'requests', requests, answer };
}

function makeRule(terms: Partial<NonNullable<Answer['rule']>> = {}, kind: Answer['kind'] = 'approve'): Step {
  return send([request], { kind, rule: { ...rule, ...terms } });
}

function wait(minutes: number): Step {
  return { kind: 'time', minutes };
}

/**
 * Sequences that the property found, as small as they were made: each breaks a policy that lacks one of its conditions, which is
 * in the name.
 */
const counterexamples: Readonly<Record<string, readonly Step[]>> = {
  'a rule holds for one definition': [makeRule(), send([{ ...request, definition: 'd2' }], decline)],
  'a rule counts its requests': [makeRule(), send([request], decline), send([request], approve)],
  'two requests at once use a rule twice': [makeRule({ isKept: true }), send([request, request], decline)],
  'what a request took counts when it is over': [
    makeRule({ requestsPerHour: 9, tokensPerHour: 24 }),
    send([request], decline),
    send([request], decline),
    send([request], decline),
  ],
  'what requests may take counts while they run': [
    makeRule({ requestsPerHour: 9, tokensPerHour: 21 }),
    send([request, request], decline),
  ],
  'nothing longer than what was seen': [makeRule(), send([{ ...request, length: 2 }], decline)],
  'nothing with more tokens than were seen': [makeRule(), send([{ ...request, maxTokens: 20 }], decline)],
  'nothing that may be secret': [makeRule(), send([{ ...request, extra: 'secret' }], decline)],
  'a withheld answer makes no rule': [makeRule({}, 'withhold'), send([request], decline)],
  'a rule ends with the server': [makeRule(), { kind: 'serverStops', server: 'a' }, send([request], decline)],
  'a rule ends with the window': [makeRule(), { kind: 'restart' }, send([request], decline)],
  'a kept rule that was revoked does not come back': [
    makeRule({ isKept: true }),
    { kind: 'revoke' },
    { kind: 'restart' },
    send([request], decline),
  ],
  'a restart does not begin the hour again': [
    makeRule({ isKept: true }),
    send([request], decline),
    { kind: 'restart' },
    send([request], approve),
  ],
  'a clock that is set back does not free what was used': [
    makeRule({ requestsPerHour: 2, isKept: true }),
    wait(10),
    send([request], decline),
    { kind: 'restart' },
    wait(-40),
    send([request], decline),
    wait(65),
    send([request], approve),
  ],
  'a clock that is set back does not bring back a rule': [
    makeRule({ hours: 0.5 }),
    wait(40),
    send([{ ...request, server: 'b' }], approve),
    wait(-40),
    send([request], decline),
  ],
  'a clock that is set back does not begin the day again': [
    { kind: 'budget', dailyTokens: 30 },
    makeRule({ requestsPerHour: 9, hours: 48 }),
    send([request], decline),
    send([request], decline),
    wait(-1_500),
    send([request], decline),
  ],
  'the day has its limit for all servers': [
    makeRule({ requestsPerHour: 9 }),
    send([{ ...request, server: 'b' }], { kind: 'approve', rule: { ...rule, requestsPerHour: 9 } }),
    { kind: 'budget', dailyTokens: 34 },
    send([request], decline),
    send([{ ...request, server: 'b' }], decline),
  ],
};

describe('no sequence of requests, rules, clocks, definitions and restarts', () => {
  it('lets through what neither the person nor their rule allowed, or ends without one outcome and one entry', async () => {
    const property = fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 40, size: 'max' }), runSequence);
    await fc.assert(property, { numRuns: cases(20, 150) });
  }, 60_000);

  it.each(Object.entries(counterexamples))('breaks it: %s', async (_, steps) => {
    await runSequence(steps);
  });
});
