import { raceAbort } from './abort.ts';
import { CancelledError } from './errors.ts';

/** @returns a function that calls `create` once and returns the same promise, but tries again after a rejection */
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
export class SharedTask<T> {
  #current: { readonly promise: Promise<T>; readonly leave: () => void; waiting: number } | undefined;

  /**
   * Joins the running operation, or starts `run`. A caller whose signal aborts is rejected with its reason; when no caller is
   * left, the operation is aborted too.
   */
  joinOrStart(run: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const task = (this.#current ??= this.#start(run));
    task.waiting += 1;
    return raceAbort(task.promise, signal).finally(task.leave);
  }

  #start(run: (signal: AbortSignal) => Promise<T>) {
    const abort = new AbortController();
    // The next caller starts a new operation instead of joining one that has ended or is aborted.
    const end = (): void => {
      if (this.#current === task) this.#current = undefined;
    };
    const leave = (): void => {
      task.waiting -= 1;
      if (task.waiting > 0) return;
      end();
      abort.abort(new CancelledError());
    };
    const task = { promise: run(abort.signal).finally(end), leave, waiting: 0 };
    return task;
  }
}
