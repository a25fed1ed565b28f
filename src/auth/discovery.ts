import type { AuthorizationServer } from 'oauth4webapi';
import type { AuthSettings } from '../base/authSettings.ts';
import { isCancellation } from '../base/errors.ts';
import type { AddressPolicy } from './addressPolicy.ts';
import type { AuthFetch } from './authFetch.ts';
import { quoted, signInFailed } from './authorizationProblem.ts';
import { canonicalResource, findResourceMetadata } from './resourceMetadata.ts';
import { fetchOwnMetadata, fetchServerMetadata } from './serverMetadata.ts';

/** Where to sign in, and what for. */
export interface SignInTarget {
  readonly server: AuthorizationServer;
  /** The resource indicator (RFC 8707). */
  readonly resource: string;
  /** What the server says there is to ask for. */
  readonly scopes: readonly string[] | undefined;
  readonly takesDpop: boolean;
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
        ? await fetchOwnMetadata(server, authFetch, policy, signal)
        : await fetchServerMetadata(issuer, authFetch, policy, signal);
    known.set(issuer, metadata);
    return metadata;
  };
  return {
    async find(hinted, preferred, signal) {
      const metadata = await findResourceMetadata(server, hinted, authFetch, signal);
      if (metadata === undefined) {
        const own = await fetchOwnMetadata(server, authFetch, policy, signal);
        known.set(own.issuer, own);
        checkIssuer(own.issuer, settings);
        return { server: own, resource: canonicalResource(server), scopes: undefined, takesDpop: false };
      }
      const issuers = inOrder(metadata.authorizationServers, settings.issuer, preferred);
      const found = await firstThatWorks(issuers, (issuer) =>
        fetchServerMetadata(checkIssuer(issuer, settings), authFetch, policy, signal),
      );
      known.set(found.issuer, found);
      const { resource, scopes, takesDpop } = metadata;
      return { server: found, resource, scopes, takesDpop };
    },
    serverOf: async (issuer, signal) => known.get(issuer) ?? fetchServer(issuer, signal),
  };
}

function inOrder(issuers: readonly string[], ...preferred: readonly (string | undefined)[]): string[] {
  const first = preferred.filter((issuer) => issuer !== undefined && issuers.includes(issuer)) as string[];
  return [...new Set([...first, ...issuers])];
}

async function firstThatWorks<T>(issuers: readonly string[], use: (issuer: string) => Promise<T>): Promise<T> {
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
