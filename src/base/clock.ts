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
const maximumTimerMs = 2 ** 31 - 1;

/** The real clock. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    after(milliseconds, callback, { isBackground = false } = {}) {
      const timer: unknown = setTimeout(callback, Math.min(milliseconds, maximumTimerMs));
      // Only Node's timers keep anything alive.
      if (isBackground) (timer as { unref?: () => void }).unref?.();
      return { dispose: () => clearTimeout(timer as number) };
    },
  };
}

/** A clock that can stand still, so that limits meant for machines do not count the time a person takes. */
export interface PausableClock extends Clock {
  pause(): void;
  resume(): void;
}

interface Timer {
  readonly dueAt: number;
  readonly callback: () => void;
  readonly options: TimerOptions | undefined;
  running: Disposable | undefined;
}

/** Its `now` leaves out the time it stood still. */
export function createPausableClock(clock: Clock): PausableClock {
  const timers = new Set<Timer>();
  let pausedAt: number | undefined;
  let lost = 0;
  const now = (): number => (pausedAt ?? clock.now()) - lost;
  const run = (timer: Timer): void => {
    const end = (): void => {
      timers.delete(timer);
      timer.callback();
    };
    timer.running = clock.after(Math.max(0, timer.dueAt - now()), end, timer.options);
  };
  return {
    now,
    after(milliseconds, callback, options) {
      const timer: Timer = { dueAt: now() + milliseconds, callback, options, running: undefined };
      timers.add(timer);
      if (pausedAt === undefined) run(timer);
      return {
        dispose() {
          timers.delete(timer);
          timer.running?.dispose();
        },
      };
    },
    pause() {
      if (pausedAt !== undefined) return;
      pausedAt = clock.now();
      for (const timer of timers) timer.running?.dispose();
    },
    resume() {
      if (pausedAt === undefined) return;
      lost += clock.now() - pausedAt;
      pausedAt = undefined;
      for (const timer of timers) run(timer);
    },
  };
}
