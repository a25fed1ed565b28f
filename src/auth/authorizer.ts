import { type CancelSignal, toAbortSignal } from '../base/abort.ts';
import { isCancellation, isPatchbayError, messageOf, type PatchbayError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { HttpResponse } from '../base/httpClient.ts';
import type { RemoteLaunchPlan } from '../base/launchPlan.ts';
import { SharedTask } from '../base/sharedPromise.ts';
import type {
  AuthorizationChallenge,
  AuthorizationContext,
  AuthorizedRequest,
  HttpAuthorizer,
} from '../protocol/httpAuthorizer.ts';
import { AddressPolicy } from './addressPolicy.ts';
import { AuthFetch } from './authFetch.ts';
import { type AuthorizationRequirements, readAuthorizationRequirements } from './challenges.ts';
import { ClientRegistry, configuredClient, isInteractive, type RegisteredClient } from './clients.ts';
import { Discovery } from './discovery.ts';
import { DpopKeyring } from './dpop.ts';
import { createGrant, type Grant, GrantStore, isAboutToExpire } from './grant.ts';
import { CautionStore, type ConfirmedCaution } from './mixUpDefense.ts';
import type { AuthorizerOptions, RegistrationKind } from './ports.ts';
import {
  DeclinedSignIn,
  isBoundTo,
  isTransient,
  missingSignInReason,
  OAuthRefusal,
  quoted,
  signInFailed,
  UnattendedSignIn,
  UnusableAnswer,
} from './signInErrors.ts';
import type { SignInContext } from './signInContext.ts';

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

/** True for a plan that sets its own `Authorization` header and has no `auth` settings: no sign-in is done for it. */
export function isSignedInByHeader({ headers, auth }: Pick<RemoteLaunchPlan, 'headers' | 'auth'>): boolean {
  return auth === undefined && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** Maximum sign-ins until a request succeeds, and maximum token renewals for one request. */
const maximumSignIns = 3;
/** Maximum 401 and 403 answers to one request, including those that provide a DPoP nonce. */
const maximumAttempts = 6;
/** Maximum recent tokens that are redacted in the server's messages. */
const maximumSecrets = 20;
/** Wait after a failed refresh of a token that is still valid, in milliseconds. */
const refreshRetryDelayMs = 10_000;

/**
 * Authorizes the requests to one server: obtains, refreshes and revokes its token, by the rules of MCP on top of OAuth. The
 * code of OAuth is loaded with the first sign-in or renewal.
 */
export class Authorizer implements HttpAuthorizer {
  readonly #context: SignInContext;
  readonly #grants: GrantStore;
  readonly #paused = new Emitter<boolean>();
  readonly #disposed = new Emitter<void>();
  #waiting = 0;
  readonly #renewal = new SharedTask<void>();
  /** Separate from {@link #renewal}: a failed early refresh must not fail requests whose token was refused. */
  readonly #earlyRefresh = new SharedTask<void>();
  /** The token that a request was sent with, and how often a new token was obtained for it. */
  readonly #attempts = new WeakMap<
    AuthorizedRequest,
    { readonly token: string | undefined; readonly renewals: number }
  >();
  /** The token issued in this session that the server has not accepted yet. */
  #unconfirmed: { readonly token: string; readonly by: 'refresh' | 'signIn' } | undefined;
  #signIns = 0;
  /** The error of the last failed sign-in. Repeated without asking again, as long as the token is this one. */
  #lastFailure: { readonly error: PatchbayError; readonly token: string | undefined } | undefined;
  #lastRequirements = readAuthorizationRequirements(undefined);
  #noEarlyRefreshBefore = 0;
  #secrets: readonly string[] = [];

  readonly onDidPauseTimeouts = this.#paused.event;
  readonly onDidDispose = this.#disposed.event;
  readonly onDidChange: Event<void>;
  readonly context: AuthorizationContext;

  constructor(options: AuthorizerOptions) {
    const { server, settings, store, http, clock } = options;
    const authFetch = new AuthFetch(http, clock, new AddressPolicy(server, settings.allowInsecure === true));
    this.#grants = new GrantStore(store, server, settings);
    this.onDidChange = this.#grants.onDidChange;
    this.context = this.#grants.context;
    this.#context = {
      ...options,
      authFetch,
      discovery: new Discovery(server, settings, authFetch),
      keyring: new DpopKeyring(),
      registry: new ClientRegistry(store, clock),
      cautions: new CautionStore(store),
    };
  }

  readonly secrets = (): readonly string[] => this.#secrets;

  async describe(): Promise<AuthorizationDescription | undefined> {
    const grant = await this.#grants.current();
    if (grant === undefined) return undefined;
    return {
      issuer: grant.issuer,
      clientId: grant.client.clientId,
      registration: grant.client.kind,
      scopes: grant.grantedScopes ?? grant.requestedScopes,
      expiresAt: grant.expiresAt,
      canRefresh: grant.refreshToken !== undefined,
      isDpop: grant.isDpop,
      allowed: await this.#context.cautions.find(grant.issuer),
    };
  }

  dispose(): void {
    this.#disposed.fire();
    for (const each of [this.#grants, this.#paused, this.#disposed]) each.dispose();
  }

  async headers(request: AuthorizedRequest, signal: CancelSignal): Promise<Readonly<Record<string, string>>> {
    // The token is for one server only: requests to other origins are sent without it.
    if (!this.#isForServer(request)) return {};
    let grant = await this.#grants.current();
    if (grant !== undefined && this.#needsEarlyRefresh(grant)) {
      await this.#refreshEarly(grant, toAbortSignal(signal));
      grant = await this.#grants.current();
    }
    this.#attempts.set(request, { token: grant?.accessToken, renewals: this.#attempts.get(request)?.renewals ?? 0 });
    if (grant === undefined) return {};
    const { accessToken } = grant;
    if (!this.#secrets.includes(accessToken)) this.#secrets = [...this.#secrets, accessToken].slice(-maximumSecrets);
    if (!grant.isDpop) return { authorization: `Bearer ${accessToken}` };
    const dpop = await this.#context.keyring.get(grant.dpopKey);
    return { authorization: `DPoP ${accessToken}`, dpop: await dpop.proof(request.method, request.url, accessToken) };
  }

  async handleChallenge(challenge: AuthorizationChallenge, signal: AbortSignal): Promise<boolean> {
    const { request, status, attempt, dpopNonce } = challenge;
    const requirements = readAuthorizationRequirements(challenge.wwwAuthenticate);
    const grant = await this.#grants.current();
    if (dpopNonce !== undefined && this.#isForServer(request)) this.#context.keyring.setNonce(dpopNonce);
    if (attempt >= maximumAttempts) return false;
    if (requirements.error === 'use_dpop_nonce' && dpopNonce !== undefined && grant?.isDpop === true) return true;
    const { token, renewals } = this.#attempts.get(request) ?? { token: undefined, renewals: 0 };
    // Some servers answer 403 where 401 is meant: to a token that is not valid, and without one.
    const isMeant401 = requirements.error === 'invalid_token' || (token === undefined && requirements.resourceMetadata);
    const isStepUp = status === 403 && !isMeant401;
    if (isStepUp && requirements.error !== 'insufficient_scope') return false;
    this.#lastRequirements = requirements;
    if (renewals >= maximumSignIns) throw this.#tooManySignIns();
    this.#attempts.set(request, { token, renewals: renewals + 1 });
    // A concurrent request has obtained a new token in the meantime.
    if (grant !== undefined && grant.accessToken !== token) return true;
    if (request.isUnattended === true) throw new UnattendedSignIn(this.#context.label);
    const asksPerson = isInteractive(this.#context.settings);
    if (asksPerson) this.#countWaiting(1);
    try {
      await this.#renewal.joinOrStart((shared) => this.#renew(grant, requirements, isStepUp, shared), signal);
    } finally {
      if (asksPerson) this.#countWaiting(-1);
    }
    return true;
  }

  /** Timeouts pause while at least one request waits for a person. */
  #countWaiting(change: 1 | -1): void {
    const before = this.#waiting;
    this.#waiting += change;
    if (before === 0 || this.#waiting === 0) this.#paused.fire(before === 0);
  }

  #isForServer({ url }: AuthorizedRequest): boolean {
    return url.origin === this.#context.server.origin;
  }

  /** Reads the nonce of an answer; a successful one also confirms the token. */
  observe(response: Pick<HttpResponse, 'status' | 'ok' | 'headers'>): void {
    const nonce = response.headers.get('dpop-nonce');
    if (nonce !== undefined) this.#context.keyring.setNonce(nonce);
    if (!response.ok) return;
    this.#unconfirmed = undefined;
    this.#signIns = 0;
  }

  /**
   * Signs in now, even if the person declined before or is signed in already.
   * @throws {PatchbayError} `needsSignIn` with the reason; or the signal's reason
   */
  async signIn(signal: AbortSignal): Promise<void> {
    this.#lastFailure = undefined;
    this.#signIns = 0;
    const known = await this.#grants.reload();
    const run = (shared: AbortSignal): Promise<void> =>
      this.#unlessNewer(known, () => this.#signIn(undefined, this.#lastRequirements, false, shared), shared);
    await this.#renewal.joinOrStart(run, signal);
  }

  /** Deletes the tokens and revokes them if the authorization server supports it (RFC 7009). A failed revocation is only logged. */
  async signOut(signal: AbortSignal): Promise<void> {
    const grant = await this.#grants.reload();
    this.#lastFailure = { error: this.#signedOut(), token: undefined };
    await this.#grants.clear();
    if (grant === undefined) return;
    await this.#context.cautions.forget(grant.issuer);
    const isRevoked = await this.#revoke(grant, signal);
    this.#context.report?.({ kind: 'signedOut', issuer: grant.issuer, isRevoked });
  }

  async #revoke(grant: Grant, signal: AbortSignal): Promise<boolean> {
    const { logger, discovery, authFetch, settings } = this.#context;
    const { accessToken, refreshToken, issuer } = grant;
    if (!isBoundTo(issuer, settings)) return false;
    try {
      const server = await discovery.serverOf(issuer, signal);
      if (server.revocation_endpoint === undefined) return false;
      const client = this.#clientOf(grant);
      const { revokeToken } = await import('./tokenRequests.ts');
      if (refreshToken !== undefined)
        await revokeToken(server, client, refreshToken, 'refresh_token', authFetch, signal);
      await revokeToken(server, client, accessToken, 'access_token', authFetch, signal);
      logger.info(`The tokens are revoked at ${issuer}.`);
      return true;
    } catch (error) {
      if (signal.aborted) throw signal.reason as Error;
      logger.warn(`The tokens are forgotten here, but could not be revoked: ${messageOf(error)}`);
      return false;
    }
  }

  /** Refreshes a token before it expires. A failure is only logged: the server refuses the token once it has expired. */
  async #refreshEarly(grant: Grant, signal: AbortSignal): Promise<void> {
    const run = (shared: AbortSignal): Promise<void> =>
      this.#unlessNewer(grant, () => this.#refresh(grant, shared), shared);
    try {
      await this.#earlyRefresh.joinOrStart(run, signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason as Error;
      this.#noEarlyRefreshBefore = this.#context.clock.now() + refreshRetryDelayMs;
      this.#context.logger.warn(`The token could not be refreshed: ${messageOf(error)}`);
    }
  }

  /** Renews after the server has refused the token of `refused`, or a request without a token. */
  #renew(
    refused: Grant | undefined,
    requirements: AuthorizationRequirements,
    isStepUp: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    return this.#unlessNewer(
      refused,
      async () => {
        if (refused !== undefined && !isStepUp && (await this.#tryRefresh(refused, requirements, signal))) return;
        await this.#signIn(refused, requirements, isStepUp, signal);
      },
      signal,
    );
  }

  /** @returns false when only a new sign-in can help */
  async #tryRefresh(refused: Grant, requirements: AuthorizationRequirements, signal: AbortSignal): Promise<boolean> {
    const { label, settings, registry, logger } = this.#context;
    const isFresh = this.#unconfirmed?.token === refused.accessToken;
    if (isFresh && this.#unconfirmed?.by === 'signIn') {
      throw signInFailed(
        `“${label}” refuses the token that ${quoted(refused.issuer)} has just issued for it. If it wants a token for another "resource", or with a parameter such as "audience", set "resource" or "parameters" under "auth" in your settings. The operator of the server can say what it wants.`,
      );
    }
    const isWrongKind = requirements.wantsDpop && !refused.isDpop && settings.dpop !== false;
    const canRefresh = refused.refreshToken !== undefined && isBoundTo(refused.issuer, settings);
    if (isFresh || isWrongKind || !canRefresh) return false;
    try {
      await this.#refresh(refused, signal);
      return true;
    } catch (error) {
      // An answer that cannot be used, such as a page in place of a token, ends a sign-in as a refusal does.
      const isRefusal = error instanceof OAuthRefusal;
      if ((!isRefusal && !(error instanceof UnusableAnswer)) || isTransient(error)) throw error;
      logger.info(`The refresh token is no longer accepted (${isRefusal ? quoted(error.reason) : error.message}).`);
      if (isRefusal && error.isClientUnknown) await registry.forget(refused.issuer, refused.client.clientId);
      return false;
    }
  }

  /** Runs `action` unless another window has stored a newer token than `known` in the meantime. */
  #unlessNewer(known: Grant | undefined, action: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const run = async (): Promise<void> => {
      const stored = await this.#grants.reload();
      if (stored !== undefined && stored.accessToken !== known?.accessToken) return;
      await action();
    };
    const logWait = (): void =>
      this.#context.logger.info('Another window is signing in to this server, or renewing its token. This one waits.');
    return this.#grants.lock(run, signal, logWait);
  }

  #needsEarlyRefresh(grant: Grant): boolean {
    const now = this.#context.clock.now();
    const { settings } = this.#context;
    const canRefresh = grant.refreshToken !== undefined || !isInteractive(settings);
    const mayRefresh = canRefresh && isBoundTo(grant.issuer, settings);
    return mayRefresh && isAboutToExpire(grant, now) && now >= this.#noEarlyRefreshBefore;
  }

  async #refresh(grant: Grant, signal: AbortSignal): Promise<void> {
    const { refreshToken, issuer, resource } = grant;
    if (refreshToken === undefined) return this.#signIn(grant, this.#lastRequirements, false, signal);
    const { logger, discovery, keyring, authFetch, clock } = this.#context;
    logger.info(`Refreshing the token at ${issuer}.`);
    const request = {
      server: await discovery.serverOf(issuer, signal),
      client: this.#clientOf(grant),
      grantType: 'refresh_token',
      parameters: { refresh_token: refreshToken, ...(resource !== undefined && { resource }) },
      dpop: grant.isDpop ? await keyring.get(grant.dpopKey) : undefined,
    };
    // The answer may replace the refresh token, so the request continues when the caller aborts: otherwise it would be lost.
    const notAborted = new AbortController().signal;
    const { requestToken } = await import('./tokenRequests.ts');
    const token = await requestToken(request, authFetch, notAborted);
    const renewed = createGrant(grant, token, clock.now());
    if ((await this.#grants.reload()) === undefined) {
      await this.#revoke(renewed, notAborted);
      throw this.#signedOut();
    }
    await this.#grants.save(renewed);
    this.#unconfirmed = { token: token.accessToken, by: 'refresh' };
  }

  #clientOf({ client }: Grant): RegisteredClient {
    return client.kind === 'dynamic' ? client : configuredClient(client.kind, this.#context.settings);
  }

  async #signIn(
    previous: Grant | undefined,
    requirements: AuthorizationRequirements,
    isStepUp: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const token = previous?.accessToken;
    if (this.#lastFailure !== undefined && this.#lastFailure.token === token) throw this.#lastFailure.error;
    if (this.#signIns >= maximumSignIns) throw this.#tooManySignIns();
    try {
      const { obtainGrant } = await import('./obtainGrant.ts');
      const grant = await obtainGrant(requirements, previous, isStepUp, this.#context, signal);
      this.#signIns += 1;
      await this.#grants.save(grant);
      this.#unconfirmed = { token: grant.accessToken, by: 'signIn' };
      this.#context.logger.info(`Signed in at ${grant.issuer}.`);
      const { issuer, client, grantedScopes: scopes = grant.requestedScopes } = grant;
      this.#context.report?.({ kind: 'signedIn', issuer, clientId: client.clientId, scopes });
    } catch (caught) {
      const error =
        isCancellation(caught) && !signal.aborted ? new DeclinedSignIn(this.#context.label, 'unfinished') : caught;
      // A refusal also applies to later requests. A step-up concerns only one request.
      if (isPatchbayError(error) && !isTransient(error) && !isStepUp) this.#lastFailure = { error, token };
      if (!signal.aborted)
        this.#context.report?.({ kind: 'notSignedIn', reason: missingSignInReason(error), why: messageOf(error) });
      throw error;
    }
  }

  #signedOut(): PatchbayError {
    return signInFailed(`You have signed out of “${this.#context.label}”. Sign in again to use it.`);
  }

  #tooManySignIns(): PatchbayError {
    return signInFailed(`“${this.#context.label}” still refuses access after you signed in again.`);
  }
}
