import type { AuthorizationServer } from 'oauth4webapi';
import type { AuthSettings } from '../base/authSettings.ts';
import type { Clock } from '../base/clock.ts';
import { isOptional, isRecord, isString, isStringArray, parseJson } from '../base/json.ts';
import type { AuthorizationStore, RegistrationKind } from './ports.ts';
import { quoted, signInFailed } from './signInErrors.ts';

/** The identity of this client at one authorization server. Contains secrets. */
export interface RegisteredClient {
  readonly kind: RegistrationKind;
  /** Empty for a workload without a client id (extension `auth/wif`). */
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly privateKey?: string | undefined;
  readonly signingAlgorithm?: string | undefined;
  /** `token_endpoint_auth_method`, if the authorization server has set it at registration. */
  readonly method?: string | undefined;
}

/** A dynamically registered client, as stored for its authorization server. */
export interface StoredClient extends RegisteredClient {
  readonly redirectUris: readonly string[];
  /** Registered for these, and maybe for no others. */
  readonly scopes?: readonly string[] | undefined;
  /** Those that the authorization server has registered, which may be others. */
  readonly registeredScopes?: readonly string[] | undefined;
  /** Milliseconds since the epoch; absent: never. */
  readonly secretExpiresAt?: number | undefined;
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
    `The authorization server ${quoted(server.issuer)} does not let clients register by themselves. Register a client there yourself, then set its id as "clientId" (and "clientSecret", if it has one) under "patchbay": { "auth": … }.`,
  );
}

export function configuredClient(kind: 'configured' | 'document', settings: AuthSettings): RegisteredClient {
  const { clientId = '', clientSecret, clientMetadataUrl = '', privateKey, signingAlgorithm } = settings;
  const own = kind === 'document' ? { clientId: clientMetadataUrl } : { clientId, clientSecret };
  return { kind, ...own, privateKey, signingAlgorithm };
}

/** True for the flow in which a person signs in. */
export function isInteractive({ flow = 'authorizationCode' }: AuthSettings): boolean {
  return flow === 'authorizationCode';
}

/** Dynamically registered clients by issuer: credentials of one authorization server are never sent to another. */
export class ClientRegistry {
  readonly #store: AuthorizationStore;
  readonly #clock: Clock;

  constructor(store: AuthorizationStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** @returns `undefined` without a client, or when its secret has expired */
  async find(issuer: string): Promise<StoredClient | undefined> {
    const client = readStoredClient(await this.#store.get(`client:${issuer}`));
    const hasEnded = client?.secretExpiresAt !== undefined && client.secretExpiresAt <= this.#clock.now();
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

/** What is not valid counts as none: the next registration replaces it. */
function readStoredClient(text = ''): StoredClient | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const { clientId, clientSecret, method, redirectUris, scopes, registeredScopes, secretExpiresAt } = value;
  const isEnd = (end: unknown): end is number => typeof end === 'number';
  return isString(clientId) &&
    isOptional(clientSecret, isString) &&
    isOptional(secretExpiresAt, isEnd) &&
    isOptional(method, isString) &&
    isStringArray(redirectUris) &&
    isOptional(scopes, isStringArray) &&
    isOptional(registeredScopes, isStringArray)
    ? { kind: 'dynamic', clientId, clientSecret, method, redirectUris, scopes, registeredScopes, secretExpiresAt }
    : undefined;
}
