import {
  AuthorizationResponseError,
  type AuthorizationServer,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  OperationProcessingError,
  validateAuthResponse,
} from 'oauth4webapi';
import { isCancellation } from '../base/errors.ts';
import { adviceFor, DeclinedSignIn, OAuthRefusal, quoted, signInFailed } from './signInErrors.ts';
import { type ServerMetadata, resourceParameter } from './discovery.ts';
import { isTemplateOf } from './issuers.ts';
import { fewerScopes } from './fewerScopes.ts';
import { configuredClient, type RegisteredClient, registrationFor, type StoredClient } from './clients.ts';
import { cautionOf, endpointsOf, risksOf } from './mixUpDefense.ts';
import type { BrowserSignIn, RegistrationKind, SignInCaution } from './ports.ts';
import { checkRedirectUri, loopbackPorts, redirectOf } from './redirects.ts';
import { registerClient } from './registration.ts';
import type { SignIn } from './signInContext.ts';
import { requestToken, type SignInResult } from './tokenRequests.ts';

/**
 * Signs a person in with the browser (authorization code with PKCE). A client registration that the authorization server no
 * longer knows is replaced once.
 * @throws {PatchbayError} `needsSignIn` when the person declines one of the questions, or the authorization server refuses; or
 *   a cancellation
 */
export async function signInInteractively(signIn: SignIn, signal: AbortSignal): Promise<SignInResult> {
  const { target, settings, label, server, clientName, scopes, previousScopes, prompt } = signIn;
  const { issuer } = target.server;
  const registration = registrationFor(target.server, settings);
  const redirect = await redirectOf(registration, issuer, settings);
  const stored = registration === 'dynamic' ? await findStored(signIn, redirect.path) : undefined;
  // A client that is registered already can be used again at its own port.
  const known = loopbackPorts(stored?.redirectUris ?? [], settings);
  const client = registration === 'dynamic' ? undefined : configuredClient(registration, settings);
  const request = {
    label,
    server,
    issuer,
    scopes,
    previousScopes,
    clientName,
    registration,
    redirect: { ...redirect, ports: [...known, ...redirect.ports] },
    endpoints: endpointsOf(target.server),
    clientId: client?.clientId ?? (stored !== undefined && mayServe(stored, signIn) ? stored.clientId : undefined),
  };
  const visit = await prompt.begin(request, signal);
  if (visit === undefined) throw new DeclinedSignIn(label, 'declined');
  try {
    const confirmed = await confirmCaution(signIn, registration, signal);
    const result = await (client === undefined
      ? signInAsRegistered(stored, signIn, visit, signal)
      : signInAs(client, signIn, visit, signal));
    if (confirmed !== undefined) await signIn.cautions.save(confirmed);
    return result;
  } finally {
    visit.dispose();
  }
}

async function signInAsRegistered(
  stored: StoredClient | undefined,
  signIn: SignIn,
  visit: BrowserSignIn,
  signal: AbortSignal,
): Promise<SignInResult> {
  const { registry, authFetch, clientName, logger, target } = signIn;
  const { server } = target;
  if (stored?.redirectUris.includes(visit.redirectUri) === true && mayServe(stored, signIn)) {
    try {
      return await signInAs(stored, signIn, visit, signal, coversScopes(stored, signIn));
    } catch (error) {
      const isUnknown =
        error instanceof OAuthRefusal &&
        (error.isClientUnknown || (error.reason === 'invalid_scope' && !coversScopes(stored, signIn)));
      // Most servers report an unknown client only in the browser, and the person gives up: the client is not used again.
      if (isUnknown || isCancellation(error)) await registry.forget(server.issuer, stored.clientId);
      if (!isUnknown) throw error;
      logger.info(`${server.issuer} no longer knows this client, or not for these scopes.`);
    }
  }
  logger.info(`Registering this client at ${server.issuer}.`);
  // Other servers may use the same client.
  const scopes = [...new Set([...(stored?.scopes ?? []), ...signIn.scopes])];
  const fresh = await registerClient(server, clientName, visit.redirectUri, scopes, authFetch, signal);
  await registry.save(server.issuer, fresh);
  return signInAs(fresh, signIn, visit, signal);
}

/** False for a client that is known not to be registered for some scopes; one of an earlier version may be for any. */
function mayServe(stored: StoredClient, signIn: SignIn): boolean {
  return stored.scopes === undefined || coversScopes(stored, signIn);
}

/** True when the client is registered for all scopes that are asked for. */
function coversScopes({ scopes }: StoredClient, signIn: SignIn): boolean {
  return signIn.scopes.every((scope) => scopes?.includes(scope) === true);
}

/** Deletes a client that was registered with another redirect path: the path distinguishes issuers. */
async function findStored({ target, registry }: SignIn, redirectPath: string): Promise<StoredClient | undefined> {
  const { issuer } = target.server;
  const stored = await registry.find(issuer);
  // In a remote window, VS Code puts the path into the query of its own URI.
  const isOfIssuer = (uri: string): boolean => decodeURIComponent(uri).includes(redirectPath);
  if (stored === undefined || stored.redirectUris.some(isOfIssuer)) return stored;
  await registry.forget(issuer, stored.clientId);
  return undefined;
}

/** @returns the risks that the person has just accepted @throws {DeclinedSignIn} unless they are accepted, now or earlier */
async function confirmCaution(
  { target, settings, label, server, prompt, cautions }: SignIn,
  registration: RegistrationKind,
  signal: AbortSignal,
): Promise<SignInCaution | undefined> {
  const found = cautionOf(target.server, registration, settings);
  if (found === undefined) return undefined;
  const caution = { label, server, issuer: target.server.issuer, ...found };
  if (await cautions.has(caution)) return undefined;
  if (!(await prompt.confirm(caution, signal))) throw new DeclinedSignIn(label, risksOf(caution));
  return caution;
}

