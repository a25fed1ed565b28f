import type { Clock } from '../base/clock.ts';

/** A token bucket: lets a burst through, then a trickle, and counts what it held back. */
export interface TokenBucket {
  /** @returns false when this one is to be dropped */
  admit(): boolean;
  /** How many were dropped since the last call. */
  takeDropped(): number;
}

export interface TokenBucketLimits {
  readonly burst: number;
  readonly perSecond: number;
}

export function createTokenBucket(clock: Clock, limits: TokenBucketLimits): TokenBucket {
  let allowance = limits.burst;
  let lastRefill = clock.now();
  let dropped = 0;
  return {
    admit() {
      const now = clock.now();
      // The clock may be set back; that must not take allowance away.
      const elapsedMs = Math.max(0, now - lastRefill);
      allowance = Math.min(limits.burst, allowance + (elapsedMs * limits.perSecond) / 1000);
      lastRefill = now;
      if (allowance < 1) {
        dropped += 1;
        return false;
      }
      allowance -= 1;
      return true;
    },
    takeDropped() {
      const count = dropped;
      dropped = 0;
      return count;
    },
  };
}
