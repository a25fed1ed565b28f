import type { AuthFlow, AuthSettings } from '../base/authSettings.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import { isOptional, isRecord, isString, isStringArray, parseJson } from '../base/json.ts';
import type { AuthorizationContext, ContextChange } from '../protocol/httpAuthorizer.ts';
import type { DpopKeyJwk } from './dpop.ts';
import type { RegisteredClient } from './clients.ts';
import type { AuthorizationStore } from './ports.ts';
import { canonicalResource } from './resourceMetadata.ts';
import type { IssuedToken } from './tokenRequests.ts';

/** The tokens that an authorization server issued for one MCP server. Secret; stored as JSON. */
export interface Grant {
  readonly issuer: string;
  /** An opaque id of the account, unchanged when the token is refreshed. Absent in grants of earlier versions. */
  readonly account?: string | undefined;
  /** The resource indicator of the token request (RFC 8707). */
  readonly resource?: string | undefined;
  /** Without values that are in the settings. */
  readonly client: RegisteredClient;
  readonly accessToken: string;
  /** The token is bound to `dpopKey` (RFC 9449). */
  readonly isDpop: boolean;
  readonly dpopKey?: DpopKeyJwk | undefined;
  readonly refreshToken?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  /** Milliseconds since the epoch; absent: unknown. */
  readonly expiresAt?: number | undefined;
  /** All scopes requested so far, including those of the grants it replaced. */
  readonly requestedScopes: readonly string[];
  /** The scopes of the token response; absent: as requested. */
  readonly grantedScopes?: readonly string[] | undefined;
}

/**
 * Creates the grant for a token response.
 * @param basis the data of the request, or the grant that is refreshed
 * @param now milliseconds since the epoch
 */
export function createGrant(
  basis: Omit<Grant, 'accessToken' | 'isDpop' | 'issuedAt' | 'expiresAt'>,
  token: IssuedToken,
  now: number,
): Grant {
  return {
    ...basis,
    accessToken: token.accessToken,
    isDpop: token.isDpop,
    dpopKey: token.isDpop ? basis.dpopKey : undefined,
    refreshToken: token.refreshToken ?? basis.refreshToken,
    grantedScopes: token.scopes ?? basis.grantedScopes,
    issuedAt: now,
    expiresAt: token.lifetimeMs === undefined ? undefined : now + token.lifetimeMs,
  };
}

/** @returns the account of a grant, empty without a grant, and its scopes as one text for comparison */
function accountAndScopes(grant: Grant | undefined): { readonly account: string; readonly scopes: string } {
  if (grant === undefined) return { account: '', scopes: '' };
  const scopes = new Set(grant.grantedScopes ?? grant.requestedScopes);
  // It affects only the duration of the sign-in, not the permissions.
  scopes.delete('offline_access');
  return { account: grant.account ?? `of ${grant.issuer}`, scopes: [...scopes].toSorted().join(' ') };
}

/** True one minute before the expiry, or a tenth of a short lifetime: the token must still be valid when a request arrives. */
export function isAboutToExpire(grant: Grant, now: number): boolean {
  if (grant.expiresAt === undefined) return false;
  const margin = Math.min(60_000, (grant.expiresAt - grant.issuedAt) / 10);
  return now >= grant.expiresAt - margin;
}

/** Parses a stored grant. @returns `undefined` if it is not valid: the next sign-in replaces it */
function readGrant(text = ''): Grant | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const isGrant =
    ['issuer', 'accessToken'].every((name) => isString(value[name])) &&
    isOptional(value['resource'], isString) &&
    isClient(value['client']) &&
    typeof value['isDpop'] === 'boolean' &&
    isOptional(value['account'], isString) &&
    isOptional(value['dpopKey'], isDpopKey) &&
    isOptional(value['refreshToken'], isString) &&
    isNumber(value['issuedAt']) &&
    isOptional(value['expiresAt'], isNumber) &&
    isStringArray(value['requestedScopes']) &&
    isOptional(value['grantedScopes'], isStringArray);
  return isGrant ? (value as unknown as Grant) : undefined;
}