/** @param canAskForLess whether the browser is opened once more with the scopes that are left when some are refused */
async function signInAs(
  client: RegisteredClient & Pick<StoredClient, 'registeredScopes'>,
  signIn: SignIn,
  visit: BrowserSignIn,
  signal: AbortSignal,
  canAskForLess = true,
): Promise<SignInResult> {
  const { target, dpop, authFetch, logger } = signIn;
  const { server } = target;
  let { scopes } = signIn;
  for (let mayAskForLess = canAskForLess; ; mayAskForLess = false) {
    logger.info(`Opening the browser to sign in at ${server.issuer}.`);
    try {
      const parameters = await requestAuthorizationCode(client.clientId, { ...signIn, scopes }, visit, signal);
      // The person has signed in, and the code works only once: a cancellation no longer stops the token request.
      const request = { server, client, dpop, grantType: 'authorization_code', parameters };
      const token = await requestToken(request, authFetch, new AbortController().signal);
      return { client, token: { ...token, scopes: token.scopes ?? [...scopes] } };
    } catch (error) {
      const isRefused = mayAskForLess && error instanceof OAuthRefusal;
      const left = isRefused ? fewerScopes(scopes, error, server, client.registeredScopes) : undefined;
      if (left === undefined) throw error;
      logger.info(`${server.issuer} refuses some of the scopes. Asking for ${left.join(', ')}.`);
      scopes = left;
    }
  }
}

/**
 * Opens the browser for sign-in, and checks the callback before any of it is used: the redirect URI, `state`, `iss` by exact
 * comparison (RFC 9207), then the error or the code.
 * @returns the parameters of the token request
 * @throws {OAuthRefusal} when the authorization server returns an error
 * @throws {PatchbayError} `needsSignIn` for a callback that fails a check
 */
async function requestAuthorizationCode(
  clientId: string,
  { target, scopes, dpop, authFetch, settings, needsConsent }: SignIn,
  visit: BrowserSignIn,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const { server } = target;
  const verifier = generateRandomCodeVerifier();
  const state = generateRandomState();
  const url = authFetch.policy.check(authorizationEndpoint(server), 'the authorization endpoint');
  const parameters = {
    // Some OpenID providers issue a refresh token only with consent (OpenID Connect Core 1.0, section 11). Where an administrator
    // has consented for all, a person cannot, so it is asked for only when there was none without.
    ...(needsConsent && scopes.includes('offline_access') && { prompt: 'consent' }),
    // What this client sets itself comes after it, and counts.
    ...settings.parameters,
    response_type: 'code',
    client_id: clientId,
    redirect_uri: visit.redirectUri,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...resourceParameter(target),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    // The code is bound to the key (RFC 9449, section 10).
    ...(dpop !== undefined && { dpop_jkt: await dpop.handle.calculateThumbprint() }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const callback = await visit.openBrowser(url, signal);
  checkRedirectUri(callback, visit.redirectUri, server.issuer);
  const code = readCallback(callback, server, clientId, state);
  return { code, redirect_uri: visit.redirectUri, code_verifier: verifier, ...resourceParameter(target) };
}

/**
 * A client must refuse metadata without S256 (2025-11-25, Basic / Authorization / Authorization Code Protection). Entra and
 * Cognito support it without saying so: where nothing is said, the person is asked; see `cautionOf`.
 */
function authorizationEndpoint(server: AuthorizationServer): string {
  const { authorization_endpoint: endpoint, code_challenge_methods_supported: methods, issuer } = server;
  if (endpoint === undefined) {
    throw signInFailed(`The authorization server ${quoted(issuer)} offers no sign-in with the browser.`);
  }
  if (methods === undefined || methods.includes('S256')) return endpoint;
  throw signInFailed(
    `The authorization server ${quoted(issuer)} does not support PKCE with S256, so signing in there is not safe. Contact its operator.`,
  );
}

function readCallback(callback: URL, server: ServerMetadata, clientId: string, state: string): string {
  const issuer = callback.searchParams.get('iss');
  // The library treats an empty "iss" like a missing one. Only one spelling counts (RFC 9207, section 2.4).
  if (issuer !== null) {
    const { issuerTemplate: template } = server;
    if (issuer !== server.issuer && (template === undefined || !isTemplateOf(template, issuer)))
      throw untrustedCallback(server, 'it came from another authorization server');
    if (callback.searchParams.getAll('iss').length === 1) callback.searchParams.set('iss', server.issuer);
  }
  try {
    const checked = validateAuthResponse(server, { client_id: clientId }, callback, state);
    const code = checked.get('code');
    if (code !== null) return code;
  } catch (error) {
    if (error instanceof AuthorizationResponseError) {
      const description = error.error_description === undefined ? '' : `: ${quoted(error.error_description)}`;
      throw new OAuthRefusal(
        error.error,
        `The authorization server ${quoted(server.issuer)} did not let you sign in (${quoted(error.error)}${description}).${adviceFor(error.error, error.error_description)}`,
        error.error_description,
      );
    }
    // Its cause contains the code.
    if (error instanceof OperationProcessingError) throw untrustedCallback(server, error.message);
    throw error;
  }
  throw untrustedCallback(server, 'it holds no code');
}

function untrustedCallback({ issuer }: AuthorizationServer, why: string): Error {
  return signInFailed(
    `The browser came back with an answer that does not belong to this sign-in at ${quoted(issuer)}, so it is not used (${why}). Sign in again.`,
  );
}
