import type { CancelSignal } from '../base/abort.ts';
import type { RequestId } from './jsonRpc.ts';
import type { SendHints } from './messageChannel.ts';
import type { Progress } from './progress.ts';
import type { TimedRequest } from './requestTimeouts.ts';

export interface RequestOptions {
  readonly signal?: CancelSignal;
  /**
   * Silence limit in milliseconds, instead of the peer's. Progress restarts it; it is suspended while the server asks
   * us.
   */
  readonly timeoutMs?: number;
  /** Requests progress. Called only while the request is pending, and only when progress increases. */
  readonly onProgress?: (progress: Progress) => void;
  /** `false`: never send `notifications/cancelled`, for instance for `initialize`. */
  readonly isCancellable?: boolean;
  /** No timeout: the server keeps the request open, for instance `subscriptions/listen`. */
  readonly isOpenEnded?: boolean;
  /** Only checks that the server responds: does not count for `Peer.isBusy`. */
  readonly isHeartbeat?: boolean;
  /** Transport options for this message. */
  readonly hints?: SendHints;
  /** Called with the id just before the request is sent. */
  readonly onSent?: (id: RequestId) => void;
  /** Called with a result that arrives after a timeout or cancellation; old requests are forgotten. Must not throw. */
  readonly onLateResult?: (result: unknown) => void;
}

export interface PendingRequest extends TimedRequest {
  readonly method: string;
  readonly options: RequestOptions;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onAbort: (() => void) | undefined;
  lastProgress: number;
}

/**
 * Finds our request that caused a request of the server, which does not name it.
 * @returns the id of the only pending request that can be cancelled; `undefined` for none or several
 */
export function onlyCancellable(pending: ReadonlyMap<RequestId, PendingRequest>): RequestId | undefined {
  let only: RequestId | undefined;
  for (const [id, { options }] of pending) {
    if (options.isOpenEnded || options.isHeartbeat || options.isCancellable === false) continue;
    if (only !== undefined) return undefined;
    only = id;
  }
  return only;
}

/** True while a request is pending that is neither open-ended nor a heartbeat. */
export function hasAwaitedRequest(pending: ReadonlyMap<RequestId, PendingRequest>): boolean {
  for (const { options } of pending.values()) if (!options.isOpenEnded && !options.isHeartbeat) return true;
  return false;
}

/**
 * Finds the request that an error without an id belongs to (2025-11-25, Basic, "Errors"): the only pending one,
 * unless the error may belong to a message without an answer, such as a notification.
 */
export class UnaddressedErrors {
  /**
   * The next request id when the last such message was sent; 0 when the answer to a later request shows that it was
   * read.
   */
  #ambiguousFrom = 0;

  /** Call when a message without an answer is sent. @param nextId the id of the next request */
  sentNotification(nextId: number): void {
    this.#ambiguousFrom = nextId;
  }

  /** Call when the request `id` was answered. */
  answered(id: RequestId): void {
    if (Number(id) >= this.#ambiguousFrom) this.#ambiguousFrom = 0;
  }

  /** @returns the id of the request; `undefined` where it is ambiguous. Open-ended requests do not count. */
  findRequest(open: ReadonlyMap<RequestId, PendingRequest>): RequestId | undefined {
    if (this.#ambiguousFrom !== 0) return undefined;
    let only: RequestId | undefined;
    for (const [id, { options }] of open) {
      if (options.isOpenEnded) continue;
      if (only !== undefined) return undefined;
      only = id;
    }
    return only;
  }
}

/** Servers that obey a cancellation never answer, so old entries are removed. */
const maximumAbandoned = 100;

/** Requests that were cancelled or timed out, whose results may still arrive. */
export class AbandonedRequests {
  /** In insertion order, the oldest first. Created with the first one. */
  #handlers: Map<RequestId, (result: unknown) => void> | undefined;

  /** @param handler is called with the result, if it arrives in time */
  add(id: RequestId, handler: (result: unknown) => void): void {
    const handlers = (this.#handlers ??= new Map());
    handlers.set(id, handler);
    const [oldest] = handlers.keys();
    if (handlers.size > maximumAbandoned && oldest !== undefined) handlers.delete(oldest);
  }

  /** Passes a late result to its handler. @returns false where there is none */
  deliver(id: RequestId, result: unknown): boolean {
    const handler = this.#handlers?.get(id);
    if (handler === undefined) return false;
    this.#handlers?.delete(id);
    handler(result);
    return true;
  }
}
