import type { CancelSignal } from '../../base/abort.ts';

/**
 * Requests that do not wait for a connection. A new session must not wait for the requests of the lost one, nor the end of a
 * task for its result; and a subscription lasts as long as the session, so it would take a connection away for good.
 */
export const urgentMethods: readonly string[] = ['initialize', 'subscriptions/listen', 'tasks/cancel'];

/**
 * Bounds the requests that one server works on at once: over HTTP/1.1 each occupies a connection until its response has ended.
 * Only requests wait. Responses and notifications never do: a server that asks something while it works on a request would
 * wait for the answer forever.
 */
export class ConnectionLimit {
  #free: number;
  /** Those who wait, in order. */
  readonly #line = new Set<() => void>();

  constructor(maximum: number) {
    this.#free = maximum;
  }

  /** @returns `undefined` if one was free; else waits in order, or rejects with the signal's reason */
  take(signal: CancelSignal): Promise<void> | undefined {
    if (signal.aborted) throw signal.reason;
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#line.delete(onFree);
        reject(signal.reason);
      };
      const onFree = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      signal.addEventListener('abort', onAbort);
      this.#line.add(onFree);
    });
  }

  /** Gives a connection back: the first in line gets it. */
  release(): void {
    const [next] = this.#line;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#line.delete(next);
    next();
  }
}
