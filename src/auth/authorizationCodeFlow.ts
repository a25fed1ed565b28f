import {
  type AuthorizationServer,
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  OperationProcessingError,
  validateAuthResponse,
} from 'oauth4webapi';
import { OAuthRefusal, quoted, signInFailed } from './signInErrors.ts';
import { checkRedirectUri } from './mixUpDefense.ts';
import type { BrowserSignIn } from './ports.ts';
import type { SignIn } from './signInContext.ts';

/**
 * Opens the browser for sign-in, and checks the callback before any of it is used: the redirect URI, `state`, `iss` by exact
 * comparison (RFC 9207), then the error or the code.
 * @returns the parameters of the token request
 * @throws {OAuthRefusal} when the authorization server returns an error
 * @throws {PatchbayError} `needsSignIn` for a callback that fails a check
 */
export async function requestAuthorizationCode(
  clientId: string,
  { target, scopes, dpop, authFetch }: SignIn,
  visit: BrowserSignIn,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const { server, resource } = target;
  const verifier = generateRandomCodeVerifier();
  const state = generateRandomState();
  const url = authFetch.policy.check(authorizationEndpoint(server), 'the authorization endpoint');
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: visit.redirectUri,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    // OpenID providers issue a refresh token only with consent (OpenID Connect Core 1.0, section 11).
    ...(scopes.includes('offline_access') && { prompt: 'consent' }),
    // The code is bound to the key (RFC 9449, section 10).
    ...(dpop !== undefined && { dpop_jkt: await dpop.handle.calculateThumbprint() }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const callback = await visit.openBrowser(url, signal);
  checkRedirectUri(callback, visit.redirectUri, server.issuer);
  const code = readCallback(callback, server, clientId, state);
  return { code, redirect_uri: visit.redirectUri, code_verifier: verifier, resource };
}

/** A client must refuse metadata without S256 (2025-11-25, Basic / Authorization / Authorization Code Protection). */
function authorizationEndpoint(server: AuthorizationServer): string {
  const { authorization_endpoint: endpoint, code_challenge_methods_supported: methods, issuer } = server;
  if (endpoint === undefined) {
    throw signInFailed(`The authorization server ${quoted(issuer)} offers no sign-in with the browser.`);
  }
  if (methods?.includes('S256') === true) return endpoint;
  throw signInFailed(
    `The authorization server ${quoted(issuer)} does not say that it supports PKCE with S256, so signing in there is not safe. Ask whoever runs it.`,
  );
}

function readCallback(callback: URL, server: AuthorizationServer, clientId: string, state: string): string {
  const issuer = callback.searchParams.get('iss');
  // The library treats an empty "iss" like a missing one.
  if (issuer !== null && issuer !== server.issuer)
    throw untrustedCallback(server, 'it came from another authorization server');
  try {
    const checked = validateAuthResponse(server, { client_id: clientId }, callback, state);
    const code = checked.get('code');
    if (code !== null) return code;
  } catch (error) {
    if (error instanceof AuthorizationResponseError) {
      const description = error.error_description === undefined ? '' : `: ${quoted(error.error_description)}`;
      throw new OAuthRefusal(
        error.error,
        `The authorization server ${quoted(server.issuer)} did not let you sign in (${quoted(error.error)}${description}).`,
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
