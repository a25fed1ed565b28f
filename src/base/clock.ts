import type { Disposable } from './disposable.ts';

/** Time and timers as a parameter, so that tests can control them. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Runs `callback` once after `milliseconds`; dispose to cancel. */
  after(milliseconds: number, callback: () => void, options?: TimerOptions): Disposable;
}

/** Options of {@link Clock.after}. */
export interface TimerOptions {
  /** The timer does not keep the process alive. */
  readonly isBackground?: boolean;
}

/** The longest delay of `setTimeout`, about 25 days. A longer one would fire at once. */
const maximumTimerMs = 2 ** 31 - 1;

/** The clock of the platform. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    after(milliseconds, callback, { isBackground = false } = {}) {
      const timer: unknown = setTimeout(callback, Math.min(milliseconds, maximumTimerMs));
      // Only timers of Node.js keep the process alive, and only those have `unref`.
      if (isBackground) (timer as { unref?: () => void }).unref?.();
      return { dispose: () => clearTimeout(timer as number) };
    },
  };
}

/** A clock that can be paused, so that timeouts do not include the time a person needs. */
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

/** @returns a clock whose `now` and timers exclude paused time */
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
