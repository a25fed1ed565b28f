import type { AuthorizationServer } from 'oauth4webapi';
import type { AuthSettings } from '../base/authSettings.ts';
import { isCancellation } from '../base/errors.ts';
import { isString, isStringArray, type UnknownRecord } from '../base/json.ts';
import type { AddressPolicy } from './addressPolicy.ts';
import type { AuthFetch } from './authFetch.ts';
import { canonicalResource, findResourceMetadata } from './resourceMetadata.ts';
import { quoted, signInFailed, urlWithoutSecrets } from './signInErrors.ts';

export interface SignInTarget {
  readonly server: AuthorizationServer;
  /** The resource indicator (RFC 8707). */
  readonly resource: string;
  readonly scopes: readonly string[] | undefined;
  readonly supportsDpop: boolean;
}

export class Discovery {
  readonly #server: URL;
  readonly #settings: AuthSettings;
  readonly #authFetch: AuthFetch;
  readonly #known = new Map<string, AuthorizationServer>();

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
    const settings = this.#settings;
    const metadata = await findResourceMetadata(this.#server, metadataAddress, this.#authFetch, signal);
    if (metadata === undefined) {
      const server = this.#remember(await this.#fetchLegacy(signal));
      checkIssuer(server.issuer, settings);
      return { server, resource: canonicalResource(this.#server), scopes: undefined, supportsDpop: false };
    }
    const { resource, scopes, supportsDpop, authorizationServers } = metadata;
    const issuers = preferredFirst(authorizationServers, settings.issuer, preferred);
    const found = await firstSuccessful(issuers, (issuer) => this.fetch(checkIssuer(issuer, settings), signal));
    return { server: this.#remember(found), resource, scopes, supportsDpop };
  }

  /** @returns the metadata of an authorization server by issuer, fetched once */
  async serverOf(issuer: string, signal: AbortSignal): Promise<AuthorizationServer> {
    const known = this.#known.get(issuer);
    if (known !== undefined) return known;
    // In 2025-03-26 the MCP server is its own authorization server, possibly without metadata.
    const isLegacy = issuer === this.#server.origin;
    const metadata = await (isLegacy ? this.#fetchLegacy(signal) : this.fetch(issuer, signal));
    this.#known.set(issuer, metadata);
    return metadata;
  }

  #remember(server: AuthorizationServer): AuthorizationServer {
    this.#known.set(server.issuer, server);
    return server;
  }

  /**
   * Fetches the metadata of an authorization server, of OAuth (RFC 8414) or OpenID, in the order of the specification
   * (2025-11-25, Basic / Authorization / Authorization Server Metadata Discovery).
   * @param issuer unchanged; metadata with a different issuer are refused
   * @throws {PatchbayError} `needsSignIn`
   */
  async fetch(issuer: string, signal: AbortSignal): Promise<AuthorizationServer> {
    const found = await this.#findMetadata(issuer, signal);
    if (found !== undefined) return found;
    throw signInFailed(
      `The authorization server ${urlWithoutSecrets(issuer)} has no metadata at the expected address. Check the issuer.`,
    );
  }

  /** The same for a server of 2025-03-26, which is its own authorization server; without metadata it has default endpoints. */
  async #fetchLegacy(signal: AbortSignal): Promise<AuthorizationServer> {
    const issuer = this.#server.origin;
    // The issuer may be written with or without the final slash.
    const found = (await this.#findMetadata(issuer, signal, `${issuer}/`)) ?? {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
    };
    // That revision requires PKCE, but not in the metadata.
    return { code_challenge_methods_supported: ['S256'], ...found };
  }

  async #findMetadata(
    issuer: string,
    signal: AbortSignal,
    alternative?: string,
  ): Promise<AuthorizationServer | undefined> {
    // The issuer is shown, logged and compared: it must not contain hidden characters.
    if (!/^[\x21-\x7e]{1,2000}$/.test(issuer)) {
      throw signInFailed(`The server names no authorization server, but ${quoted(issuer)}.`);
    }
    const { policy } = this.#authFetch;
    const url = policy.check(issuer, 'the authorization server');
    // RFC 8414, section 2.
    if (/[?#]/.test(issuer))
      throw signInFailed(`The server names an authorization server with a query or a fragment: ${quoted(issuer)}.`);
    for (const address of metadataAddresses(url)) {
      const document = await this.#authFetch.getMetadata(address, what, signal);
      if (document?.['issuer'] === undefined) continue;
      const isAlternative = alternative !== undefined && document['issuer'] === alternative;
      return readServerMetadata(document, isAlternative ? alternative : issuer, address, policy);
    }
    return undefined;
  }
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

/** A client id of the settings is used only at the authorization server that issued it. */
function checkIssuer(issuer: string, settings: AuthSettings): string {
  if (settings.issuer === undefined || settings.issuer === issuer) return issuer;
  throw signInFailed(
    `The server names the authorization server ${quoted(issuer)}, but "issuer" under "patchbay": { "auth": … } says ${quoted(settings.issuer)}. If the server has moved, register there and change the settings.`,
  );
}

const what = 'The metadata of the authorization server';

function metadataAddresses(issuer: URL): URL[] {
  const path = issuer.pathname.replace(/\/$/, '');
  const at = (pathname: string): URL => new URL(pathname, issuer.origin);
  const inserted = [
    at(`/.well-known/oauth-authorization-server${path}`),
    at(`/.well-known/openid-configuration${path}`),
  ];
  return path === '' ? inserted : [...inserted, at(`${path}/.well-known/openid-configuration`)];
}

const endpoints = 'authorization_endpoint token_endpoint registration_endpoint revocation_endpoint'.split(' ');
const lists = `code_challenge_methods_supported dpop_signing_alg_values_supported grant_types_supported scopes_supported
  token_endpoint_auth_methods_supported`.split(/\s+/);
const flags = ['authorization_response_iss_parameter_supported', 'client_id_metadata_document_supported'];

/** Only this client sets these (RFC 6749, section 4.1.1; RFC 7636; RFC 8707; RFC 9101; RFC 9449; OpenID Connect). */
const requestParameters =
  `client_id code_challenge code_challenge_method dpop_jkt redirect_uri request request_uri resource
  response_mode response_type scope state`.split(/\s+/);

/** An endpoint may have a query (RFC 6749, section 3.1), but without parameters of the request, and no fragment. */
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

/** Copies the members that are used here, if they have the right type and an allowed address. */
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
  for (const [name, value] of Object.entries(document)) {
    if (endpoints.includes(name) && isString(value))
      metadata[name] = checkEndpoint(value, `the ${name.replaceAll('_', ' ')}`, policy).href;
    else if (lists.includes(name) && isStringArray(value)) metadata[name] = value;
    else if (flags.includes(name) && typeof value === 'boolean') metadata[name] = value;
  }
  return { ...metadata, issuer };
}
