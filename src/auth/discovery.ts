import type { AuthorizationServer } from 'oauth4webapi';
import type { AuthSettings } from '../base/authSettings.ts';
import { isCancellation } from '../base/errors.ts';
import { isString, isStringArray, type UnknownRecord } from '../base/json.ts';
import type { AddressPolicy } from './addressPolicy.ts';
import type { AuthFetch } from './authFetch.ts';
import { canonicalResource, findResourceMetadata } from './resourceMetadata.ts';
import { quoted, signInFailed, urlWithoutSecrets } from './signInErrors.ts';

/** Where to sign in, and what for. */
export interface SignInTarget {
  readonly server: AuthorizationServer;
  /** The resource indicator (RFC 8707). */
  readonly resource: string;
  /** What the server says there is to ask for. */
  readonly scopes: readonly string[] | undefined;
  readonly supportsDpop: boolean;
}

export interface Discovery {
  /**
   * Finds out where to sign in.
   * @param hinted the address of the metadata, from a challenge
   * @param preferred an issuer that is taken when it is among several
   * @throws {PatchbayError} `needsSignIn`
   */
  find(hinted: string | undefined, preferred: string | undefined, signal: AbortSignal): Promise<SignInTarget>;
  /** The metadata of an authorization server found earlier; fetched once. */
  serverOf(issuer: string, signal: AbortSignal): Promise<AuthorizationServer>;
}

export function createDiscovery(
  server: URL,
  settings: AuthSettings,
  authFetch: AuthFetch,
  policy: AddressPolicy,
): Discovery {
  const known = new Map<string, AuthorizationServer>();
  const fetchServer = async (issuer: string, signal: AbortSignal): Promise<AuthorizationServer> => {
    // A server of 2025-03-26 is its own authorization server, perhaps without metadata.
    const metadata =
      issuer === server.origin
        ? await fetchLegacyServerMetadata(server, authFetch, policy, signal)
        : await fetchServerMetadata(issuer, authFetch, policy, signal);
    known.set(issuer, metadata);
    return metadata;
  };
  return {
    async find(hinted, preferred, signal) {
      const metadata = await findResourceMetadata(server, hinted, authFetch, signal);
      if (metadata === undefined) {
        const own = await fetchLegacyServerMetadata(server, authFetch, policy, signal);
        known.set(own.issuer, own);
        checkIssuer(own.issuer, settings);
        return { server: own, resource: canonicalResource(server), scopes: undefined, supportsDpop: false };
      }
      const issuers = preferredFirst(metadata.authorizationServers, settings.issuer, preferred);
      const found = await firstSuccessful(issuers, (issuer) =>
        fetchServerMetadata(checkIssuer(issuer, settings), authFetch, policy, signal),
      );
      known.set(found.issuer, found);
      const { resource, scopes, supportsDpop: takesDpop } = metadata;
      return { server: found, resource, scopes, supportsDpop: takesDpop };
    },
    serverOf: async (issuer, signal) => known.get(issuer) ?? fetchServer(issuer, signal),
  };
}

function preferredFirst(issuers: readonly string[], ...preferred: readonly (string | undefined)[]): string[] {
  const first = preferred.filter((issuer) => issuer !== undefined && issuers.includes(issuer)) as string[];
  return [...new Set([...first, ...issuers])];
}

async function firstSuccessful<T>(issuers: readonly string[], use: (issuer: string) => Promise<T>): Promise<T> {
  let failure: unknown;
  for (const issuer of issuers) {
    try {
      return await use(issuer);
    } catch (error) {
      if (isCancellation(error)) throw error;
      failure ??= error;
    }
  }
  throw failure;
}

/** What a client id of the settings proves, it proves to its own authorization server only. */
function checkIssuer(issuer: string, settings: AuthSettings): string {
  if (settings.issuer === undefined || settings.issuer === issuer) return issuer;
  throw signInFailed(
    `The server names the authorization server ${quoted(issuer)}, but "issuer" under "patchbay": { "auth": … } says ${quoted(settings.issuer)}. If the server has moved, register there and change the settings.`,
  );
}

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
    `The authorization server ${urlWithoutSecrets(issuer)} has no metadata where they should be. Check that this is its address; whoever runs the MCP server names it.`,
  );
}

/** The same for a server of 2025-03-26, which is its own authorization server and may have default endpoints only. */
async function fetchLegacyServerMetadata(
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
    throw signInFailed(`${what} name ${name} with a fragment, which is not allowed: ${urlWithoutSecrets(url)}.`);
  const smuggled = requestParameters.filter((parameter) => url.searchParams.has(parameter));
  if (smuggled.length === 0) return url;
  throw signInFailed(
    `${what} name ${name} with a request of its own in it (${smuggled.join(', ')}), so it is not used: ${urlWithoutSecrets(url)}.`,
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
      `${what} at ${urlWithoutSecrets(address)} are those of ${isString(claimed) ? quoted(claimed) : 'somebody else'}, not of ${quoted(issuer)}: they are not used (RFC 8414, section 3.3).`,
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
