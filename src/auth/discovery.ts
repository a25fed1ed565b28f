import type { AuthorizationServer } from 'oauth4webapi';
import type { AuthSettings } from '../base/authSettings.ts';
import { isString, type UnknownRecord } from '../base/json.ts';
import type { AddressPolicy } from './addressPolicy.ts';
import type { AuthFetch } from './authFetch.ts';
import { isTemplate, isTemplateOf, sameIssuer } from './issuers.ts';
import { readList } from './readList.ts';
import { canonicalResource, findResourceMetadata, type ResourceMetadata } from './resourceMetadata.ts';
import { searchPlaces } from './searchPlaces.ts';
import { quoted, signInFailed, urlWithoutSecrets } from './signInErrors.ts';

/** Where to sign in, and for which resource. */
export interface SignInTarget {
  readonly server: ServerMetadata;
  /** The resource indicator to send (RFC 8707). */
  readonly resource: string | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly supportsDpop: boolean;
}

/** @returns the parameter of a request for a code or a token (RFC 8707, section 2) */
export function resourceParameter({ resource }: Pick<SignInTarget, 'resource'>): Readonly<Record<string, string>> {
  return resource === undefined ? {} : { resource };
}

/** `issuer` is as the authorization server writes it itself. */
export interface ServerMetadata extends AuthorizationServer {
  /** What the metadata say instead of the issuer, as for all tenants of Entra: `https://…/{tenantid}/v2.0`. */
  readonly issuerTemplate?: string;
}

export class Discovery {
  readonly #server: URL;
  readonly #settings: AuthSettings;
  readonly #authFetch: AuthFetch;
  readonly #known = new Map<string, ServerMetadata>();

  constructor(server: URL, settings: AuthSettings, authFetch: AuthFetch) {
    this.#server = server;
    this.#settings = settings;
    this.#authFetch = authFetch;
  }

