import type { Disposable } from './disposable.ts';

/** Time and timers as a parameter, so that tests can control them. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Runs `callback` once after `milliseconds`; dispose to cancel. */
  after(milliseconds: number, callback: () => void, options?: TimerOptions): Disposable;
}

export interface TimerOptions {
  /** The timer does not keep the process alive. */
  readonly isBackground?: boolean;
}

/** The longest delay of `setTimeout`, about 25 days. A longer one would fire at once. */
const maximumTimerMs = 2 ** 31 - 1;

export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    after: (milliseconds, callback, options) => new PlatformTimer(milliseconds, callback, options),
  };
}

class PlatformTimer implements Disposable {
  readonly #timer: unknown;

  constructor(milliseconds: number, callback: () => void, { isBackground = false }: TimerOptions = {}) {
    this.#timer = setTimeout(callback, Math.min(milliseconds, maximumTimerMs));
    // Only timers of Node.js keep the process alive, and only those have `unref`.
    if (isBackground) (this.#timer as { unref?: () => void }).unref?.();
  }

  dispose(): void {
    clearTimeout(this.#timer as number);
  }
}

/** A clock that can be paused, so that timeouts do not include the time a person needs. */
export class PausableClock implements Clock {
  readonly #clock: Clock;
  readonly #timers = new Set<PausableTimer>();
  #pausedAt: number | undefined;
  #lost = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return (this.#pausedAt ?? this.#clock.now()) - this.#lost;
  }

  after(milliseconds: number, callback: () => void, options?: TimerOptions): Disposable {
    const timer = new PausableTimer(this.#timers, this.now() + milliseconds, callback, options);
    if (this.#pausedAt === undefined) timer.run(this.#clock, this.now());
    return timer;
  }

  pause(): void {
    if (this.#pausedAt !== undefined) return;
    this.#pausedAt = this.#clock.now();
    for (const timer of this.#timers) timer.stop();
  }

  resume(): void {
    if (this.#pausedAt === undefined) return;
    this.#lost += this.#clock.now() - this.#pausedAt;
    this.#pausedAt = undefined;
    for (const timer of this.#timers) timer.run(this.#clock, this.now());
  }
}

class PausableTimer implements Disposable {
  /** All timers of the clock; this one is in it until it ends. */
  readonly #all: Set<PausableTimer>;
  readonly #dueAt: number;
  readonly #callback: () => void;
  readonly #options: TimerOptions | undefined;
  #running: Disposable | undefined;

  constructor(all: Set<PausableTimer>, dueAt: number, callback: () => void, options: TimerOptions | undefined) {
    this.#all = all;
    this.#dueAt = dueAt;
    this.#callback = callback;
    this.#options = options;
    all.add(this);
  }

  /** @param now of the pausable clock */
  run(clock: Clock, now: number): void {
    this.#running = clock.after(Math.max(0, this.#dueAt - now), () => this.#end(), this.#options);
  }

  stop(): void {
    this.#running?.dispose();
  }

  dispose(): void {
    this.#all.delete(this);
    this.stop();
  }

  #end(): void {
    this.#all.delete(this);
    this.#callback();
  }
}
