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
  return new CountingBackoff(policy, random);
}

class CountingBackoff implements Backoff {
  readonly #policy: BackoffPolicy;
  readonly #random: () => number;
  #attempts = 0;

  constructor(policy: BackoffPolicy, random: () => number) {
    this.#policy = policy;
    this.#random = random;
  }

  get attempts(): number {
    return this.#attempts;
  }

  next(upForMs: number): number | undefined {
    const { initialMs, factor, maximumMs, limit, resetAfterMs } = this.#policy;
    if (upForMs >= resetAfterMs) this.#attempts = 0;
    if (this.#attempts >= limit) return undefined;
    const full = Math.min(maximumMs, initialMs * factor ** this.#attempts);
    this.#attempts += 1;
    return Math.round(full * (0.5 + this.#random() / 2));
  }

  reset(): void {
    this.#attempts = 0;
  }
}
