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
import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import type { AuthFetch, PostAnswer } from './authFetch.ts';
import { clientAuthentication, type RegisteredClient } from './clientAuthentication.ts';
import type { Dpop } from './dpop.ts';
import { OAuthRefusal, quoted, signInFailed } from './signInErrors.ts';

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
        if (nonce !== null) dpop?.setNonce(new URL(url).origin, nonce);
        subject = readSubject(answer.body?.['id_token']);
        return normalizeTokenResponse(answer, secretsOf(body, request.client.clientSecret));
      },
    },
  );
  const token = await processGenericTokenEndpointResponse(server, client, response, {
    // An ID-JAG is no access token, and says so (RFC 8693, 2.2.1).
    recognizedTokenTypes: { n_a: () => {} },
  });
  // The platform's message about a header it cannot send would repeat the token.
  if (!/^[\x20-\x7e]+$/.test(token.access_token))
    throw unusableAnswer(server, 'its token has characters that no token may have');
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
          return normalizeTokenResponse(answer, secretsOf(body, client.clientSecret));
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
    return unusableAnswer({ issuer }, error.message);
  }
  return error;
}

function unusableAnswer({ issuer }: Pick<AuthorizationServer, 'issuer'>, why: string): Error {
  return signInFailed(
    `The authorization server ${quoted(issuer)} gave an answer that cannot be used: ${why}. Whoever runs it can tell more.`,
  );
}

/**
 * What a token or revocation endpoint answers, in the form the library insists on, however a server writes it:
 * - Some answer 200 or 500 with an error inside. A `WWW-Authenticate` header would hide the error's code.
 * - Members that are null stand for members that are not there, and so does a life of no length, or without end.
 * - An ID token is not handed on: whether it follows OpenID does not matter here, see `readSubject`.
 *
 * @param secrets what was sent: masked where the description of an error repeats it, since people and logs get to see that
 */
function normalizeTokenResponse({ status, body }: PostAnswer, secrets: readonly string[]): Response {
  const { id_token: _, error_description: description, ...rest }: UnknownRecord = body ?? {};
  const isError = isString(rest['error']) && rest['access_token'] === undefined;
  const isSuccess = status >= 200 && status < 300 && !isError;
  const members = Object.entries(rest).filter(
    ([name, value]) => value !== null && (name !== 'expires_in' || isLifetime(value)),
  );
  const answer = {
    ...(isSuccess && { token_type: 'Bearer' }),
    ...Object.fromEntries(members),
    ...(isString(description) && { error_description: masked(description, secrets) }),
  };
  return new Response(body === undefined ? 'null' : JSON.stringify(answer), {
    status: isSuccess ? 200 : isError ? 400 : Math.max(status, 400),
    headers: { 'Content-Type': 'application/json' },
  });
}

const secretParameters = [
  'assertion',
  'client_assertion',
  'client_secret',
  'code',
  'code_verifier',
  'refresh_token',
  'subject_token',
  'token',
];

/** Everything secret in a request. */
function secretsOf(body: URLSearchParams, clientSecret: string | undefined): string[] {
  const sent = secretParameters.map((name) => body.get(name));
  return [clientSecret, ...sent].filter(isString).filter((text) => text !== '');
}

/** Some write "for ever" as the largest number they have, which is no date any more. */
const maximumLifetimeSeconds = 100 * 366 * 86_400;

function isLifetime(seconds: unknown): boolean {
  return Number(seconds) > 0 && Number(seconds) <= maximumLifetimeSeconds;
}

function masked(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}
