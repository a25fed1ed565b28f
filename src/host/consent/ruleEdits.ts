import { formatCount } from '../../base/truncate.ts';
import type { RuleTerms } from '../../client/sampling/ports.ts';
import { ruleBounds, type SamplingRule } from '../../client/sampling/samplingRules.ts';
import { countOf } from '../platform/displayText.ts';
import { endOf } from './ruleText.ts';

/** The least and the most that may be entered. */
export interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** A term of a rule that a person can change. */
export interface EditableTerm {
  readonly id: 'requests' | 'tokens' | 'end' | 'review' | 'kept';
  readonly label: string;
  readonly value: string;
}

/** The terms with their present values. */
export function editableTerms(rule: SamplingRule, now: number): readonly EditableTerm[] {
  return [
    { id: 'requests', label: 'Requests an hour', value: formatCount(rule.requestsPerHour) },
    { id: 'tokens', label: 'Tokens an hour', value: formatCount(rule.tokensPerHour) },
    { id: 'end', label: 'Until', value: endOf(rule.expiresAt, now) },
    { id: 'review', label: 'Review of each answer', value: rule.reviewsAnswer ? 'by you' : 'none' },
    { id: 'kept', label: 'Kept', value: rule.isKept ? 'until it ends' : 'until the server stops' },
  ];
}

/** The other value of a term that has two. */
export function toggledTerm(rule: SamplingRule, id: 'review' | 'kept'): Partial<RuleTerms> {
  return id === 'review' ? { reviewsAnswer: !rule.reviewsAnswer } : { isKept: !rule.isKept };
}

/** A term that is entered as a number. */
export interface EnteredTerm {
  readonly title: string;
  readonly bounds: Bounds;
  /** The value that the input begins with. */
  readonly value: number;
  toTerms(value: number, now: number): Partial<RuleTerms>;
}

/** How a term is entered: a rule ends as many minutes from now. */
export function enteredTerm(rule: SamplingRule, id: 'requests' | 'tokens' | 'end', now: number): EnteredTerm {
  switch (id) {
    case 'requests':
      return {
        title: 'Requests an Hour',
        bounds: ruleBounds.requestsPerHour,
        value: rule.requestsPerHour,
        toTerms: (requestsPerHour) => ({ requestsPerHour }),
      };
    case 'tokens':
      return {
        title: 'Tokens an Hour, of Requests and Answers Together',
        bounds: ruleBounds.tokensPerHour,
        value: rule.tokensPerHour,
        toTerms: (tokensPerHour) => ({ tokensPerHour }),
      };
    case 'end':
      return {
        title: 'Minutes From Now Until It Ends',
        bounds: ruleBounds.minutes,
        value: Math.max(1, Math.round((rule.expiresAt - now) / 60_000)),
        toTerms: (minutes, time) => ({ expiresAt: time + minutes * 60_000 }),
      };
  }
}

/** @returns a whole number within the bounds, written with or without separators of thousands; `undefined` for all else */
export function readAmount(text: string, { minimum, maximum }: Bounds): number | undefined {
  const trimmed = text.trim();
  if (!/^(\d{1,12}|\d{1,3}([,\u00a0\u202f ]\d{3}){1,3})$/.test(trimmed)) return undefined;
  const value = Number(trimmed.replace(/\D/g, ''));
  return value >= minimum && value <= maximum ? value : undefined;
}

/** What {@link readAmount} takes, as a sentence. */
export function describeBounds({ minimum, maximum }: Bounds): string {
  return `A whole number from ${formatCount(minimum)} to ${formatCount(maximum)}`;
}

/** What no edit changes, in one line. */
export function describeFixed({ seen }: Pick<SamplingRule, 'seen'>): string {
  return `Text of at most ${countOf(seen.characters, 'character')}, ${countOf(seen.maxTokens, 'token')} asked for, the same system prompt`;
}
