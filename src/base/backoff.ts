/** How long to wait between tries, and how many there may be. */
export interface BackoffPolicy {
  readonly initialMs: number;
  readonly factor: number;
  readonly maximumMs: number;
  /** Tries after which to give up. */
  readonly limit: number;
  /** Staying up at least this long makes the next failure count as the first. */
  readonly resetAfterMs: number;
}

/** Counts failures and says how long to wait before the next try. */
export interface Backoff {
  /** @returns milliseconds to wait, or `undefined` when the limit is reached */
  next(upForMs: number): number | undefined;
  reset(): void;
  readonly attempts: number;
}

/** @param random a number in [0, 1): spreads tries over the upper half of each wait */
export function createBackoff(policy: BackoffPolicy, random: () => number): Backoff {
  let attempts = 0;
  return {
    get attempts() {
      return attempts;
    },
    next(upForMs) {
      if (upForMs >= policy.resetAfterMs) attempts = 0;
      if (attempts >= policy.limit) return undefined;
      const full = Math.min(policy.maximumMs, policy.initialMs * policy.factor ** attempts);
      attempts += 1;
      return Math.round(full * (0.5 + random() / 2));
    },
    reset() {
      attempts = 0;
    },
  };
}
