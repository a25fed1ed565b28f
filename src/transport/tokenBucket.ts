import type { Clock } from '../base/clock.ts';
import type { TransportLog } from './transport.ts';

/** `burst`: size of the bucket; `perSecond`: tokens that are added each second. */
export interface TokenBucketLimits {
  readonly burst: number;
  readonly perSecond: number;
}

/** A rate limiter (token bucket): allows a burst, then a steady rate, and counts what it rejects. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #limits: TokenBucketLimits;
  #allowance: number;
  #lastRefill: number;
  #dropped = 0;

  constructor(clock: Clock, limits: TokenBucketLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#allowance = limits.burst;
    this.#lastRefill = clock.now();
  }

  /** Takes one token. @returns false when there is none: drop this item */
  admit(): boolean {
    const { burst, perSecond } = this.#limits;
    const now = this.#clock.now();
    // The clock may be set back; that must not reduce the allowance.
    const elapsedMs = Math.max(0, now - this.#lastRefill);
    this.#allowance = Math.min(burst, this.#allowance + (elapsedMs * perSecond) / 1000);
    this.#lastRefill = now;
    if (this.#allowance < 1) {
      this.#dropped += 1;
      return false;
    }
    this.#allowance -= 1;
    return true;
  }

  /** The number of dropped items since the last call. */
  takeDropped(): number {
    const count = this.#dropped;
    this.#dropped = 0;
    return count;
  }
}

/** Passes log entries on with a rate limit. */
export class RateLimitedLog {
  readonly #bucket: TokenBucket;
  readonly #log: (entry: TransportLog) => void;
  readonly #describeDropped: (count: number) => string;

  constructor(
    clock: Clock,
    limits: TokenBucketLimits,
    log: (entry: TransportLog) => void,
    describeDropped: (count: number) => string,
  ) {
    this.#bucket = new TokenBucket(clock, limits);
    this.#log = log;
    this.#describeDropped = describeDropped;
  }

  /** Logs an entry, after a note about the entries that were dropped before it; or drops it. */
  write(entry: TransportLog): void {
    if (!this.#bucket.admit()) return;
    this.end();
    this.#log(entry);
  }

  /** Logs the note about dropped entries, if there are any. */
  end(): void {
    const count = this.#bucket.takeDropped();
    if (count > 0) this.#log({ source: 'note', text: this.#describeDropped(count) });
  }
}
