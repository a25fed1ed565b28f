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
import type { AddressPolicy } from './addressPolicy.ts';
import { checkRedirectUri } from './mixUpDefense.ts';
import type { BrowserSignIn } from './ports.ts';

export interface AuthorizationCodeRequest {
  readonly server: AuthorizationServer;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly resource: string | undefined;
  /** Thumbprint of the key that the code is bound to (RFC 9449, section 10). */
  readonly dpopThumbprint: string | undefined;
}

export interface AuthorizationCodeGrant {
  readonly grantType: 'authorization_code';
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Opens the browser for sign-in, and checks the callback before any of it is used: the redirect URI, `state`, `iss` by exact
 * comparison (RFC 9207), then the error or the code.
 * @throws {OAuthRefusal} when the authorization server returns an error
 * @throws {PatchbayError} `needsSignIn` for a callback that fails a check
 */
export async function requestAuthorizationCode(
  request: AuthorizationCodeRequest,
  visit: BrowserSignIn,
  policy: AddressPolicy,
  signal: AbortSignal,
): Promise<AuthorizationCodeGrant> {
  const { server, clientId, resource } = request;
  const verifier = generateRandomCodeVerifier();
  const state = generateRandomState();
  const url = policy.check(authorizationEndpoint(server), 'the authorization endpoint');
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: visit.redirectUri,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(resource !== undefined && { resource }),
    ...(request.scopes.length > 0 && { scope: request.scopes.join(' ') }),
    // OpenID providers issue a refresh token only with consent (OpenID Connect Core 1.0, section 11).
    ...(request.scopes.includes('offline_access') && { prompt: 'consent' }),
    ...(request.dpopThumbprint !== undefined && { dpop_jkt: request.dpopThumbprint }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const callback = await visit.openBrowser(url, signal);
  checkRedirectUri(callback, visit.redirectUri, server.issuer);
  const code = readCallback(callback, server, clientId, state);
  return {
    grantType: 'authorization_code',
    parameters: {
      code,
      redirect_uri: visit.redirectUri,
      code_verifier: verifier,
      ...(resource !== undefined && { resource }),
    },
  };
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
