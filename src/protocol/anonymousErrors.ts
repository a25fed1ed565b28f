import type { RequestId } from './jsonRpc.ts';
import type { PendingRequest } from './pendingRequest.ts';

/**
 * Finds the request that an error without an id is about (2025-11-25 and later, basic, "Errors"): the only one that is open,
 * unless the error may as well be about a message that gets no answer, such as a notification.
 */
export class AnonymousErrors {
  /** The id of the next request when such a message was sent; 0 once the answer to a later one shows that it has been read. */
  #doubtFrom = 0;

  /** @param nextId the id that the next request will have */
  sentWithoutAnswer(nextId: number): void {
    this.#doubtFrom = nextId;
  }

  answered(id: RequestId): void {
    if (Number(id) >= this.#doubtFrom) this.#doubtFrom = 0;
  }

  /** One that is open-ended is not answered, and not meant. */
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
