import type { Answer, SentRequest, Step } from './samplingSequence.ts';

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
export const counterexamples: Readonly<Record<string, readonly Step[]>> = {
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
