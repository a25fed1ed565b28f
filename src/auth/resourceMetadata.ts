import { isPatchbayError } from '../base/errors.ts';
import { isString, type UnknownRecord } from '../base/json.ts';
import { quoted, urlWithoutSecrets, signInFailed } from './signInErrors.ts';
import type { AuthFetch } from './authFetch.ts';
import { isScope } from './challenges.ts';
import { readList } from './readList.ts';
import { type SearchResult, searchPlaces } from './searchPlaces.ts';

/** Protected resource metadata of a server (RFC 9728). */
export interface ResourceMetadata {
  readonly resource: string;
  /** Issuers. None: the server is its own authorization server. */
  readonly authorizationServers: readonly string[];
  readonly scopes: readonly string[] | undefined;
  readonly supportsDpop: boolean;
}

const what = 'The protected resource metadata';

/**
 * Finds the metadata of the server: at the address in its challenge, otherwise at the well-known address with the path, then
 * without it (2025-11-25, Basic / Authorization / Protected Resource Metadata Discovery Requirements).
 * @param metadataAddress the address in the challenge
 * @returns nothing for a server without metadata, as in 2025-03-26; with a failure when an address did not answer
 * @throws {PatchbayError} `needsSignIn` for metadata that cannot be used
 */
export async function findResourceMetadata(
  server: URL,
  metadataAddress: string | undefined,
  authFetch: Pick<AuthFetch, 'getMetadata'>,
  signal: AbortSignal,
): Promise<SearchResult<ResourceMetadata>> {
  const named = metadataAddress === undefined ? [] : [metadataAddress];
  let missing: unknown;
  const { found, failure } = await searchPlaces(
    [...new Set([...named, ...wellKnownAddresses(server)])],
    async (place) => {
      if (!URL.canParse(place, server))
        throw signInFailed(`The server names no address of its metadata, but ${quoted(place)}.`);
      const address = new URL(place, server);
      const document = await authFetch.getMetadata(address, what, signal);
      // The root of the host may serve something else: only documents with `resource` are used.
      if (document?.['resource'] !== undefined) return readResourceMetadata(document, server, address);
      const fault = document === undefined ? 'is not there' : 'names no "resource"';
      if (place === metadataAddress)
        missing = signInFailed(`${what} that the server names at ${urlWithoutSecrets(address)} ${fault}.`);
      return undefined;
    },
  );
  if (isPatchbayError(failure, 'needsSignIn')) throw failure;
  return { found, failure: failure ?? missing };
}

function wellKnownAddresses(server: URL): string[] {
  const root = new URL('/.well-known/oauth-protected-resource', server.origin);
  const path = server.pathname.replace(/\/$/, '');
  // The last is in no revision, but the only place that some servers below a path have.
  const appended = `${server.origin}${path}/.well-known/oauth-protected-resource`;
  return path === '' ? [root.href] : [`${root.href}${path}${server.search}`, root.href, appended];
}

function readResourceMetadata(document: UnknownRecord, server: URL, address: URL): ResourceMetadata {
  const { resource } = document;
  if (!isString(resource) || !coversServer(resource, server)) {
    throw signInFailed(
      `${what} at ${urlWithoutSecrets(address)} are those of ${isString(resource) ? urlWithoutSecrets(resource) : 'nothing'}, not of ${urlWithoutSecrets(server)}. A token for one must not go to the other; check the address of the server.`,
    );
  }
  return {
    resource,
    authorizationServers: (readList(document['authorization_servers']) ?? []).slice(0, 5),
    scopes: readList(document['scopes_supported'])?.filter(isScope).slice(0, 200),
    supportsDpop:
      document['dpop_bound_access_tokens_required'] === true ||
      readList(document['dpop_signing_alg_values_supported']) !== undefined,
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
