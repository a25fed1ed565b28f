import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';

interface Waiting {
  isRequested: boolean;
  readonly timer: Disposable;
}

/** Makes few runs of many requests. Keys that are due in the same turn of the event loop share one run. */
export class Coalescer<Key = void> implements Disposable {
  readonly #clock: Clock;
  readonly #intervalMs: number | ((key: Key) => number);
  readonly #run: (keys: readonly Key[]) => void;
  // A coalescer at rest keeps no set and no map: each connection has one.
  #due: Set<Key> | undefined;
  #waiting: Map<Key, Waiting> | undefined;

  /** @param intervalMs the least time between two runs for a key; a function is asked before each wait */
  constructor(clock: Clock, intervalMs: number | ((key: Key) => number), run: (keys: readonly Key[]) => void) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#run = run;
  }

  /** True while the next request does not run at once. */
  isWaiting(key: Key): boolean {
    return this.#waiting?.has(key) === true;
  }

  /** Runs at the end of this turn, or as soon as the interval since the last run has passed. */
  request(key: Key): void {
    const waiting = this.#waiting?.get(key);
    if (waiting === undefined) this.#makeDue(key);
    else if (this.#due?.has(key) !== true) waiting.isRequested = true;
  }

  /** Runs when the interval has passed without another call of this. */
  postpone(key: Key): void {
    if (this.#due?.has(key) !== true) this.#wait(key, true);
  }

  dispose(): void {
    for (const { timer } of this.#waiting?.values() ?? []) timer.dispose();
    this.#waiting?.clear();
    this.#due?.clear();
  }

  #makeDue(key: Key): void {
    if (this.#due === undefined) {
      this.#due = new Set();
      queueMicrotask(() => this.#flush());
    }
    this.#due.add(key);
    this.#wait(key, false);
  }

  #flush(): void {
    const keys = [...(this.#due ?? [])];
    this.#due = undefined;
    if (keys.length > 0) this.#run(keys);
  }

  #wait(key: Key, isRequested: boolean): void {
    const waiting = (this.#waiting ??= new Map<Key, Waiting>());
    waiting.get(key)?.timer.dispose();
    const intervalMs = typeof this.#intervalMs === 'number' ? this.#intervalMs : this.#intervalMs(key);
    const timer = this.#clock.after(intervalMs, () => {
      const isDue = waiting.get(key)?.isRequested === true;
      waiting.delete(key);
      if (waiting.size === 0) this.#waiting = undefined;
      if (isDue) this.#makeDue(key);
    });
    waiting.set(key, { isRequested, timer });
  }
}
