import type { CancelSignal } from '../base/abort.ts';
import type { RequestId } from './jsonRpc.ts';
import type { SendHints } from './messageChannel.ts';
import type { Progress } from './progress.ts';

export interface RequestOptions {
  readonly signal?: CancelSignal;
  /** Silence limit in milliseconds, instead of the peer's; suspended while the server asks us. */
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
export function onlyPending(
  pending: PendingRequests,
  counts: (options: RequestOptions) => boolean,
): RequestId | undefined {
  const [only, another] = [...pending].filter(([, { options }]) => counts(options));
  return another === undefined ? only?.[0] : undefined;
}
