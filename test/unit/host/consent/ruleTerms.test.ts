import { expect, it } from 'vitest';
import { toRuleTerms } from '../../../../src/host/consent/ruleTerms.ts';
import { ruleEnds } from '../../../../src/shared/consentMessages.ts';

const terms = { requestsPerHour: 1, tokensPerHour: 2, reviewsAnswer: true, isKept: false };
const now = new Date(2026, 2, 14, 15, 9, 26).getTime();

it('keeps the terms and adds the time', () => {
  expect(toRuleTerms({ ...terms, end: '1 hour' }, now)).toEqual({ ...terms, expiresAt: now + 3_600_000 });
});

it('ends a day at midnight of the person', () => {
  const { expiresAt } = toRuleTerms({ ...terms, end: 'end of today' }, now);
  expect(expiresAt).toBe(new Date(2026, 2, 15).getTime());
});

it('ends within 30 days in any case', () => {
  const ends = ruleEnds.map((end) => toRuleTerms({ ...terms, end }, now).expiresAt - now);
  expect(Math.min(...ends)).toBe(30 * 60_000);
  expect(Math.max(...ends)).toBe(30 * 24 * 3_600_000);
});
