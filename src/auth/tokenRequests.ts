import {
  allowInsecureRequests,
  type AuthorizationServer,
  customFetch,
  genericTokenEndpointRequest,
  isDPoPNonceError,
  OperationProcessingError,
  processGenericTokenEndpointResponse,
  processRevocationResponse,
  ResponseBodyError,
  revocationRequest,
  type TokenEndpointResponse,
  UnsupportedOperationError,
} from 'oauth4webapi';
import { isRecord, isString } from '../base/json.ts';
import type { AuthFetch } from './authFetch.ts';
import { OAuthRefusal, quoted, signInFailed } from './authorizationProblem.ts';
import { clientAuthentication, type RegisteredClient } from './client.ts';
import type { Dpop } from './dpop.ts';
import { plainAnswer, secretsOf } from './plainAnswer.ts';

/** A token that was issued, as the answer says it. */
export interface IssuedToken {
  readonly accessToken: string;
  readonly isDpop: boolean;
  readonly refreshToken: string | undefined;
  readonly lifetimeMs: number | undefined;
  readonly scopes: readonly string[] | undefined;
  /** Who the ID token is about, where one came along. */
  readonly subject: string | undefined;
}

export interface TokenRequest {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly grantType: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly dpop?: Dpop | undefined;
}

/**
 * Asks a token endpoint for a token, once more where it wants a nonce in the proof (RFC 6749, 5; RFC 9449, 8).
 * @throws {OAuthRefusal} with the code of the refusal
 * @throws {PatchbayError} `needsSignIn` for an answer that is none
 */
export async function requestToken(
  request: TokenRequest,
  authFetch: AuthFetch,
  signal: AbortSignal,
): Promise<IssuedToken> {
  try {
    return await requestOnce(request, authFetch, signal);
  } catch (error) {
    if (request.dpop === undefined || !isDPoPNonceError(error)) throw toProblem(error, request.server);
  }
  try {
    return await requestOnce(request, authFetch, signal);
  } catch (error) {
    throw toProblem(error, request.server);
  }
}

async function requestOnce(request: TokenRequest, authFetch: AuthFetch, signal: AbortSignal): Promise<IssuedToken> {
  const { server, dpop } = request;
  let subject: string | undefined;
  // A workload needs no client id; the library insists on one, and nothing sends it.
  const client = { client_id: request.client.clientId || 'none' };
  const response = await genericTokenEndpointRequest(
    server,
    client,
    await clientAuthentication(request.client, server),
    request.grantType,
    request.parameters,
    {
      ...(dpop !== undefined && { DPoP: dpop.handle }),
      // Which addresses may be asked is decided by the address policy, http on loopback included.
      [allowInsecureRequests]: true,
      [customFetch]: async (url, { body, headers }) => {
        const answer = await authFetch.post(new URL(url), body.toString(), headers, 'The token endpoint', signal);
        const nonce = answer.headers.get('dpop-nonce');
        if (nonce !== null) dpop?.useNonce(new URL(url).origin, nonce);
        subject = readSubject(answer.body?.['id_token']);
        return plainAnswer(answer, secretsOf(body, request.client.clientSecret));
      },
    },
  );
  const token = await processGenericTokenEndpointResponse(server, client, response, {
    // An ID-JAG is no access token, and says so (RFC 8693, 2.2.1).
    recognizedTokenTypes: { n_a: () => {} },
  });
  // The platform's message about a header it cannot send would repeat the token.
  if (!/^[\x20-\x7e]+$/.test(token.access_token))
    throw unusable(server, 'its token has characters that no token may have');
  return toIssuedToken(token, subject);
}

/**
 * Whom a JWT is about. Not checked: it came from the token endpoint itself, or from the settings, and only tells one account
 * from another.
 */
export function readSubject(jwt: unknown): string | undefined {
  try {
    const payload = (isString(jwt) ? (jwt.split('.')[1] ?? '') : '').replaceAll('-', '+').replaceAll('_', '/');
    const claims: unknown = JSON.parse(atob(payload));
    return isRecord(claims) && isString(claims['sub']) ? claims['sub'] : undefined;
  } catch {
    // It is no JWT, or an encrypted one, and tells nothing.
    return undefined;
  }
}

function toIssuedToken(token: TokenEndpointResponse, subject: string | undefined): IssuedToken {
  const { expires_in: seconds } = token;
  return {
    accessToken: token.access_token,
    isDpop: token.token_type === 'dpop',
    refreshToken: token.refresh_token,
    lifetimeMs: seconds === undefined ? undefined : seconds * 1000,
    scopes: token.scope?.split(' ').filter((scope) => scope !== ''),
    subject,
  };
}

/**
 * Tells the authorization server that a token is not needed any more; one it does not know counts as revoked (RFC 7009, 2.2).
 * @throws {PatchbayError} `needsSignIn`
 */
export async function revokeToken(
  server: AuthorizationServer,
  client: RegisteredClient,
  token: string,
  kind: 'access_token' | 'refresh_token',
  authFetch: AuthFetch,
  signal: AbortSignal,
): Promise<void> {
  try {
    const response = await revocationRequest(
      server,
      { client_id: client.clientId },
      await clientAuthentication(client, server),
      token,
      {
        additionalParameters: { token_type_hint: kind },
        [allowInsecureRequests]: true,
        [customFetch]: async (url, { body, headers }) => {
          const what = 'The revocation endpoint';
          const answer = await authFetch.post(new URL(url), body.toString(), headers, what, signal);
          return plainAnswer(answer, secretsOf(body, client.clientSecret));
        },
      },
    );
    await processRevocationResponse(response);
  } catch (error) {
    throw toProblem(error, server);
  }
}

function toProblem(error: unknown, { issuer }: AuthorizationServer): unknown {
  if (error instanceof ResponseBodyError) {
    const description = error.error_description === undefined ? '' : `: ${quoted(error.error_description)}`;
    return new OAuthRefusal(
      error.error,
      `The authorization server ${quoted(issuer)} refuses to issue a token (${quoted(error.error)}${description}).`,
    );
  }
  // The causes of these hold the whole answer, tokens included: they end here.
  if (error instanceof OperationProcessingError || error instanceof UnsupportedOperationError) {
    return unusable({ issuer }, error.message);
  }
  return error;
}

function unusable({ issuer }: Pick<AuthorizationServer, 'issuer'>, why: string): Error {
  return signInFailed(
    `The authorization server ${quoted(issuer)} gave an answer that cannot be used: ${why}. Whoever runs it can tell more.`,
  );
}
