import type { Clock } from '../base/clock.ts';

/** Counts events by key; starts at zero in every minute of the clock. */
export interface MinuteCounter {
  /** Counts one event. @returns how many there were in this minute, this one included */
  increment(key: string): number;
  /** How many events there were in this minute. */
  count(key: string): number;
}

/** Creates a counter without events. */
export function createMinuteCounter(clock: Clock): MinuteCounter {
  return new ClockMinuteCounter(clock);
}

class ClockMinuteCounter implements MinuteCounter {
  readonly #clock: Clock;
  #minute = 0;
  /** Of that minute; absent while nothing was counted. */
  #counts: Map<string, number> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  count(key: string): number {
    return this.#minute === this.#now() ? (this.#counts?.get(key) ?? 0) : 0;
  }

  increment(key: string): number {
    const minute = this.#now();
    if (this.#counts === undefined || this.#minute !== minute) this.#counts = new Map();
    this.#minute = minute;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }

  /** The minute of the clock, since the Unix epoch. */
  #now(): number {
    return Math.floor(this.#clock.now() / 60_000);
  }
}
