import type { RuledRequest } from './samplingRules.ts';

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

/** Why no rule can be made of a request, as a sentence; `undefined` if one can. */
export function noRuleReason({ facts, definition, marks }: RuledRequest): string | undefined {
  if (definition === undefined) return 'You asked this yourself: no rule is needed.';
  if (facts.special !== undefined) return `No rule covers such a request, as ${facts.special}.`;
  return marks > 0 ? 'No rule covers a request that contains what may be secret.' : undefined;
}
