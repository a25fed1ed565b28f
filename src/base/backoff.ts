/** How long to wait between attempts, and how many attempts there are. */
export interface BackoffPolicy {
  readonly initialMs: number;
  readonly factor: number;
  readonly maximumMs: number;
  /** Number of attempts before giving up. */
  readonly limit: number;
  /** After at least this much uptime the next failure counts as the first. */
  readonly resetAfterMs: number;
}

/** Counts failures and computes the wait before the next attempt. */
export interface Backoff {
  /** @returns milliseconds to wait, or `undefined` when the limit is reached */
  next(upForMs: number): number | undefined;
  reset(): void;
  readonly attempts: number;
}

/** @param random returns a number in [0, 1), which adds jitter: a wait is between half and all of its full length */
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
