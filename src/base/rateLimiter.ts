import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';

/** Lets so many through in each period, counts the rest. */
export interface RateLimiter extends Disposable {
  /** Runs `write` unless the period is used up. */
  run(write: () => void): void;
}

export interface RateLimit {
  readonly count: number;
  readonly periodMs: number;
}

/** @param onSuppressed called at the end of each period that had more, with how many were left out */
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
