import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';

/** Allows a number of calls in each period, and counts those it suppresses. */
export interface RateLimiter extends Disposable {
  /** Calls `write` unless the limit of the current period is reached. */
  run(write: () => void): void;
}

/** At most `count` calls in `periodMs` milliseconds. */
export interface RateLimit {
  readonly count: number;
  readonly periodMs: number;
}

/** @param onSuppressed called at the end of each period in which calls were suppressed, with their number */
export function createRateLimiter(clock: Clock, limit: RateLimit, onSuppressed: (count: number) => void): RateLimiter {
  let passed = 0;
  let leftOut = 0;
  let timer: Disposable | undefined;

  function endPeriod(): void {
    const missed = leftOut;
    timer = undefined;
    passed = 0;
    leftOut = 0;
    if (missed > 0) onSuppressed(missed);
  }

  return {
    run(write) {
      timer ??= clock.after(limit.periodMs, endPeriod);
      if (passed >= limit.count) {
        leftOut += 1;
        return;
      }
      passed += 1;
      write();
    },
    dispose: () => timer?.dispose(),
  };
}
