import type { CancelSignal } from '../base/abort.ts';
import type { RequestId } from './jsonRpc.ts';
import type { SendHints } from './messageChannel.ts';
import type { Progress } from './progress.ts';

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
  readonly hints?: SendHints;
  /** Called with the id just before the request is sent. */
  readonly onSent?: (id: RequestId) => void;
  /** Called with a result that arrives after a timeout or cancellation; old requests are forgotten. Must not throw. */
  readonly onLateResult?: (result: unknown) => void;
}

/** A request without an answer so far; times are those of the clock, in milliseconds. */
export interface PendingRequest {
  readonly method: string;
  readonly options: RequestOptions;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onAbort: (() => void) | undefined;
  /** Maximum milliseconds without a message; `Infinity` disables all limits. */
  readonly idleMs: number;
  startedAt: number;
  lastActivityAt: number;
  /** Number of active pauses, and the start of the first. No time passes for the request meanwhile. */
  pauses: number;
  pausedSince: number;
  lastProgress: number;
}

export type PendingRequests = ReadonlyMap<RequestId, PendingRequest>;

/** @returns the id of the only pending request that `counts`; `undefined` for none or several */
function onlyPending(pending: PendingRequests, counts: (options: RequestOptions) => boolean): RequestId | undefined {
  const [only, another] = [...pending].filter(([, { options }]) => counts(options));
  return another === undefined ? only?.[0] : undefined;
}

/** Finds our request that caused a request of the server, which does not name it: the only one that can be cancelled. */
export function onlyCancellable(pending: PendingRequests): RequestId | undefined {
  return onlyPending(
    pending,
    ({ isOpenEnded, isHeartbeat, isCancellable }) => !isOpenEnded && !isHeartbeat && isCancellable !== false,
  );
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
  findRequest(pending: PendingRequests): RequestId | undefined {
    return this.#ambiguousFrom === 0 ? onlyPending(pending, ({ isOpenEnded }) => !isOpenEnded) : undefined;
  }
}
