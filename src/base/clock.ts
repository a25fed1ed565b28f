import type { Disposable } from './disposable.ts';

/** Time as a parameter, so that tests decide how it passes. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Runs `callback` once after `milliseconds`; dispose to cancel. */
  after(milliseconds: number, callback: () => void, options?: TimerOptions): Disposable;
}

export interface TimerOptions {
  /** It is no reason for the process to stay. */
  readonly isBackground?: boolean;
}

/** What `setTimeout` can count to, about 25 days. Beyond that it would not wait at all. */
const longestTimer = 2 ** 31 - 1;

/** The real clock. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    after(milliseconds, callback, { isBackground = false } = {}) {
      const timer: unknown = setTimeout(callback, Math.min(milliseconds, longestTimer));
      // Only Node's timers keep anything alive.
      if (isBackground) (timer as { unref?: () => void }).unref?.();
      return { dispose: () => clearTimeout(timer as number) };
    },
  };
}