function isClient(value: unknown): boolean {
  return (
    isRecord(value) &&
    (value['kind'] === 'configured' || value['kind'] === 'document' || value['kind'] === 'dynamic') &&
    isString(value['clientId']) &&
    isOptional(value['clientSecret'], isString) &&
    isOptional(value['method'], isString)
  );
}

function isDpopKey(value: unknown): value is DpopKeyJwk {
  return isRecord(value) && isRecord(value['privateKey']) && isRecord(value['publicKey']);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Server entries with the same address share a grant, unless their flow or client id differs. */
function grantKey(server: URL, { flow = 'authorizationCode', clientId }: AuthSettings): string {
  return `grant:${JSON.stringify([canonicalResource(server), flow, clientId ?? ''])}`;
}

/** @returns the server and settings that a store key was made from, or `undefined` for a key of another kind */
export function readGrantKey(key: string): { readonly server: URL; readonly settings: AuthSettings } | undefined {
  if (!key.startsWith('grant:')) return undefined;
  const [server, flow, clientId] = JSON.parse(key.slice('grant:'.length)) as [string, AuthFlow, string];
  return { server: new URL(server), settings: { flow, ...(clientId !== '' && { clientId }) } };
}

/** The stored grant of one server, with a cache. */
export class GrantStore implements Disposable {
  readonly #store: AuthorizationStore;
  readonly #key: string;
  readonly #subscription: Disposable;
  readonly #changed = new Emitter<void>();
  readonly #contextChanged = new Emitter<ContextChange>();
  #known: Promise<Grant | undefined> | undefined;
  /** `undefined` until the store is read. */
  #context: ReturnType<typeof accountAndScopes> | undefined;

  readonly onDidChange: Event<void> = this.#changed.event;
  /** Describes the grant that was last read or saved. */
  readonly context: AuthorizationContext = {
    account: () => this.#context?.account ?? '',
    onDidChange: this.#contextChanged.event,
  };

  constructor(store: AuthorizationStore, server: URL, settings: AuthSettings) {
    this.#store = store;
    this.#key = grantKey(server, settings);
    this.#subscription = store.onDidChange((key) => {
      if (key !== this.#key) return;
      this.#known = undefined;
      this.#changed.fire();
      // Open connections learn about the change now, not with their next request.
      if (this.#context !== undefined) this.reload().catch(() => {});
    });
  }

  /** @returns the cached grant; reads it again after another window has changed it */
  current(): Promise<Grant | undefined> {
    return this.#known ?? this.reload();
  }

  reload(): Promise<Grant | undefined> {
    const reading = this.#store.get(this.#key).then((text) => this.#enter(readGrant(text)));
    this.#known = reading;
    reading.catch(() => {
      if (this.#known === reading) this.#known = undefined;
    });
    return reading;
  }

  async save(grant: Grant): Promise<void> {
    await this.#store.set(this.#key, JSON.stringify(grant));
    this.#known = Promise.resolve(this.#enter(grant));
  }

  async clear(): Promise<void> {
    await this.#store.delete(this.#key);
    this.#known = Promise.resolve(this.#enter(undefined));
  }

  lock<T>(action: () => Promise<T>, signal: AbortSignal, onWait?: () => void): Promise<T> {
    return this.#store.lock(this.#key, action, signal, onWait);
  }

  dispose(): void {
    for (const each of [this.#subscription, this.#changed, this.#contextChanged]) each.dispose();
  }

  #enter(grant: Grant | undefined): Grant | undefined {
    const before = this.#context;
    this.#context = accountAndScopes(grant);
    const { account, scopes } = this.#context;
    if (before !== undefined && (before.account !== account || before.scopes !== scopes))
      this.#contextChanged.fire({ before: before.account, account });
    return grant;
  }
}
