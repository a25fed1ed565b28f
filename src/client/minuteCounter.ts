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
  const counts = new Map<string, { readonly minute: number; readonly count: number }>();
  const minuteNow = (): number => Math.floor(clock.now() / 60_000);
  function of(key: string): number {
    const last = counts.get(key);
    return last?.minute === minuteNow() ? last.count : 0;
  }
  return {
    count: of,
    increment(key) {
      const count = of(key) + 1;
      counts.set(key, { minute: minuteNow(), count });
      return count;
    },
  };
}
