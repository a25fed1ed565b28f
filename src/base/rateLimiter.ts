import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';

/** Allows a number of calls in each period, and counts those it suppresses. */
export class RateLimiter implements Disposable {
  readonly #clock: Clock;
  readonly #limit: { readonly count: number; readonly periodMs: number };
  readonly #onSuppressed: (count: number) => void;
  #calls = 0;
  #timer: Disposable | undefined;

  /** @param onSuppressed called at the end of each period in which calls were suppressed, with their number */
  constructor(clock: Clock, limit: { count: number; periodMs: number }, onSuppressed: (count: number) => void) {
    this.#clock = clock;
    this.#limit = limit;
    this.#onSuppressed = onSuppressed;
  }

  /** Calls `write` unless the limit of the current period is reached. */
  run(write: () => void): void {
    this.#timer ??= this.#clock.after(this.#limit.periodMs, () => this.#endPeriod());
    this.#calls += 1;
    if (this.#calls <= this.#limit.count) write();
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #endPeriod(): void {
    const suppressed = this.#calls - this.#limit.count;
    this.#timer = undefined;
    this.#calls = 0;
    if (suppressed > 0) this.#onSuppressed(suppressed);
  }
}
