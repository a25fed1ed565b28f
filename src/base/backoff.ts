export interface BackoffPolicy {
  readonly initialMs: number;
  readonly factor: number;
  readonly maximumMs: number;
  readonly limit: number;
  /** After at least this much uptime the next failure counts as the first. */
  readonly resetAfterMs: number;
}

/** Counts failures and computes the wait before the next attempt. */
export class Backoff {
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

  /** @returns milliseconds to wait, or `undefined` when the limit is reached */
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
