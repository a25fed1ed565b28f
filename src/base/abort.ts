import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';

/** What requests need of an `AbortSignal`. */
export interface CancelSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
  throwIfAborted(): void;
}

/**
 * Like `AbortController`, for what is created with each request or kept by each connection: on Node 20, a signal of the
 * platform with a listener takes as long as a fifth of a request, and 700 bytes.
 */
export class CancelSource implements CancelSignal {
  // Hardly ever more than two: a Set takes longer to make than to search them.
  #listeners: (() => void)[] = [];
  #isAborted = false;
  #reason: unknown;

  get signal(): CancelSignal {
    return this;
  }

  get aborted(): boolean {
    return this.#isAborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners = this.#listeners.filter((other) => other !== listener);
  }

  throwIfAborted(): void {
    if (this.#isAborted) throw this.#reason;
  }

  /** Aborts the signal; no-op when it was aborted before. */
  abort(reason: unknown): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    // A listener may remove another.
    while (this.#listeners.length > 0) this.#listeners.shift()?.();
  }
}

export function toAbortSignal(signal: CancelSignal): AbortSignal {
  return signal instanceof AbortSignal ? signal : linkAbort(signal).signal;
}

/** A signal that aborts with any of several others, or by its own `abort`. Dispose it to remove the listeners. */
export interface LinkedAbort extends Disposable {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

/** @returns a signal that aborts when any of `signals` does, with the same reason */
export function linkAbort(...signals: readonly (CancelSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const links = signals.map((signal) => signal && abortWith(controller, signal));
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    dispose: () => links.forEach((link) => link?.dispose()),
  };
}

/** Aborts `source` when `signal` is aborted, with the same reason. @returns dispose it to remove the listener */
export function abortWith(source: Pick<CancelSource, 'abort'>, signal: CancelSignal): Disposable {
  const follow = (): void => source.abort(signal.reason);
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return { dispose: () => signal.removeEventListener('abort', follow) };
}

/** Settles like `promise`, or rejects with the signal's reason, whichever comes first. */
export function raceAbort<T>(promise: Promise<T>, signal: CancelSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) {
      // The promise may still reject later: that must not become an unhandled rejection.
      promise.catch(() => {});
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Resolves after `milliseconds`, or rejects with the signal's reason. */
export function delay(clock: Clock, milliseconds: number, signal?: CancelSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      timer.dispose();
      reject(signal?.reason);
    };
    const timer = clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort);
  });
}

/** {@link delayWhileResponsive} waits in steps of this length, in milliseconds, ... */
const stepMs = 100;
/** ... and starts over when a step ends later than this. */
const maximumLagMs = 50;

/**
 * Resolves after `milliseconds` without a delay of the event loop, or rejects with the signal's reason. On a machine that is
 * so busy that timers come late, the other process may not have had time to answer: the wait then starts over.
 * @param maximumMs it resolves after this time in any case
 */
export async function delayWhileResponsive(
  clock: Clock,
  milliseconds: number,
  maximumMs: number,
  signal?: CancelSignal,
): Promise<void> {
  const end = clock.now() + maximumMs;
  let left = milliseconds;
  while (left > 0 && clock.now() < end) {
    const step = Math.min(stepMs, left);
    const due = clock.now() + step;
    await delay(clock, step, signal);
    left = clock.now() - due > maximumLagMs ? milliseconds : left - step;
  }
}

/** Resolves when `promise` settles with a value, or after `milliseconds`. Rejects when `promise` rejects first. */
export async function waitAtMost(promise: Promise<unknown>, clock: Clock, milliseconds: number): Promise<void> {
  const timeout = new AbortController();
  try {
    await Promise.race([promise, delay(clock, milliseconds, timeout.signal).catch(() => {})]);
  } finally {
    timeout.abort();
  }
}
