import { formatCount } from '../../base/truncate.ts';
import { leftOf, rulePeriodMs, type SamplingRule } from '../../client/sampling/samplingRules.ts';
import { countOf, singleLine, timeOf } from '../platform/displayText.ts';

/** @returns `demo → llama3.2`, in one line. The server and the model have named themselves: callers escape it where needed */
export function ruleTitle({ server, model }: Pick<SamplingRule, 'server' | 'model'>): string {
  return `${singleLine(server, 40)} → ${singleLine(model.name, 40)}`;
}

/** @returns `3 of 10` */
export function requestsOf(rule: SamplingRule, now: number): string {
  const used = rule.requestsPerHour - leftOf(rule, now).requests;
  return `${formatCount(used)} of ${formatCount(rule.requestsPerHour)}`;
}

/** @returns `3 of 10 requests, 1,200 of 20,000 tokens this hour, until 18:30` */
export function describeRule(rule: SamplingRule, now: number): string {
  const tokens = Math.ceil(rule.tokensPerHour - leftOf(rule, now).tokens);
  const ofTokens = `${formatCount(tokens)} of ${countOf(rule.tokensPerHour, 'token')}`;
  return `${requestsOf(rule, now)} requests, ${ofTokens} this hour, until ${endOf(rule.expiresAt, now)}`;
}

/** @returns the time alone, where it is today */
export function endOf(expiresAt: number, now: number): string {
  const end = new Date(expiresAt);
  if (end.toDateString() !== new Date(now).toDateString()) return timeOf(expiresAt);
  return end.toLocaleTimeString(undefined, { timeStyle: 'short' });
}

/** All terms of a rule, a line each, in plain text. */
export function ruleLines(rule: SamplingRule, now: number): readonly string[] {
  const { server, model, reviewsAnswer, isKept } = rule;
  return [
    `Requests of ${singleLine(server, 100)} go to ${singleLine(model.name, 100)} without a question.`,
    `Used: ${describeRule(rule, now)}`,
    `Goes to: ${model.destination === undefined ? 'a model of the editor' : singleLine(model.destination, 200)}`,
    reviewsAnswer
      ? 'You review each answer before the server gets it.'
      : 'The server gets each answer without a review.',
    isKept
      ? 'Kept: it stays when the window reloads or closes, and when the server stops.'
      : 'Not kept: it ends when the server stops, or the window reloads or closes.',
    `Made: ${timeOf(rule.madeAt)}`,
    ...seenLines(rule),
  ];
}

/** What no edit changes: what the person saw when they made the rule. */
function seenLines({ seen, definition }: Pick<SamplingRule, 'seen' | 'definition'>): readonly string[] {
  const length = countOf(seen.characters, 'character');
  return [
    `Only text with the same system prompt, of at most ${length}, that asks for at most ${countOf(seen.maxTokens, 'token')}, as in the request that you saw.`,
    `Only for the definition of the server that was launched: ${singleLine(definition.slice(0, 8))}`,
  ];
}

/** When what {@link describeRule} says changes by itself: a rule ends, or a use is more than an hour ago. */
export function nextChangeOf(rules: readonly SamplingRule[], now: number): number | undefined {
  const times = rules.flatMap(({ expiresAt, uses }) => [expiresAt, ...uses.map(({ at }) => at + rulePeriodMs)]);
  const next = Math.min(...times.filter((time) => time > now));
  return Number.isFinite(next) ? next : undefined;
}
