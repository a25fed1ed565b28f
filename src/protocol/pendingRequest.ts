import type { RequestId } from './jsonRpc.ts';
import type { Wait } from './patience.ts';
import type { RequestOptions } from './peer.ts';

/** A request without an answer yet. */
export interface PendingRequest extends Wait {
  readonly method: string;
  readonly options: RequestOptions;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onAbort: (() => void) | undefined;
  lastProgress: number;
}

/**
 * A request of the other side does not name the one of ours that led to it: it is known only where no other can have.
 * @returns the id of the only request that can be cancelled; `undefined` for none or several
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

/** True while somebody waits for one of them. */
export function isAwaited(pending: ReadonlyMap<RequestId, PendingRequest>): boolean {
  for (const { options } of pending.values()) if (!options.isOpenEnded && !options.isHeartbeat) return true;
  return false;
}
