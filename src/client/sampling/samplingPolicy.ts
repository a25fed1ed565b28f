import type { SamplingRequest } from '../../protocol/mcp/sampling.ts';
import { countCharacters } from './modelRequest.ts';

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

/** Maximum messages and content blocks: a person could not review more, however short they are. */
const maximumParts = 10_000;

/** @returns why a request is refused without a question, as the end of a sentence; `undefined` if it is within the limits */
export function limitRefusal(request: SamplingRequest, open: number, limits: SamplingLimits): string | undefined {
  if (open >= limits.maximumOpen) return `more than ${limits.maximumOpen} requests of this server are waiting`;
  if (request.maxTokens > limits.maximumTokens) return `maxTokens is above the limit of ${limits.maximumTokens}`;
  if (countParts(request) > maximumParts) return 'there are too many messages';
  return countCharacters(request) > limits.maximumCharacters ? 'the messages are too large' : undefined;
}

function countParts({ messages }: SamplingRequest): number {
  return messages.reduce((count, { content }) => count + 1 + content.length, 0);
}