  /**
   * Finds the authorization server.
   * @param metadataAddress the address of the resource metadata from a challenge
   * @param preferred the issuer to use if the server lists several
   * @throws {PatchbayError} `needsSignIn`
   */
  async find(
    metadataAddress: string | undefined,
    preferred: string | undefined,
    signal: AbortSignal,
  ): Promise<SignInTarget> {
    const { resource } = this.#settings;
    const { found, failure } = await findResourceMetadata(this.#server, metadataAddress, this.#authFetch, signal);
    const server = await this.#findServer(found, failure, preferred, signal);
    this.#known.set(server.issuer, server);
    return {
      server,
      resource: resource === undefined ? (found?.resource ?? canonicalResource(this.#server)) : resource || undefined,
      scopes: found?.scopes,
      supportsDpop: found?.supportsDpop === true,
    };
  }

  /** @param failure why the metadata of the resource may be somewhere, although they were not found */
  async #findServer(
    metadata: ResourceMetadata | undefined,
    failure: unknown,
    preferred: string | undefined,
    signal: AbortSignal,
  ): Promise<ServerMetadata> {
    const [settings, authFetch] = [this.#settings, this.#authFetch];
    if (settings.metadataUrl !== undefined) return this.#fetchAsSet(settings.metadataUrl, signal);
    const named = metadata?.authorizationServers ?? [];
    if (named.length === 0) {
      const server = await fetchLegacyServerMetadata(this.#server, authFetch, signal, failure);
      checkIssuer(server.issuer, settings);
      return server;
    }
    const allowed = named.filter((issuer) => settings.issuer === undefined || sameIssuer(settings.issuer, issuer));
    if (allowed.length === 0) checkIssuer(named[0] ?? '', settings);
    const issuers = preferredFirst(allowed, preferred);
    const search = await searchPlaces(issuers, (issuer) => fetchServerMetadata(issuer, authFetch, signal));
    if (search.found === undefined) throw search.failure;
    return search.found;
  }

  /** @returns the metadata of an authorization server by issuer, fetched once */
  async serverOf(issuer: string, signal: AbortSignal): Promise<ServerMetadata> {
    const known = this.#known.get(issuer);
    if (known !== undefined) return known;
    const special = await this.#specialServer(issuer, signal);
    // What was issued by one must not go to another, which has taken its place at the address of the settings or of the MCP server.
    const isSame = special !== undefined && sameIssuer(special.issuer, issuer);
    const metadata = isSame ? special : await fetchServerMetadata(issuer, this.#authFetch, signal);
    this.#known.set(issuer, metadata);
    return metadata;
  }

  /** Metadata that are not where those of the issuer would be. */
  async #specialServer(issuer: string, signal: AbortSignal): Promise<ServerMetadata | undefined> {
    const { metadataUrl } = this.#settings;
    if (metadataUrl !== undefined) return this.#fetchAsSet(metadataUrl, signal);
    // In 2025-03-26 the MCP server is its own authorization server, possibly without metadata.
    const isOwn = ownIssuers(this.#server).some((own) => sameIssuer(own, issuer));
    return isOwn ? fetchLegacyServerMetadata(this.#server, this.#authFetch, signal) : undefined;
  }

  /** Fetches the metadata at the address of the settings. The issuer in it may be of another host only if the settings say so. */
  async #fetchAsSet(text: string, signal: AbortSignal): Promise<ServerMetadata> {
    const address = this.#authFetch.policy.check(text, 'the address "metadataUrl"');
    const document = await this.#authFetch.getMetadata(address, what, signal);
    const issuer = document?.['issuer'];
    if (document === undefined || !isString(issuer))
      throw signInFailed(`${what} are not at ${urlWithoutSecrets(address)}, which "metadataUrl" under "auth" names.`);
    const { origin } = checkedIssuer(issuer, this.#authFetch.policy);
    if (this.#settings.issuer === undefined && origin !== address.origin)
      throw signInFailed(
        `${what} at ${urlWithoutSecrets(address)} are those of ${quoted(issuer)}, which is another host. If that is right, set "issuer" beside "metadataUrl" to it.`,
      );
    return readServerMetadata(document, [this.#settings.issuer ?? issuer], address, this.#authFetch.policy);
  }
}

function preferredFirst(issuers: readonly string[], preferred: string | undefined): string[] {
  const first = issuers.filter((issuer) => sameIssuer(issuer, preferred));
  return [...new Set([...first, ...issuers])];
}

/** The issuers that a server of 2025-03-26 may have, which is its own authorization server: at its path, or at its root. */
function ownIssuers({ origin, pathname }: URL): string[] {
  const path = pathname.replace(/\/$/, '');
  return path === '' ? [origin] : [`${origin}${path}`, origin];
}

/** A client id of the settings is used only at the authorization server that issued it. */
function checkIssuer(issuer: string, settings: AuthSettings): string {
  if (settings.issuer === undefined || sameIssuer(settings.issuer, issuer)) return issuer;
  throw signInFailed(
    `The server names the authorization server ${quoted(issuer)}, but "issuer" under "patchbay": { "auth": … } says ${quoted(settings.issuer)}. If the server has moved, register there and change the settings.`,
  );
}

const what = 'The metadata of the authorization server';

/**
 * Fetches the metadata of an authorization server, of OAuth (RFC 8414) or OpenID, in the order of the specification
 * (2025-11-25, Basic / Authorization / Authorization Server Metadata Discovery).
 * @param issuer unchanged; metadata with a different issuer are refused
 * @param advice what to do where they are elsewhere
 * @throws {PatchbayError} `needsSignIn`
 */
export async function fetchServerMetadata(
  issuer: string,
  authFetch: AuthFetch,
  signal: AbortSignal,
  advice = 'If they are elsewhere, set "metadataUrl" under "auth" in your settings.',
): Promise<ServerMetadata> {
  const { found, failure } = await findServerMetadata([issuer], authFetch, signal);
  if (found !== undefined) return found;
  if (failure !== undefined) throw failure;
  throw signInFailed(
    `The authorization server ${urlWithoutSecrets(issuer)} has no metadata at the expected address. Check the issuer. ${advice}`,
  );
}

/**
 * The same for a server of 2025-03-26, which is its own authorization server; without metadata it has default endpoints.
 * @param before why the metadata of the resource could not be read: then nothing is taken for granted
 */
async function fetchLegacyServerMetadata(
  server: URL,
  authFetch: AuthFetch,
  signal: AbortSignal,
  before?: unknown,
): Promise<ServerMetadata> {
  const { found, failure = before } = await findServerMetadata(ownIssuers(server), authFetch, signal);
  if (found === undefined && failure !== undefined) throw failure;
  const { origin } = server;
  const defaults = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
  };
  // That revision requires PKCE, but not in the metadata.
  return { code_challenge_methods_supported: ['S256'], ...(found ?? defaults) };
}

/**
 * Looks at the addresses of each issuer. What the host says at its root may be of any of them; a path speaks for itself only, as it
 * may belong to someone else (RFC 8414, section 3.3).
 */
async function findServerMetadata(issuers: readonly string[], authFetch: AuthFetch, signal: AbortSignal) {
  const places = issuers.flatMap((issuer) =>
    metadataAddresses(checkedIssuer(issuer, authFetch.policy)).map((address) => ({ address, issuer })),
  );
  return searchPlaces(places, async ({ address, issuer }) => {
    const document = await authFetch.getMetadata(address, what, signal);
    if (document?.['issuer'] === undefined) return undefined;
    const isAtRoot = address.pathname.startsWith('/.well-known/');
    const metadata = readServerMetadata(document, isAtRoot ? issuers : [issuer], address, authFetch.policy);
    if (metadata.token_endpoint !== undefined) return metadata;
    throw signInFailed(`${what} at ${urlWithoutSecrets(address)} name no token endpoint.`);
  });
}

function checkedIssuer(issuer: string, policy: AddressPolicy): URL {
  // The issuer is shown, logged and compared: it must not contain hidden characters.
  if (!/^[\x21-\x7e]{1,2000}$/.test(issuer)) {
    throw signInFailed(`The server names no authorization server, but ${quoted(issuer)}.`);
  }
  const url = policy.check(issuer, 'the authorization server');
  // RFC 8414, section 2.
  if (/[?#]/.test(issuer))
    throw signInFailed(`The server names an authorization server with a query or a fragment: ${quoted(issuer)}.`);
  return url;
}

function metadataAddresses(issuer: URL): URL[] {
  const path = issuer.pathname.replace(/\/$/, '');
  // Not resolved: a path that begins with two slashes would lead to another host.
  const at = (pathname: string): URL => Object.assign(new URL(issuer.origin), { pathname });
  const inserted = [
    at(`/.well-known/oauth-authorization-server${path}`),
    at(`/.well-known/openid-configuration${path}`),
  ];
  // The last is in no revision, but the only place that some servers below a path have.
  const appended = ['openid-configuration', 'oauth-authorization-server'].map((name) =>
    at(`${path}/.well-known/${name}`),
  );
  return path === '' ? inserted : [...inserted, ...appended];
}

const endpoints = 'authorization_endpoint token_endpoint registration_endpoint revocation_endpoint'.split(' ');
const lists = `code_challenge_methods_supported dpop_signing_alg_values_supported grant_types_supported scopes_supported
  token_endpoint_auth_methods_supported`.split(/\s+/);
const flags = ['authorization_response_iss_parameter_supported', 'client_id_metadata_document_supported'];

/** Only this client sets these (RFC 6749, section 4.1.1; RFC 7636; RFC 8707; RFC 9101; RFC 9449; OpenID Connect). */
const ownRequestParameters =
  `client_id code_challenge code_challenge_method dpop_jkt redirect_uri request request_uri resource
  response_mode response_type scope state`.split(/\s+/);

/** An endpoint may have a query (RFC 6749, section 3.1), but without parameters of the request, and no fragment. */
function checkEndpoint(address: string, name: string, policy: AddressPolicy): URL {
  const url = policy.check(address, name);
  if (url.href.includes('#'))
    throw signInFailed(`${what} name ${name} with a fragment, which is not allowed: ${urlWithoutSecrets(url)}.`);
  const smuggled = ownRequestParameters.filter((parameter) => url.searchParams.has(parameter));
  if (smuggled.length === 0) return url;
  throw signInFailed(
    `${what} name ${name} with a request of its own in it (${smuggled.join(', ')}), so it is not used: ${urlWithoutSecrets(url)}.`,
  );
}

/**
 * Copies the members that are used here, if they have the right type and an allowed address.
 * @param issuers the document must be of one of them
 */
function readServerMetadata(
  document: UnknownRecord,
  issuers: readonly string[],
  address: URL,
  policy: AddressPolicy,
): ServerMetadata {
  const claimed = isString(document['issuer']) ? document['issuer'] : '';
  const isNamed = issuers.some((issuer) => sameIssuer(issuer, claimed));
  const ofTemplate = isNamed ? undefined : issuers.find((issuer) => isTemplateOf(claimed, issuer));
  if (!isNamed && ofTemplate === undefined) {
    throw signInFailed(
      `${what} at ${urlWithoutSecrets(address)} ${claimed === '' ? 'name no issuer' : `are those of ${quoted(claimed)}`} instead of ${quoted(issuers[0] ?? '')}: they are not used (RFC 8414, section 3.3).`,
    );
  }
  const metadata: Record<string, string | boolean | string[]> = {};
  for (const [name, value] of Object.entries(document)) {
    if (endpoints.includes(name) && isString(value) && value !== '') {
      try {
        metadata[name] = checkEndpoint(value, `the ${name.replaceAll('_', ' ')}`, policy).href;
      } catch (error) {
        // What is not needed to sign in does not end it. The address for registering is checked again where it is used.
        if (name === 'registration_endpoint' && URL.canParse(value)) metadata[name] = value;
        else if (name !== 'revocation_endpoint') throw error;
      }
    } else if (lists.includes(name)) Object.assign(metadata, { [name]: readList(value) });
    else if (flags.includes(name) && typeof value === 'boolean') metadata[name] = value;
  }
  return { ...metadata, issuer: ofTemplate ?? claimed, ...(isTemplate(claimed) && { issuerTemplate: claimed }) };
}
