import type { MessageLimits } from './limits.ts';

/** The limits around models, like those in `limits`: a start needs none of them, so they are loaded with what uses them. */
export const modelLimits = {
  /** A rule that lets requests for a model through: amounts within an hour, and `minutes` until its end. Bounds are inclusive. */
  rule: {
    requestsPerHour: { minimum: 1, maximum: 1_000 },
    tokensPerHour: { minimum: 1, maximum: 10_000_000 },
    minutes: { minimum: 1, maximum: 43_200 },
  },
  /**
   * One answer of a model. `bytes` of the response, `line` bytes of one line of its stream, `failure` bytes of an error;
   * `words` characters of a provider's message that are shown. Text beyond `charactersPerToken` for each token that was asked
   * for, and `spareCharacters`, is cut off. `toolCalls` of one answer; `metadata`: characters that a provider wants back with one
   * of them. `silence`: milliseconds without a byte. `stopSequences`: number and characters.
   */
  answer: {
    bytes: 64 * 1024 ** 2,
    line: 8 * 1024 ** 2,
    failure: 64 * 1024,
    words: 500,
    charactersPerToken: 64,
    spareCharacters: 4_096,
    toolCalls: 100,
    metadata: 256 * 1024,
    silence: 5 * 60_000,
    stopSequences: { count: 64, characters: 1_000 },
  },
  /** The list of a provider's models; `milliseconds` for each address of this machine that is asked for models. */
  list: {
    message: { bytes: 8 * 1024 ** 2, members: 500_000, depth: 64 } satisfies MessageLimits,
    models: 2_000,
    pages: 20,
    milliseconds: 1_500,
  },
} as const;
