import type { RequestId } from './jsonRpc.ts';
import type { PendingRequest } from './pendingRequest.ts';

/**
 * Finds the request that an error without an id belongs to (2025-11-25, Basic, "Errors"): the only pending one,
 * unless the error may belong to a message without an answer, such as a notification.
 */
export class AnonymousErrors {
  /** The next request id when the last such message was sent; 0 when the answer to a later request shows that it was read. */
  #doubtFrom = 0;

  /** Call when a message without an answer is sent. @param nextId the id of the next request */
  sentWithoutAnswer(nextId: number): void {
    this.#doubtFrom = nextId;
  }

  /** Call when the request `id` was answered. */
  answered(id: RequestId): void {
    if (Number(id) >= this.#doubtFrom) this.#doubtFrom = 0;
  }

  /** @returns the id of the request; `undefined` where it is ambiguous. Open-ended requests do not count. */
  addressee(open: ReadonlyMap<RequestId, PendingRequest>): RequestId | undefined {
    if (this.#doubtFrom !== 0) return undefined;
    let only: RequestId | undefined;
    for (const [id, { options }] of open) {
      if (options.isOpenEnded) continue;
      if (only !== undefined) return undefined;
      only = id;
    }
    return only;
  }
}
