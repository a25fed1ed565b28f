import type { ModelInfo } from '../../models/modelGateway.ts';
import type { ModelRequest, RequestFacts } from './modelRequest.ts';

/** Limits that apply to every request, with or without a rule. */
export interface SamplingLimits {
  readonly maximumTokens: number;
  /** Maximum characters in all messages, the system prompt, the tools and the metadata together. */
  readonly maximumCharacters: number;
  /** Maximum requests of one server that are open at the same time. */
  readonly maximumOpen: number;
  /** Maximum rounds of one conversation (2025-11-25, Client Features / Sampling, "Sampling with Tools": iteration limits). */
  readonly maximumRounds: number;
  /** Tokens of one day, of all servers, that rules may use; `undefined` for no budget. */
  readonly dailyTokens: number | undefined;
}

export const defaultSamplingLimits: SamplingLimits = {
  maximumTokens: 100_000,
  maximumCharacters: 20_000_000,
  maximumOpen: 20,
  maximumRounds: 25,
  dailyTokens: 1_000_000,
};

/** What a person allows without a question, in addition to what they have just seen: see `SamplingRule`. */
export interface RuleTerms {
  readonly requestsPerHour: number;
  /** Tokens within any hour, of requests and answers together. */
  readonly tokensPerHour: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The person reviews each answer before the server gets it. */
  readonly reviewsAnswer: boolean;
  /** It stays when the window reloads or closes, and when the server stops. */
  readonly isKept: boolean;
}

/**
 * Lets requests of one server through without a question. It covers requests like the one that the person saw when it was
 * made, and nothing wider: text alone, with the same system prompt and metadata, not longer, and asking for no more tokens.
 */
export interface SamplingRule extends RuleTerms {
  readonly id: string;
  readonly server: string;
  /** Digest of what was launched: the same label with another program or address is not covered. */
  readonly definition: string;
  readonly model: Pick<ModelInfo, 'id' | 'name' | 'family' | 'destination'>;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
  readonly seen: Pick<RequestFacts, 'maxTokens' | 'characters' | 'frame'>;
  /** What it let through within the last hour, the oldest first. */
  readonly uses: readonly RuleUse[];
}

/** True if both are one model at one address. */
export function isSameModel(one: SamplingRule['model'], other: SamplingRule['model']): boolean {
  return (['id', 'name', 'family', 'destination'] as const).every((part) => one[part] === other[part]);
}

export interface RuleUse {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What the request may take while it runs; then what it took. */
  readonly tokens: number;
}

export const rulePeriodMs = 3_600_000;

export type RuledRequest = Pick<ModelRequest, 'server' | 'definition' | 'facts' | 'marks'>;

/** The time that a rule goes by. A clock that was set back must neither prolong a rule nor free what was used. */
function ruleTime(rule: SamplingRule, now: number): number {
  return Math.max(now, rule.madeAt, rule.uses.at(-1)?.at ?? 0);
}

function recentUses(rule: SamplingRule, now: number): readonly RuleUse[] {
  const time = ruleTime(rule, now);
  return rule.uses.filter(({ at }) => at > time - rulePeriodMs);
}

/** What a rule still allows within the present hour. */
export function leftOf(rule: SamplingRule, now: number): { readonly requests: number; readonly tokens: number } {
  const uses = recentUses(rule, now);
  const tokens = uses.reduce((total, use) => total + use.tokens, 0);
  return {
    requests: Math.max(0, rule.requestsPerHour - uses.length),
    tokens: Math.max(0, rule.tokensPerHour - tokens),
  };
}

export function isAlive(rule: SamplingRule, now: number): boolean {
  return ruleTime(rule, now) < rule.expiresAt;
}

/** The most tokens that a request may take, which are reserved before it is sent. */
export function reservedTokens({ estimatedTokens, maxTokens }: RequestFacts): number {
  return estimatedTokens + maxTokens;
}

/** Why no rule can be made of a request, whatever the person edits, as a sentence; `undefined` if one can. */
export function noRuleReason({ facts, definition, isOwn }: Pick<ModelRequest, 'facts' | 'definition' | 'isOwn'>) {
  if (isOwn) return 'You asked this yourself: no rule is needed.';
  if (definition === undefined) return 'No rule covers what an app asks.';
  return facts.special === undefined ? undefined : `No rule covers such a request, as ${facts.special}.`;
}

/** @returns why a rule does not cover a request, as the end of a sentence; `undefined` if it does */
export function whyNotCovered(rule: SamplingRule, request: RuledRequest, now: number): string | undefined {
  const { facts } = request;
  const left = leftOf(rule, now);
  if (rule.server !== request.server || rule.definition !== request.definition)
    return 'it was made for another definition of this server';
  if (!isAlive(rule, now)) return 'it has expired';
  if (request.marks.length > 0) return 'this request contains what may be secret';
  if (facts.special !== undefined) return `no rule covers such a request, as ${facts.special}`;
  if (facts.frame !== rule.seen.frame) return 'this request has another system prompt or other metadata';
  if (facts.characters > rule.seen.characters) return 'this request is longer than the one it was made for';
  if (facts.maxTokens > rule.seen.maxTokens) return 'this request asks for more tokens than the one it was made for';
  if (left.requests < 1) return `its ${rule.requestsPerHour} requests of this hour are used up`;
  return reservedTokens(facts) > left.tokens ? `its ${rule.tokensPerHour} tokens of this hour are used up` : undefined;
}

/**
 * Takes one use from the rule with this id.
 * @returns the rules afterwards; `undefined` if the rule is gone or does not cover the request
 */
export function spendRule(
  rules: readonly SamplingRule[],
  id: string,
  request: RuledRequest,
  now: number,
): readonly SamplingRule[] | undefined {
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined || whyNotCovered(rule, request, now) !== undefined) return undefined;
  const use: RuleUse = { at: ruleTime(rule, now), tokens: reservedTokens(request.facts) };
  return rules.map((one) => (one === rule ? { ...rule, uses: [...recentUses(rule, now), use] } : one));
}

/** The request is over: what it took stands in the place of what was reserved. Never less than nothing. */
export function settleRule(
  rules: readonly SamplingRule[],
  id: string,
  reserved: number,
  taken: number,
): readonly SamplingRule[] {
  return rules.map((rule) => {
    const index = rule.id === id ? rule.uses.findLastIndex(({ tokens }) => tokens === reserved) : -1;
    const use = rule.uses[index];
    if (use === undefined) return rule;
    const tokens = Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, taken));
    return { ...rule, uses: rule.uses.with(index, { ...use, tokens }) };
  });
}
