import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';

/** Port to whatever signs requests to one server in. Without one, requests go out as configured and 401 is an error. */
export interface HttpAuthorizer extends Disposable {
  /**
   * The headers that authorize one request: `Authorization`, and `DPoP` where proofs are wanted. Asked anew for every
   * request, resumption and redirect. Resolves with nothing while not signed in; may refresh a token that is about to end.
   */
  headers(request: AuthorizedRequest, signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /**
   * Deals with an answer that refuses the request, 401 or 403 (authorization, "Error Handling").
   * @returns true when the request is worth sending once more, with fresh `headers`; false when the answer stands
   * @throws {PatchbayError} `needsSignIn`, or what else stood in the way; or the signal's reason
   */
  handleChallenge(challenge: AuthorizationChallenge, signal: AbortSignal): Promise<boolean>;
  /** Called with every other answer, so that a nonce it hands out can be used next time (RFC 9449, 8.2). */
  observe(response: Response): void;
  /** The tokens that requests went out with. What a server says may repeat them: they are not for showing. Another list with each new one. */
  readonly secrets: () => readonly string[];
  /** true: a person is asked, and limits on time should stand still; false: no more. */
  readonly onDidWait: Event<boolean>;
  /** Signed in, out, or a token renewed; here or in another window. */
  readonly onDidChange: Event<void>;
  readonly context: AuthorizationContext;
}

/**
 * Whose requests these are: an account, and what was granted to it (2026-07-28, "Cache Scope"). A renewed token of the same
 * grant is in the same context.
 */
export interface AuthorizationContext {
  /** @returns a name of the account that tells nothing of it; empty while nobody is signed in */
  account(): string;
  /** Fires before the first request goes out in another context. */
  readonly onDidChange: Event<ContextChange>;
}

/** Names of accounts, see {@link AuthorizationContext.account}; the same twice where only what is granted has changed. */
export interface ContextChange {
  readonly before: string;
  readonly account: string;
}

/** What belongs to the account before is of no use to the one there is now. To sign in where nobody was is no such change. */
export function isAnotherAccount({ before, account }: ContextChange): boolean {
  return before !== '' && before !== account;
}

export interface AuthorizedRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  /** true: nobody is asked for it; where the token at hand is refused, that is `needsSignIn`. */
  readonly isUnattended?: boolean | undefined;
}

export interface AuthorizationChallenge {
  /** The very object that `headers` was asked with: it tells which token was refused. */
  readonly request: AuthorizedRequest;
  readonly status: 401 | 403;
  /** `WWW-Authenticate` as it came, all challenges. */
  readonly wwwAuthenticate: string | undefined;
  /** `DPoP-Nonce`, where the server hands one out. */
  readonly dpopNonce: string | undefined;
  /** How often this request was refused before, from 0. */
  readonly attempt: number;
}
