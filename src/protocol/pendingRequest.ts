import type { RequestId } from './jsonRpc.ts';
import type { Wait } from './patience.ts';
import type { RequestOptions } from './peer.ts';

/** A request without a response so far. */
export interface PendingRequest extends Wait {
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
export function onlyCause(pending: ReadonlyMap<RequestId, PendingRequest>): RequestId | undefined {
  let only: RequestId | undefined;
  for (const [id, { options }] of pending) {
    if (options.isOpenEnded || options.isHeartbeat || options.isCancellable === false) continue;
    if (only !== undefined) return undefined;
    only = id;
  }
  return only;
}

/** True while a request is pending that is neither open-ended nor a heartbeat. */
export function isAwaited(pending: ReadonlyMap<RequestId, PendingRequest>): boolean {
  for (const { options } of pending.values()) if (!options.isOpenEnded && !options.isHeartbeat) return true;
  return false;
}
