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
  type TokenEndpointRequestOptions,
  type TokenEndpointResponse,
  UnsupportedOperationError,
} from 'oauth4webapi';
import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import type { AuthFetch, PostAnswer } from './authFetch.ts';
import { clientAuthentication, otherSecretMethod } from './clientAuthentication.ts';
import type { RegisteredClient } from './clients.ts';
import type { Dpop } from './dpop.ts';
import { readList } from './readList.ts';
import { adviceFor, OAuthRefusal, quoted, UnusableAnswer, wordsOf } from './signInErrors.ts';

export type IssuedToken = ReturnType<typeof toIssuedToken>;

export interface SignInResult {
  readonly client: RegisteredClient;
  readonly token: IssuedToken;
}

export interface TokenRequest {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly grantType: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly dpop?: Dpop | undefined;
}

/**
 * Requests a token, a second time if the endpoint requires a nonce in the proof (RFC 6749, section 5; RFC 9449, section 8).
 * @throws {OAuthRefusal} with the error code of the authorization server
 * @throws {PatchbayError} `needsSignIn` for an invalid answer, `unreachable` without one
 */
export async function requestToken(
  request: TokenRequest,
  authFetch: AuthFetch,
  signal: AbortSignal,
): Promise<IssuedToken> {
  const send = async (client: RegisteredClient): Promise<IssuedToken> => {
    const once = (): Promise<IssuedToken> => requestOnce({ ...request, client }, authFetch, signal);
    return once().catch((error: unknown) => {
      if (request.dpop === undefined || !isDPoPNonceError(error)) throw error;
      return once();
    });
  };
  const { client, server, grantType } = request;
  // Where no person signs in, there are no second attempts.
  const isOfPerson = grantType === 'authorization_code' || grantType === 'refresh_token';
  try {
    return await send(client).catch((error: unknown) => {
      const method = isOfPerson && isClientRefused(error) ? otherSecretMethod(client, server) : undefined;
      if (method === undefined) throw error;
      return send({ ...client, method }).catch(() => Promise.reject(error as Error));
    });
  } catch (error) {
    throw toProblem(error, server);
  }
}

/** True where the endpoint may have missed the secret: many read it in one place only, whatever their metadata say. */
function isClientRefused(error: unknown): boolean {
  if (!(error instanceof ResponseBodyError)) return false;
  const isVague = error.error === 'invalid_request' && /client/i.test(error.error_description ?? '');
  return error.error === 'invalid_client' || isVague;
}

async function requestOnce(request: TokenRequest, authFetch: AuthFetch, signal: AbortSignal): Promise<IssuedToken> {
  const { server, dpop } = request;
  let subject: string | undefined;
  // A workload may have no client id. The library requires one, but it is not sent.
  const client = { client_id: request.client.clientId || 'none' };
  const response = await genericTokenEndpointRequest(
    server,
    client,
    await clientAuthentication(request.client, server),
    request.grantType,
    request.parameters,
    {
      ...(dpop !== undefined && { DPoP: dpop.handle }),
      ...requestOptions('The token endpoint', request.client, authFetch, signal, (answer) => {
        subject = readSubject(answer.body?.['id_token']);
      }),
    },
  );
  const token = await processGenericTokenEndpointResponse(server, client, response, {
    // The token type of an ID-JAG, which is not an access token (RFC 8693, section 2.2.1).
    recognizedTokenTypes: { n_a: () => {} },
  });
  // Otherwise the platform's error about an invalid header would contain the token.
  if (!/^[\x20-\x7e]+$/.test(token.access_token))
    throw new UnusableAnswer(server.issuer, 'its token has characters that no token may have');
  return toIssuedToken(token, subject);
}

/** How the library sends a request. @param onAnswer called with the answer before it is normalized */
function requestOptions(
  what: string,
  { clientSecret }: RegisteredClient,
  authFetch: AuthFetch,
  signal: AbortSignal,
  onAnswer?: (answer: PostAnswer) => void,
): Pick<TokenEndpointRequestOptions, typeof allowInsecureRequests | typeof customFetch> {
  return {
    // The address policy decides which addresses are allowed; it allows http on loopback.
    [allowInsecureRequests]: true,
    [customFetch]: async (url, { body, headers }) => {
      const answer = await authFetch.post(new URL(url), body.toString(), headers, what, signal);
      onAnswer?.(answer);
      return normalizeTokenResponse(answer, secretsOf(body, clientSecret));
    },
  };
}

