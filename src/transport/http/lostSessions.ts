import type { JsonRpcRequest } from '../../protocol/jsonRpc.ts';
import { type ErrorResponse, meansSessionLost } from './errorResponse.ts';
import type { HttpSession } from './httpSession.ts';

/**
 * Decides whether a refused request means that its session is lost. After a restart, some servers say so with status 400 and any words,
 * or with another status and words about it: such an answer counts once, if requests of the session were answered before. Where it comes again in the new session, and other
 * requests are answered there, or in a third one, it is about the request, and answers of that kind do not count any more.
 */
export class LostSessions {
  readonly #session: HttpSession;
  /** Methods of requests that were refused as if the session were lost, not with 404, and were not answered since. */
  readonly #doubted = new Set<string>();
  #isGuessing = true;
  /** A session in which a request was answered. */
  #answeredIn: string | undefined;
  /** A session in which such a request was refused again: it is lost too, or the request is bad. */
  #refusedAgainIn: string | undefined;

  constructor(session: HttpSession) {
    this.#session = session;
  }

  /** @param sessionId that the request was sent with */
  isLost(refused: ErrorResponse, { id, method }: JsonRpcRequest, sessionId: string): boolean {
    const isReplaced = sessionId !== this.#session.id;
    const isDoubted = this.#doubted.has(method);
    const isAgain = refused.status !== 404 && isDoubted && !isReplaced;
    const mayBeLost = isDoubted ? this.#refusedAgainIn === sessionId : this.#answeredIn === sessionId;
    if (isAgain && !mayBeLost) {
      if (this.#refusedAgainIn !== undefined) this.#isGuessing = false;
      this.#refusedAgainIn = sessionId;
    }
    const isLost = meansSessionLost(refused, id, isReplaced || (this.#isGuessing && mayBeLost));
    if (isLost && refused.status !== 404) this.#doubted.add(method);
    return isLost;
  }

  /** For a refusal that is heeded once. @returns false where one of this method was, and it was not answered since */
  doubt(method: string): boolean {
    const isNew = !this.#doubted.has(method);
    this.#doubted.add(method);
    return isNew;
  }

  /** @param sessionId that the request was sent with */
  answered(method: string, sessionId: string | undefined): void {
    if (sessionId === this.#session.id) this.#answeredIn = sessionId;
    const wasDoubted = this.#doubted.delete(method);
    if (sessionId !== undefined && sessionId === this.#refusedAgainIn) this.#isGuessing = false;
    else if (wasDoubted) this.#refusedAgainIn = undefined;
  }
}
