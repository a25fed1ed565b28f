import type { Clock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';

/** Counts the time of one request until disposed. */
export interface RequestTimer extends Disposable {
  /** The other side showed that it is at work: silence counts from now. */
  restart(): void;
}

/** How long the other side may take for what it is asked. */
export interface Patience {
  /**
   * @param idleMs milliseconds of silence
   * @param onEnd told which limit ran out, in milliseconds
   */
  begin(idleMs: number, onEnd: (limitMs: number) => void): RequestTimer;
  /** Until disposed the other side waits for an answer of ours, and silence does not count. */
  suspend(): Disposable;
}

/** @param maximumMs milliseconds for one request altogether, whatever happens meanwhile */
export function createPatience(clock: Clock, maximumMs: number): Patience {
  let suspensions = 0;
  /** Starts silence anew for requests it ran out for while it did not count. */
  const overdue = new Set<() => void>();
  return {
    begin(idleMs, onEnd) {
      const startedAt = clock.now();
      let maximum: Disposable | undefined;
      // Most requests never need it: until silence is forgiven its limit alone is enough.
      const limit = (): void => {
        maximum ??= clock.after(Math.max(0, startedAt + maximumMs - clock.now()), () => onEnd(maximumMs));
      };
      const expire = (): void => {
        if (suspensions === 0) return onEnd(idleMs);
        overdue.add(restart);
        limit();
      };
      let idle = clock.after(idleMs, expire);
      const restart = (): void => {
        idle.dispose();
        idle = clock.after(idleMs, expire);
        limit();
      };
      return {
        restart,
        dispose() {
          overdue.delete(restart);
          idle.dispose();
          maximum?.dispose();
        },
      };
    },
    suspend() {
      suspensions += 1;
      return toDisposable(() => {
        suspensions -= 1;
        if (suspensions > 0) return;
        for (const restart of overdue) restart();
        overdue.clear();
      });
    },
  };
}
