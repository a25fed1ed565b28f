import type { AuthorizationServer } from 'oauth4webapi';
import { isThisComputer } from '../base/hostKind.ts';
import { isString, type UnknownRecord } from '../base/json.ts';
import type { AuthFetch, PostAnswer } from './authFetch.ts';
import type { StoredClient } from './clients.ts';
import { readList } from './readList.ts';
import { OAuthRefusal, quoted, wordsOf } from './signInErrors.ts';

/**
 * Registers this client (RFC 7591). Some servers answer 200 instead of 201, and omit the expiry of a secret, or send an empty
 * secret for a public client. Some let a client ask only for scopes it has registered. Others refuse scopes at registration, or
 * a grant or a member that they do not know: the client is registered without it, and registering it again for scopes would not help.
 * @param scopes that will be asked for
 * @throws {PatchbayError} `needsSignIn` when it is refused, with advice if the redirect URI is the reason; `unreachable`
 */
export async function registerClient(
  server: AuthorizationServer,
  clientName: string,
  redirectUri: string,
  scopes: readonly string[],
  authFetch: Pick<AuthFetch, 'post'>,
  signal: AbortSignal,
): Promise<StoredClient> {
  const metadata = {
    client_name: clientName,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: isNative(redirectUri) ? 'native' : 'web',
    token_endpoint_auth_method: preferredMethod(server.token_endpoint_auth_methods_supported),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
  const url = new URL(server.registration_endpoint ?? '');
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const send = (): Promise<PostAnswer> =>
    authFetch.post(url, JSON.stringify(metadata), headers, 'The registration endpoint', signal);
  let answer = await send();
  for (let change = lesserMember(answer, metadata); change !== undefined; change = lesserMember(answer, metadata)) {
    Object.assign(metadata, change);
    answer = await send();
  }
  const { client_id: id, client_secret: secret, client_secret_expires_at: end } = answer.body ?? {};
  const clientId = typeof id === 'number' ? String(id) : id;
  const method = answer.body?.['token_endpoint_auth_method'];
  if ((answer.status !== 201 && answer.status !== 200) || !isString(clientId) || clientId === '')
    throw registrationRefused(server.issuer, answer, redirectUri);
  const hasSecret = isString(secret) && secret !== '';
  return {
    kind: 'dynamic',
    clientId,
    clientSecret: hasSecret ? secret : undefined,
    secretExpiresAt: hasSecret && isExpiry(end) ? end * 1000 : undefined,
    method: isString(method) ? method : undefined,
    redirectUris: [redirectUri],
    scopes,
    registeredScopes: readList(answer.body?.['scope']),
  };
}

/** What takes the place of a member, by the words in which that is refused. */
const lesser: readonly (readonly [name: string, refusal: RegExp, value: unknown])[] = [
  ['scope', /scope/i, undefined],
  ['grant_types', /grant|refresh_token/i, ['authorization_code']],
  ['application_type', /application_type/i, undefined],
];

/** @returns what to change after an error about the metadata (RFC 7591, section 3.2.2): what it names, or the scopes */
function lesserMember({ status, body = {} }: PostAnswer, metadata: UnknownRecord): object | undefined {
  if (status !== 400 && status !== 403 && status !== 422) return undefined;
  const { error, error_description: words } = body;
  const left = lesser.filter(([name, , value]) => metadata[name] !== undefined && metadata[name] !== value);
  const named = left.find(([, refusal]) => refusal.test(`${String(error)} ${String(words)}`));
  const found = named ?? (error === 'invalid_client_metadata' ? left.find(([name]) => name === 'scope') : undefined);
  return found && { [found[0]]: found[2] };
}

/** Loopback addresses and custom schemes are for native clients (OpenID Connect Dynamic Client Registration 1.0, section 2). */
function isNative(redirectUri: string): boolean {
  const url = new URL(redirectUri);
  return url.protocol !== 'https:' || isThisComputer(url.hostname);
}

/** A public client if possible: an editor on a person's machine cannot keep a client secret (RFC 8252, section 8.5). */
function preferredMethod(offered: readonly string[] | undefined): string {
  const known = ['none', 'client_secret_post', 'client_secret_basic'];
  return offered === undefined ? 'none' : (known.find((method) => offered.includes(method)) ?? 'none');
}

/** Seconds since the epoch. 0 means never (RFC 7591, section 3.2.1), as does a value that no clock reaches. */
function isExpiry(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && Number.isSafeInteger(Math.trunc(value * 1000));
}

function registrationRefused(issuer: string, answer: PostAnswer, redirectUri: string): OAuthRefusal {
  const { status, body: { error } = {} } = answer;
  const words = wordsOf(answer);
  const reason = isString(error) ? error : `status ${status}`;
  const server = `The authorization server ${quoted(issuer)}`;
  // Without metadata the endpoint was a default (2025-03-26, Basic / Authorization / Fallbacks for Servers without Metadata
  // Discovery).
  if (status === 404 || status === 405) {
    return new OAuthRefusal(
      reason,
      `${server} does not register clients (status ${status}). If the MCP server takes a key, set it as "Authorization" under "headers"; otherwise register a client yourself, then set "clientId" under "patchbay": { "auth": … }.`,
    );
  }
  const description = words === '' || words === error ? '' : `: ${quoted(words)}`;
  const isAboutRedirect = reason === 'invalid_redirect_uri' || /redirect/i.test(description);
  const advice = isAboutRedirect
    ? `It does not accept ${redirectUri} as the redirect address. If it accepts the name localhost alone, set "redirectUri" to "http://localhost/callback" under "patchbay": { "auth": … }; otherwise register a client there yourself with an address it accepts, then set "clientId" and "redirectUri" there.`
    : 'Register a client there yourself, then set "clientId" under "patchbay": { "auth": … }.';
  return new OAuthRefusal(
    reason,
    `${server} refuses to register this client (${quoted(reason)}${description}). ${advice}`,
  );
}
