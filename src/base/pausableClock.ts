import type { Clock, TimerOptions } from './clock.ts';
import type { Disposable } from './disposable.ts';

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
