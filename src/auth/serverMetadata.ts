import type { AuthorizationServer } from 'oauth4webapi';
import { isString, isStringArray, type UnknownRecord } from '../base/json.ts';
import type { AddressPolicy } from './addressPolicy.ts';
import { quoted, shownUrl, signInFailed } from './authorizationProblem.ts';
import type { AuthFetch } from './authFetch.ts';

const what = 'The metadata of the authorization server';

/**
 * Fetches the metadata of an authorization server, OAuth's (RFC 8414) or OpenID's, in the order the specification asks
 * for ("Authorization Server Metadata Discovery").
 * @param issuer exactly as it was named; metadata of another issuer are refused, letter by letter
 * @throws {PatchbayError} `needsSignIn`
 */
export async function fetchServerMetadata(
  issuer: string,
  authFetch: AuthFetch,
  policy: AddressPolicy,
  signal: AbortSignal,
): Promise<AuthorizationServer> {
  const found = await findServerMetadata(issuer, authFetch, policy, signal);
  if (found !== undefined) return found;
  throw signInFailed(
    `The authorization server ${shownUrl(issuer)} has no metadata where they should be. Check that this is its address; whoever runs the MCP server names it.`,
  );
}

/** The same for a server of 2025-03-26, which is its own authorization server and may have default endpoints only. */
export async function fetchOwnMetadata(
  server: URL,
  authFetch: AuthFetch,
  policy: AddressPolicy,
  signal: AbortSignal,
): Promise<AuthorizationServer> {
  const issuer = server.origin;
  // Which of the two it writes could not be known from its address.
  const found = (await findServerMetadata(issuer, authFetch, policy, signal, `${issuer}/`)) ?? {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
  };
  // That revision asks for PKCE, but not for saying so.
  return { code_challenge_methods_supported: ['S256'], ...found };
}

async function findServerMetadata(
  issuer: string,
  authFetch: AuthFetch,
  policy: AddressPolicy,
  signal: AbortSignal,
  alternative?: string,
): Promise<AuthorizationServer | undefined> {
  // It is shown, logged and compared letter by letter: nothing in it may hide.
  if (!/^[\x21-\x7e]{1,2000}$/.test(issuer)) {
    throw signInFailed(`The server names no authorization server, but ${quoted(issuer)}.`);
  }
  const url = policy.check(issuer, 'the authorization server');
  // RFC 8414, section 2.
  if (/[?#]/.test(issuer))
    throw signInFailed(`The server names an authorization server with a query or a fragment: ${quoted(issuer)}.`);
  for (const address of metadataAddresses(url)) {
    const document = await authFetch.getMetadata(address, what, signal);
    if (document?.['issuer'] === undefined) continue;
    const isAlternative = alternative !== undefined && document['issuer'] === alternative;
    return readServerMetadata(document, isAlternative ? alternative : issuer, address, policy);
  }
  return undefined;
}

function metadataAddresses(issuer: URL): URL[] {
  const path = issuer.pathname.replace(/\/$/, '');
  const at = (pathname: string): URL => new URL(pathname, issuer.origin);
  const inserted = [
    at(`/.well-known/oauth-authorization-server${path}`),
    at(`/.well-known/openid-configuration${path}`),
  ];
  return path === '' ? inserted : [...inserted, at(`${path}/.well-known/openid-configuration`)];
}

const endpoints = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const;
const lists = [
  'code_challenge_methods_supported',
  'dpop_signing_alg_values_supported',
  'grant_types_supported',
  'scopes_supported',
  'token_endpoint_auth_methods_supported',
] as const;
const flags = ['authorization_response_iss_parameter_supported', 'client_id_metadata_document_supported'] as const;

/** What only this client may say in a request (RFC 6749, 4.1.1; RFC 7636; RFC 8707; RFC 9101; RFC 9449; OpenID Connect). */
const requestParameters = [
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'dpop_jkt',
  'redirect_uri',
  'request',
  'request_uri',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'state',
] as const;

/** A query of an endpoint is kept (RFC 6749, 3.1), but may not say what the request says. A fragment is not allowed. */
function checkEndpoint(address: string, name: string, policy: AddressPolicy): URL {
  const url = policy.check(address, name);
  if (url.href.includes('#'))
    throw signInFailed(`${what} name ${name} with a fragment, which is not allowed: ${shownUrl(url)}.`);
  const smuggled = requestParameters.filter((parameter) => url.searchParams.has(parameter));
  if (smuggled.length === 0) return url;
  throw signInFailed(
    `${what} name ${name} with a request of its own in it (${smuggled.join(', ')}), so it is not used: ${shownUrl(url)}.`,
  );
}

/** Takes over what is used here, and only what is of the right type and leads where it may. */
function readServerMetadata(
  document: UnknownRecord,
  issuer: string,
  address: URL,
  policy: AddressPolicy,
): AuthorizationServer {
  if (document['issuer'] !== issuer) {
    const claimed = document['issuer'];
    throw signInFailed(
      `${what} at ${shownUrl(address)} are those of ${isString(claimed) ? quoted(claimed) : 'somebody else'}, not of ${quoted(issuer)}: they are not used (RFC 8414, section 3.3).`,
    );
  }
  const metadata: Record<string, string | boolean | string[]> = {};
  for (const name of endpoints) {
    const value = document[name];
    if (isString(value)) metadata[name] = checkEndpoint(value, `the ${name.replaceAll('_', ' ')}`, policy).href;
  }
  for (const name of lists) {
    const value = document[name];
    if (isStringArray(value)) metadata[name] = value;
  }
  for (const name of flags) {
    const value = document[name];
    if (typeof value === 'boolean') metadata[name] = value;
  }
  return { ...metadata, issuer };
}
