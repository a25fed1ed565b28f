import type { CancelSignal } from '../base/abort.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { HttpResponse } from '../base/httpClient.ts';

/** Authorizes requests to one server. Without one, they use the configured headers and 401 is an error. */
export interface HttpAuthorizer extends Disposable {
  /**
   * The headers that authorize one request, with names in lower case: `authorization`, and `dpop` where proofs are needed. Called again for each
   * request, resumption and redirect. Resolves with no headers while signed out; may refresh a token that expires soon.
   */
  headers(request: AuthorizedRequest, signal: CancelSignal): Promise<Readonly<Record<string, string>>>;
  /**
   * Handles a 401 or 403 response (2025-11-25, Basic / Authorization, "Error Handling").
   * @returns true to send the request again with new `headers`; false to keep the response
   * @throws {PatchbayError} `needsSignIn`, or the error that prevented the sign-in; or the signal's reason
   */
  handleChallenge(challenge: AuthorizationChallenge, signal: AbortSignal): Promise<boolean>;
  /** Called with every other response, to store its DPoP nonce for the next request (RFC 9449, section 8.2). */
  observe(response: Pick<HttpResponse, 'status' | 'ok' | 'headers'>): void;
  /** Tokens that were sent, to be masked in texts of the server. A new array for each new token. */
  readonly secrets: () => readonly string[];
  /** true: the user is asked something, timeouts pause; false: timeouts continue. */
  readonly onDidPauseTimeouts: Event<boolean>;
  /** Fires after a sign-in, a sign-out or a token refresh, in this window or another. */
  readonly onDidChange: Event<void>;
  readonly context: AuthorizationContext;
}

/**
 * The account that requests are sent for, and its grant (2026-07-28, Server Features / Utilities / Caching, "Cache Scope"). A
 * refreshed token of the same grant is in the same context.
 */
export interface AuthorizationContext {
  /** @returns an opaque identifier of the account; empty while signed out */
  account(): string;
  /** Fires before the first request in the new context. */
  readonly onDidChange: Event<ContextChange>;
}

/** See {@link AuthorizationContext.account}; equal where only the grant has changed. */
export interface ContextChange {
  readonly before: string;
  readonly account: string;
}

/** True where one account replaces another or signs out: its sessions and cached data are stale. */
export function isAnotherAccount({ before, account }: ContextChange): boolean {
  return before !== '' && before !== account;
}

export interface AuthorizedRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  /** true: do not ask the user. Where the current token is refused, throw `needsSignIn`. */
  readonly isUnattended?: boolean | undefined;
}

/** A response that refuses a request because authorization is missing or insufficient. */
export interface AuthorizationChallenge {
  /** The same object that was passed to `headers`: it identifies the token that was refused. */
  readonly request: AuthorizedRequest;
  readonly status: 401 | 403;
  /** The unparsed `WWW-Authenticate` header with all challenges. */
  readonly wwwAuthenticate: string | undefined;
  /** The `DPoP-Nonce` header, where the server sent one. */
  readonly dpopNonce: string | undefined;
  /** Number of earlier refusals of this request, from 0. */
  readonly attempt: number;
}
