import type { RequestFacts } from './requestFacts.ts';
import type { RuledRequest, SamplingRule } from './samplingRules.ts';

/** Limits that apply to every request, with or without a rule. */
export interface SamplingLimits {
  /** Maximum tokens that a request may ask for. */
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

/** The limits unless settings change them. */
export const defaultSamplingLimits: SamplingLimits = {
  maximumTokens: 100_000,
  maximumCharacters: 20_000_000,
  maximumOpen: 20,
  maximumRounds: 25,
  dailyTokens: 1_000_000,
};

/** Maximum messages and content blocks: a person could not review more, however short they are. */
const maximumParts = 10_000;

/** What happens to a request; `reason` is the end of a sentence, `because` a sentence. */
export type Verdict =
  | { readonly kind: 'ask'; readonly because: string | undefined }
  | { readonly kind: 'allow'; readonly rule: SamplingRule }
  | { readonly kind: 'refuse'; readonly reason: string };

/** What {@link decideSampling} needs to know beside the request. */
export interface SamplingState {
  /** Requests of this server that are open. */
  readonly open: number;
  /** The round of the conversation, 1 for a new one. */
  readonly round: number;
  /** See `RuleBook.find`. */
  readonly found: { readonly rule: SamplingRule } | { readonly because: string } | undefined;
}

/** Decides whether a request is refused, allowed by a rule, or shown. Pure: the same input gives the same verdict. */
export function decideSampling(request: RuledRequest, state: SamplingState, limits: SamplingLimits): Verdict {
  const refusal = limitRefusal(request.facts, state, limits);
  if (refusal !== undefined) return { kind: 'refuse', reason: refusal };
  const { found } = state;
  if (found === undefined) return { kind: 'ask', because: undefined };
  if ('because' in found) return { kind: 'ask', because: `Your rule did not answer: ${found.because}.` };
  return { kind: 'allow', rule: found.rule };
}

/** @returns why a request is refused without a question, as the end of a sentence; `undefined` if it is within the limits */
export function limitRefusal(
  facts: Pick<RequestFacts, 'maxTokens' | 'parts' | 'characters'>,
  { open, round }: Pick<SamplingState, 'open' | 'round'>,
  limits: SamplingLimits,
): string | undefined {
  if (open >= limits.maximumOpen) return `more than ${limits.maximumOpen} requests of this server are waiting`;
  if (facts.maxTokens > limits.maximumTokens) return `maxTokens is above the limit of ${limits.maximumTokens}`;
  if (facts.parts > maximumParts) return 'there are too many messages';
  if (facts.characters > limits.maximumCharacters) return 'the messages are too large';
  return round > limits.maximumRounds ? `the conversation has more than ${limits.maximumRounds} rounds` : undefined;
}

/** Why no rule can be made of a request, as a sentence; `undefined` if one can. */
export function noRuleReason({ facts, definition, marks }: RuledRequest): string | undefined {
  if (definition === undefined) return 'You asked this yourself: no rule is needed.';
  if (facts.special !== undefined) return `No rule covers such a request, as ${facts.special}.`;
  return marks > 0 ? 'No rule covers a request that contains what may be secret.' : undefined;
}