/**
 * Reads the subject of a JWT without verifying it: it comes from the token endpoint or the settings, and only serves to
 * distinguish accounts.
 * @returns `undefined` if there is none
 */
export function readSubject(jwt: unknown): string | undefined {
  try {
    const payload = (isString(jwt) ? (jwt.split('.')[1] ?? '') : '').replaceAll('-', '+').replaceAll('_', '/');
    const claims: unknown = JSON.parse(atob(payload));
    return isRecord(claims) && isString(claims['sub']) ? claims['sub'] : undefined;
  } catch {
    // Not a JWT, or an encrypted one.
    return undefined;
  }
}

function toIssuedToken(token: TokenEndpointResponse, subject: string | undefined) {
  const { expires_in: seconds } = token;
  return {
    accessToken: token.access_token,
    isDpop: token.token_type === 'dpop',
    refreshToken: token.refresh_token,
    lifetimeMs: seconds === undefined ? undefined : seconds * 1000,
    scopes: readList(token.scope),
    subject,
  };
}

/**
 * Revokes a token; an unknown token counts as revoked (RFC 7009, section 2.2).
 * @throws {PatchbayError} `needsSignIn` when the authorization server refuses, `unreachable` without an answer
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
        ...requestOptions('The revocation endpoint', client, authFetch, signal),
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
      `The authorization server ${quoted(issuer)} refuses to issue a token (${quoted(error.error)}${description}).${adviceFor(error.error, error.error_description)}`,
      error.error_description,
    );
  }
  // The causes of these errors contain the whole answer with its tokens: they are dropped.
  if (error instanceof OperationProcessingError || error instanceof UnsupportedOperationError) {
    return new UnusableAnswer(issuer, error.message);
  }
  return error;
}

/**
 * Converts the answer of a token or revocation endpoint to the form that oauth4webapi accepts:
 * - Some servers answer 200 or 500 with an error in the body. A `WWW-Authenticate` header would hide the error code.
 * - Members that are null or empty are removed, and so is a lifetime that is not positive or too long.
 * - A token type other than DPoP is used as Bearer, as Slack's "user" is. Scopes may be a list.
 * - An ID token is removed, since it does not matter here whether it conforms to OpenID; see `readSubject`.
 *
 * @param secrets values of the request, masked in the error description, which people and logs see
 */
function normalizeTokenResponse(given: PostAnswer, secrets: readonly string[]): Response {
  const { status, headers } = given;
  const words = wordsOf(given);
  // A refusal in other words than those of OAuth.
  const body =
    status >= 400 && words !== '' ? { error: `status ${status}`, error_description: words, ...given.body } : given.body;
  const { id_token: _, error_description: description, ...rest }: UnknownRecord = body ?? {};
  const isError = isString(rest['error']) && rest['access_token'] === undefined;
  const isSuccess = status >= 200 && status < 300 && !isError;
  const { token_type: type, expires_in: seconds, scope, ...others } = rest;
  const members = Object.entries(others).filter(([, value]) => value !== null && value !== '');
  const answer = {
    ...Object.fromEntries(members),
    ...(isSuccess && { token_type: isString(type) && /^(?:dpop|n_a)$/i.test(type) ? type : 'Bearer' }),
    ...(isLifetime(seconds) && { expires_in: Number(seconds) }),
    ...(readList(scope) !== undefined && { scope: readList(scope)?.join(' ') }),
    ...(isString(description) && { error_description: masked(description, secrets) }),
  };
  const nonce = headers.get('dpop-nonce');
  return new Response(body === undefined ? 'null' : JSON.stringify(answer), {
    status: isSuccess ? 200 : isError ? 400 : Math.max(status, 400),
    headers: { 'Content-Type': 'application/json', ...(nonce !== undefined && { 'DPoP-Nonce': nonce }) },
  });
}

const secretParameters =
  'assertion client_assertion client_secret code code_verifier refresh_token subject_token token'.split(' ');

function secretsOf(body: URLSearchParams, clientSecret: string | undefined): string[] {
  const sent = secretParameters.map((name) => body.get(name));
  return [clientSecret, ...sent].filter(isString).filter((text) => text !== '');
}

/** Some servers use the largest number for tokens that do not expire, which is not a valid date. */
const maximumLifetimeSeconds = 100 * 366 * 86_400;

function isLifetime(seconds: unknown): boolean {
  return Number(seconds) > 0 && Number(seconds) <= maximumLifetimeSeconds;
}

function masked(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}
