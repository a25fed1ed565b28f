import {
  allowInsecureRequests,
  type AuthorizationServer,
  type Client,
  customFetch,
  dynamicClientRegistrationRequest,
  processDynamicClientRegistrationResponse,
} from 'oauth4webapi';
import type { AuthSettings } from '../base/authSettings.ts';
import { isThisComputer } from '../base/hostKind.ts';
import { isOptional, isRecord, isString, isStringArray, parseJson, type UnknownRecord } from '../base/json.ts';
import type { RegisteredClient } from './clientAuthentication.ts';
import { OAuthRefusal, quoted, signInFailed } from './signInErrors.ts';
import type { AuthFetch, PostAnswer } from './authFetch.ts';
import type { AuthorizationStore, RegistrationKind } from './ports.ts';

/** A dynamically registered client, as stored for its authorization server. Contains secrets. */
export interface StoredClient {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** Milliseconds since the epoch; absent: never. */
  readonly secretExpiresAt?: number;
  readonly method?: string;
  readonly redirectUris: readonly string[];
}

/**
 * Selects the registration at an authorization server: the client id of the settings, then the metadata document, then
 * dynamic registration (2025-11-25, Basic / Authorization / Client Registration Approaches).
 * @throws {PatchbayError} `needsSignIn` that says what to configure, when none of them is possible
 */
export function registrationFor(server: AuthorizationServer, settings: AuthSettings): RegistrationKind {
  if (settings.clientId !== undefined) return 'configured';
  if (settings.clientMetadataUrl !== undefined && server.client_id_metadata_document_supported === true) {
    return 'document';
  }
  if (server.registration_endpoint !== undefined) return 'dynamic';
  throw signInFailed(
    `The authorization server ${quoted(server.issuer)} does not let clients register by themselves. Register a client there by hand, then set its id as "clientId" (and "clientSecret", if it has one) under "patchbay": { "auth": … }.`,
  );
}

export function configuredClient(kind: 'configured' | 'document', settings: AuthSettings): RegisteredClient {
  const { clientId, clientSecret, clientMetadataUrl, privateKey, signingAlgorithm } = settings;
  return {
    kind,
    clientId: (kind === 'configured' ? clientId : clientMetadataUrl) ?? '',
    ...(kind === 'configured' && clientSecret !== undefined && { clientSecret }),
    ...(privateKey !== undefined && { privateKey }),
    ...(signingAlgorithm !== undefined && { signingAlgorithm }),
  };
}

export function toRegisteredClient({ clientId, clientSecret, method }: StoredClient): RegisteredClient {
  return {
    kind: 'dynamic',
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(method !== undefined && { method }),
  };
}

/** Dynamically registered clients by issuer: credentials of one authorization server are never sent to another. */
export class ClientRegistry {
  readonly #store: AuthorizationStore;
  readonly #now: () => number;

