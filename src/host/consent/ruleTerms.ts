import type { RuleTerms } from '../../client/sampling/ports.ts';
import type { RuleEnd, RuleOffer } from '../../shared/consentMessages.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** @param now milliseconds since the epoch */
export function toRuleTerms({ end, ...terms }: RuleOffer, now: number): RuleTerms {
  return { ...terms, expiresAt: timeOf(end, now) };
}

/** "end of today" is midnight in the person's time zone. */
function timeOf(end: RuleEnd, now: number): number {
  switch (end) {
    case '30 minutes':
      return now + 30 * minute;
    case '1 hour':
      return now + 60 * minute;
    case '4 hours':
      return now + 240 * minute;
    case 'end of today':
      return new Date(now).setHours(24, 0, 0, 0);
    case '7 days':
      return now + 7 * day;
    case '30 days':
      return now + 30 * day;
  }
}
