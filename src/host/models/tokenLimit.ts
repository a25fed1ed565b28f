/** Watches a growing text without counting its tokens at every step. */
export interface TokenLimit {
  isExceededBy(text: string): Promise<boolean>;
}

/** @param countTokens the model's own count, which may be slow */
export function createTokenLimit(maxTokens: number, countTokens: (text: string) => Promise<number>): TokenLimit {
  // A token is at least about one character: a text this short cannot be over the limit.
  let nextCheck = maxTokens;
  return {
    async isExceededBy(text) {
      if (text.length <= nextCheck) return false;
      const tokens = await countTokens(text);
      nextCheck = text.length + Math.max(0, maxTokens - tokens);
      return tokens > maxTokens;
    },
  };
}
