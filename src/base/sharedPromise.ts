import { linkAbort, raceAbort } from './abort.ts';
import { CancelledError } from './errors.ts';

/** Makes something at the first call and gives the same one ever after. A failure is not kept: the next call tries again. */
export function memoizeAsync<T>(create: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= create().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Something that is done once for all who ask for it meanwhile. */
export interface SharedTask<T> {
  /**
   * Joins what is under way, or starts `run`. A caller whose signal aborts goes away alone; when the last one has gone, the
   * task is aborted too.
   */
  joinOrStart(run: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function createSharedTask<T>(): SharedTask<T> {
  let current: { readonly promise: Promise<T>; readonly leave: () => void; waiting: number } | undefined;
  return {
    joinOrStart(run, signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      if (current === undefined) {
        const abort = linkAbort();
        const task = {
          promise: run(abort.signal).finally(() => {
            if (current === task) current = undefined;
          }),
          leave: () => {
            task.waiting -= 1;
            if (task.waiting > 0) return;
            // Whoever asks next starts anew instead of joining what is being given up.
            if (current === task) current = undefined;
            abort.abort(new CancelledError());
          },
          waiting: 0,
        };
        current = task;
      }
      const task = current;
      task.waiting += 1;
      return raceAbort(task.promise, signal).finally(task.leave);
    },
  };
}
