import type { RemoteLaunchPlan } from '../base/launchPlan.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { memoizeAsync } from '../base/sharedPromise.ts';
import type { HttpAuthorizer } from '../protocol/httpAuthorizer.ts';
import type { Authorization } from './authorization.ts';
import { GrantStore } from './grant.ts';
import { CautionStore, type ConfirmedCaution } from './mixUpDefense.ts';
import type { AuthorizerOptions, RegistrationKind } from './ports.ts';

/** Authorizes the requests to one server, and describes the sign-in. */
export interface Authorizer extends HttpAuthorizer {
  /** @returns the current sign-in, or `undefined` without one */
  describe(): Promise<AuthorizationDescription | undefined>;
  /**
   * Signs in now, even if the person declined before or is signed in already.
   * @throws {PatchbayError} `needsSignIn` with the reason; or the signal's reason
   */
  signIn(signal: AbortSignal): Promise<void>;
  /** Deletes the tokens and revokes them if the authorization server supports it (RFC 7009). */
  signOut(signal: AbortSignal): Promise<void>;
}

export interface AuthorizationDescription {
  readonly issuer: string;
  readonly clientId: string;
  readonly registration: RegistrationKind;
  /** As granted, if the authorization server says so; otherwise as requested. */
  readonly scopes: readonly string[];
  /** Of the access token, milliseconds since the epoch. */
  readonly expiresAt: number | undefined;
  readonly canRefresh: boolean;
  /** The tokens are bound to a key of this client (RFC 9449). */
  readonly isDpop: boolean;
  /** The risks that the person has accepted, until the sign-out. */
  readonly allowed: ConfirmedCaution | undefined;
}

const none: readonly string[] = [];

/** True for a plan that sets its own `Authorization` header and has no `auth` settings: no sign-in is done for it. */
export function isSignedInByHeader({ headers, auth }: Pick<RemoteLaunchPlan, 'headers' | 'auth'>): boolean {
  return auth === undefined && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** Loads the OAuth code only when a server requires a sign-in, or a token is stored. */
export function createAuthorizer(options: AuthorizerOptions): Authorizer {
  const { store, server, settings } = options;
  const grants = new GrantStore(store, server, settings);
  const wait = new Emitter<boolean>();
  let waiting = 0;
  const startWaiting = (): Disposable => {
    waiting += 1;
    if (waiting === 1) wait.fire(true);
    return {
      dispose() {
        waiting -= 1;
        if (waiting === 0) wait.fire(false);
      },
    };
  };
  const load = memoizeAsync(async () => {
    const { Authorization } = await import('./authorization.ts');
    return new Authorization(options, grants, startWaiting);
  });
  let authorization: Authorization | undefined;
  const get = async (): Promise<Authorization> => (authorization ??= await load());
  return {
    async headers(request, signal) {
      if (authorization === undefined && (await grants.current()) === undefined) return {};
      return (await get()).headers(request, signal);
    },
    handleChallenge: async (challenge, signal) => (await get()).handleChallenge(challenge, signal),
    observe: (response) => authorization?.observe(response),
    secrets: () => authorization?.secrets ?? none,
    async describe() {
      const grant = await grants.current();
      if (grant === undefined) return undefined;
      return {
        issuer: grant.issuer,
        clientId: grant.client.clientId,
        registration: grant.client.kind,
        scopes: grant.grantedScopes ?? grant.requestedScopes,
        expiresAt: grant.expiresAt,
        canRefresh: grant.refreshToken !== undefined,
        isDpop: grant.isDpop,
        allowed: await new CautionStore(store).find(grant.issuer),
      };
    },
    signIn: async (signal) => (await get()).signIn(signal),
    signOut: async (signal) => (await get()).signOut(signal),
    onDidChange: grants.onDidChange,
    context: grants.context,
    onDidPauseTimeouts: wait.event,
    dispose() {
      grants.dispose();
      wait.dispose();
    },
  };
}
