import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

/** Bounds how often something is done again, for each key by itself. */
export interface RefreshScheduler<Key> extends Disposable {
  /** Runs for `key` at once, or as soon as its interval has passed. Requests in between make one run. */
  request(key: Key): void;
}

/** @param intervalMs asked before each wait: the least time between two runs for that key */
export function createRefreshScheduler<Key>(
  clock: Clock,
  intervalMs: (key: Key) => number,
  run: (key: Key) => void,
): RefreshScheduler<Key> {
  const pending = new Map<Key, { isRequested: boolean; timer: Disposable }>();
  function runNow(key: Key): void {
    const timer = clock.after(intervalMs(key), () => {
      const entry = pending.get(key);
      pending.delete(key);
      if (entry?.isRequested === true) runNow(key);
    });
    pending.set(key, { isRequested: false, timer });
    run(key);
  }
  return {
    request(key) {
      const entry = pending.get(key);
      if (entry === undefined) runNow(key);
      else entry.isRequested = true;
    },
    dispose() {
      for (const { timer } of pending.values()) timer.dispose();
      pending.clear();
    },
  };
}
