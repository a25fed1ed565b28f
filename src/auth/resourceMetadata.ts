import { isString, isStringArray, type UnknownRecord } from '../base/json.ts';
import { quoted, urlWithoutSecrets, signInFailed } from './signInErrors.ts';
import type { AuthFetch } from './authFetch.ts';
import { isScope } from './challenges.ts';

const what = 'The protected resource metadata';

/**
 * Finds the metadata of the server: at the address in its challenge, otherwise at the well-known address with the path, then
 * without it (2025-11-25, Basic / Authorization / Protected Resource Metadata Discovery Requirements).
 * @param metadataAddress the address in the challenge
 * @returns what the metadata (RFC 9728) say, with at least one authorization server; `undefined` for a server without metadata,
 *   as in 2025-03-26
 * @throws {PatchbayError} `needsSignIn` for metadata that cannot be used
 */
export async function findResourceMetadata(
  server: URL,
  metadataAddress: string | undefined,
  authFetch: Pick<AuthFetch, 'getMetadata'>,
  signal: AbortSignal,
) {
  if (metadataAddress !== undefined) {
    if (!URL.canParse(metadataAddress, server))
      throw signInFailed(`The server names no address of its metadata, but ${quoted(metadataAddress)}.`);
    const address = new URL(metadataAddress, server);
    const document = await authFetch.getMetadata(address, what, signal);
    if (document === undefined)
      throw signInFailed(`${what} that the server names is not at ${urlWithoutSecrets(address)}.`);
    return readResourceMetadata(document, server, address);
  }
  for (const address of wellKnownAddresses(server)) {
    const document = await authFetch.getMetadata(address, what, signal);
    // The root of the host may serve something else: only documents with `resource` are used.
    if (document?.['resource'] !== undefined) return readResourceMetadata(document, server, address);
  }
  return undefined;
}

function wellKnownAddresses(server: URL): URL[] {
  const root = new URL('/.well-known/oauth-protected-resource', server.origin);
  const path = server.pathname.replace(/\/$/, '');
  return path === '' ? [root] : [new URL(`${root.pathname}${path}${server.search}`, server.origin), root];
}

function readResourceMetadata(document: UnknownRecord, server: URL, address: URL) {
  const { resource, authorization_servers: issuers, scopes_supported: scopes } = document;
  if (!isString(resource) || !coversServer(resource, server)) {
    throw signInFailed(
      `${what} at ${urlWithoutSecrets(address)} are those of ${isString(resource) ? urlWithoutSecrets(resource) : 'nothing'}, not of ${urlWithoutSecrets(server)}. A token for one must not go to the other; check the address of the server.`,
    );
  }
  if (!isStringArray(issuers) || issuers.length === 0) {
    throw signInFailed(`${what} at ${urlWithoutSecrets(address)} name no authorization server.`);
  }
  const algorithms = document['dpop_signing_alg_values_supported'];
  return {
    resource,
    authorizationServers: issuers.slice(0, 10),
    scopes: isStringArray(scopes) ? scopes.filter(isScope).slice(0, 200) : undefined,
    supportsDpop:
      document['dpop_bound_access_tokens_required'] === true || (isStringArray(algorithms) && algorithms.length > 0),
  };
}

/** True when `resource` has the server's origin, and a path that contains the server's (RFC 9728, section 3.3). */
export function coversServer(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const url = new URL(resource);
  if (url.origin !== server.origin) return false;
  const path = url.pathname.replace(/\/$/, '');
  return server.pathname === path || server.pathname.startsWith(`${path}/`);
}

/** @returns the address without fragment, user and trailing slash (2025-11-25, Basic / Authorization / Canonical Server URI) */
export function canonicalResource(server: URL): string {
  const url = new URL(server);
  url.hash = '';
  url.username = '';
  url.password = '';
  return `${url.origin}${url.pathname.replace(/\/$/, '')}${url.search}`;
}