  constructor(store: AuthorizationStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** @returns `undefined` without a client, or when its secret has expired */
  async find(issuer: string): Promise<StoredClient | undefined> {
    const client = readStoredClient(await this.#store.get(`client:${issuer}`));
    const hasEnded = client?.secretExpiresAt !== undefined && client.secretExpiresAt <= this.#now();
    return hasEnded ? undefined : client;
  }

  save(issuer: string, client: StoredClient): Promise<void> {
    return this.#store.set(`client:${issuer}`, JSON.stringify(client));
  }

  /** Deletes the client unless another one has replaced it. */
  async forget(issuer: string, clientId: string): Promise<void> {
    if ((await this.find(issuer))?.clientId === clientId) await this.#store.delete(`client:${issuer}`);
  }
}

/**
 * Registers this client (RFC 7591).
 * @throws {PatchbayError} `needsSignIn` when it is refused, with advice if the redirect URI is the reason; `unreachable`
 */
export async function registerClient(
  server: AuthorizationServer,
  clientName: string,
  redirectUri: string,
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
  };
  let answer: PostAnswer | undefined;
  try {
    const response = await dynamicClientRegistrationRequest(server, metadata, {
      // The address policy decides which addresses are allowed; it allows http on loopback.
      [allowInsecureRequests]: true,
      [customFetch]: async (url, { body, headers }) => {
        answer = await authFetch.post(new URL(url), body, headers, 'The registration endpoint', signal);
        return normalizeRegistrationResponse(answer);
      },
    });
    return toStoredClient(await processDynamicClientRegistrationResponse(response), redirectUri);
  } catch (error) {
    // The causes of the library's errors contain the whole answer: they are dropped.
    throw answer === undefined ? error : registrationRefused(server.issuer, answer, redirectUri);
  }
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

/**
 * Converts the answer to the form that oauth4webapi accepts: some servers answer 200 instead of 201, and omit the expiry of a
 * secret, or send an empty one for a public client.
 */
function normalizeRegistrationResponse({ status, body }: PostAnswer): Response {
  const { client_secret: secret, client_secret_expires_at: end, ...rest }: UnknownRecord = body ?? {};
  const hasSecret = isString(secret) && secret !== '';
  const answer = {
    ...rest,
    ...(hasSecret && { client_secret: secret, client_secret_expires_at: isExpiry(end) ? end : 0 }),
  };
  return new Response(JSON.stringify(answer), {
    status: status === 200 ? 201 : Math.max(status, 201),
    headers: { 'Content-Type': 'application/json' },
  });
}

/** Seconds since the epoch. 0 means never (RFC 7591, section 3.2.1), as does a value that no clock reaches. */
function isExpiry(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && Number.isSafeInteger(Math.trunc(value * 1000));
}

function toStoredClient(client: Client, redirectUri: string): StoredClient {
  const { client_id: clientId, client_secret: secret, client_secret_expires_at: end } = client;
  const method = client['token_endpoint_auth_method'];
  return {
    clientId,
    ...(isString(secret) && { clientSecret: secret }),
    ...(isExpiry(end) && { secretExpiresAt: end * 1000 }),
    ...(isString(method) && { method }),
    redirectUris: [redirectUri],
  };
}

function registrationRefused(issuer: string, { status, body = {} }: PostAnswer, redirectUri: string): OAuthRefusal {
  const { error, error_description: words } = body;
  const reason = isString(error) ? error : `status ${status}`;
  const server = `The authorization server ${quoted(issuer)}`;
  // Without metadata the endpoint was a default (2025-03-26, Basic / Authorization / Fallbacks for Servers without Metadata
  // Discovery).
  if (status === 404 || status === 405) {
    return new OAuthRefusal(
      reason,
      `${server} does not register clients (status ${status}). If the MCP server takes a key, set it as "Authorization" under "headers"; else register a client by hand, then set "clientId" under "patchbay": { "auth": … }.`,
    );
  }
  const description = isString(words) ? `: ${quoted(words)}` : '';
  const isAboutRedirect = reason === 'invalid_redirect_uri' || /redirect/i.test(description);
  const advice = isAboutRedirect
    ? `It does not accept ${redirectUri} as the address to come back to. Register a client there by hand with an address it accepts, then set "clientId" and "redirectPort" under "patchbay": { "auth": … }.`
    : 'Register a client there by hand, then set "clientId" under "patchbay": { "auth": … }.';
  return new OAuthRefusal(
    reason,
    `${server} refuses to register this client (${quoted(reason)}${description}). ${advice}`,
  );
}

/** What is not valid counts as none: the next registration replaces it. */
function readStoredClient(text = ''): StoredClient | undefined {
  const value = parseJson(text);
  const isClient =
    isRecord(value) &&
    isString(value['clientId']) &&
    isOptional(value['clientSecret'], isString) &&
    isOptional(value['secretExpiresAt'], (end): end is number => typeof end === 'number') &&
    isOptional(value['method'], isString) &&
    isStringArray(value['redirectUris']);
  return isClient ? (value as unknown as StoredClient) : undefined;
}
