import { linkAbort, raceAbort } from './abort.ts';
import { CancelledError } from './errors.ts';

/**
 * @returns a function that calls `create` once and then returns the same promise. After a rejection the next call tries
 * again.
 */
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

/** An operation that concurrent callers share. */
export interface SharedTask<T> {
  /**
   * Joins the running operation, or starts `run`. A caller whose signal aborts is rejected with its reason; when no caller is
   * left, the operation is aborted too.
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
            // The next caller starts a new operation instead of joining the aborted one.
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
