import type { Clock } from '../base/clock.ts';
import type { TransportLog } from './transport.ts';

/** A rate limiter (token bucket): allows a burst, then a steady rate, and counts what it rejects. */
export interface TokenBucket {
  /** Takes one token. @returns false when there is none: drop this item */
  admit(): boolean;
  /** The number of dropped items since the last call. */
  takeDropped(): number;
}

/** `burst`: size of the bucket; `perSecond`: tokens that are added each second. */
export interface TokenBucketLimits {
  readonly burst: number;
  readonly perSecond: number;
}

/** A full {@link TokenBucket}. */
export function createTokenBucket(clock: Clock, limits: TokenBucketLimits): TokenBucket {
  let allowance = limits.burst;
  let lastRefill = clock.now();
  let dropped = 0;
  return {
    admit() {
      const now = clock.now();
      // The clock may be set back; that must not reduce the allowance.
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

/** Passes log entries on with a rate limit. */
export interface RateLimitedLog {
  /** Logs an entry, after a note about the entries that were dropped before it; or drops it. */
  write(entry: TransportLog): void;
  /** Logs the note about dropped entries, if there are any. */
  end(): void;
}

/** @param describeDropped the text of the note about `count` dropped entries */
export function createRateLimitedLog(
  clock: Clock,
  limits: TokenBucketLimits,
  log: (entry: TransportLog) => void,
  describeDropped: (count: number) => string,
): RateLimitedLog {
  const bucket = createTokenBucket(clock, limits);
  function end(): void {
    const count = bucket.takeDropped();
    if (count > 0) log({ source: 'note', text: describeDropped(count) });
  }
  return {
    write(entry) {
      if (!bucket.admit()) return;
      end();
      log(entry);
    },
    end,
  };
}
