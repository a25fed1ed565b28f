import { raceAbort } from '../base/abort.ts';
import type { AuthSettings } from '../base/authSettings.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { HttpClient } from '../base/httpClient.ts';
import type { Logger } from '../base/logger.ts';

/**
 * Stores data beyond a connection: tokens, client registrations, DPoP keys. All of it is secret.
 * Keys are opaque texts that begin with `grant:`, `client:` or `caution:`; values are JSON.
 */
export interface AuthorizationStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** Fires with the key of a changed value, in this or another window. */
  readonly onDidChange: Event<string>;
  /**
   * Runs `action` with an exclusive lock on `key`, across all windows. Rejects with the signal's reason if it aborts while
   * waiting.
   * @param onWait called when another window has the lock
   */
  lock<T>(key: string, action: () => Promise<T>, signal: AbortSignal, onWait?: () => void): Promise<T>;
}

export interface AuthorizationPrompt {
  /**
   * Asks whether to sign in, before a client is registered or a browser opened.
   * @returns a sign-in with the browser; `undefined` when the person declines: later requests do not ask again
   * @throws {UnattendedSignIn} when no person can be asked now; later requests may ask
   */
  begin(request: SignInRequest, signal: AbortSignal): Promise<BrowserSignIn | undefined>;
  /** Asks to accept the risks, after {@link begin}. @returns false unless the person accepts explicitly */
  confirm(caution: SignInCaution, signal: AbortSignal): Promise<boolean>;
}

export interface AuthorizerOptions {
  readonly label: string;
  readonly server: URL;
  readonly settings: AuthSettings;
  readonly clientName: string;
  readonly store: AuthorizationStore;
  readonly prompt: AuthorizationPrompt;
  readonly http: HttpClient;
  readonly clock: Clock;
  /** Receives every step, but never a token. */
  readonly logger: Logger;
  readonly report?: (event: SignInEvent) => void;
}

/** The data of a sign-in that a person sees before agreeing. */
export interface SignInRequest {
  readonly label: string;
  readonly server: URL;
  readonly issuer: string;
  readonly endpoints: readonly SignInEndpoint[];
  /** Requested scopes; empty: the authorization server decides. */
  readonly scopes: readonly string[];
  /** The scopes granted so far, for a step-up; absent for a new sign-in. */
  readonly previousScopes: readonly string[] | undefined;
  readonly clientName: string;
  readonly registration: RegistrationKind;
  /** Absent: this client will be registered. */
  readonly clientId: string | undefined;
  readonly redirect: SignInRedirect;
}

/** Where the browser is to come back to. */
export interface SignInRedirect {
  /** A callback to another path is ignored. */
  readonly path: string;
  /** `localhost` or a loopback address of the settings; `undefined` if any redirect URI will do. */
  readonly host: string | undefined;
  /** Of a loopback address, the preferred first; 0 is any free port. Not empty. */
  readonly ports: readonly number[];
}

export interface SignInEndpoint {
  /** `authorization` is opened in the browser; `token` receives the code and secrets. */
  readonly kind: 'authorization' | 'token' | 'registration' | 'revocation';
  readonly address: string;
  /** Its origin differs from that of the issuer. */
  readonly isForeign: boolean;
}

/** Why a sign-in needs a second confirmation: signs of a mix-up attack (RFC 9207, section 1), which may be harmless. */
export interface SignInCaution extends Pick<SignInRequest, 'label' | 'server' | 'issuer'> {
  /** Endpoints with another origin than the issuer. */
  readonly foreign: readonly SignInEndpoint[];
  /** The callback does not identify its authorization server. */
  readonly isAnswerUnmarked: boolean;
  /** The metadata do not say whether PKCE is supported (2025-11-25 requires to refuse it, Entra and Cognito do not say it). */
  readonly isPkceUnannounced?: boolean;
  /** The metadata are for all tenants, and name this in place of the issuer. */
  readonly issuerTemplate?: string;
}

/** The outcome of a sign-in or sign-out, without secrets. */
export type SignInEvent =
  | {
      readonly kind: 'signedIn';
      readonly issuer: string;
      readonly clientId: string;
      readonly scopes: readonly string[];
    }
  | { readonly kind: 'signedOut'; readonly issuer: string; readonly isRevoked: boolean }
  | { readonly kind: 'notSignedIn'; readonly reason: MissingSignIn; readonly why: string };

/** Why a server lacks a sign-in: no person could be asked, the person refused, or an error. */
export type MissingSignIn = 'unasked' | 'declined' | 'failed';

/** Client id of the settings; client id metadata document; dynamic registration (RFC 7591). */
export type RegistrationKind = 'configured' | 'document' | 'dynamic';

/** One sign-in with the browser. Dispose it at the end, to close its listener or dialog. */
export interface BrowserSignIn extends Disposable {
  /** A loopback or https address, or one with the editor's own scheme. */
  readonly redirectUri: string;
  /** @returns the callback URL with all parameters; rejects with a cancellation when the person gives up */
  openBrowser(url: URL, signal: AbortSignal): Promise<URL>;
}

export function createMemoryStore(): AuthorizationStore {
  const values = new Map<string, string>();
  const changed = new Emitter<string>();
  const locks = new Map<string, Promise<void>>();
  return {
    get: (key) => Promise.resolve(values.get(key)),
    set(key, value) {
      values.set(key, value);
      changed.fire(key);
      return Promise.resolve();
    },
    delete(key) {
      if (values.delete(key)) changed.fire(key);
      return Promise.resolve();
    },
    onDidChange: changed.event,
    lock(key, action, signal) {
      const before = locks.get(key);
      const run = raceAbort(before ?? Promise.resolve(), signal).then(action);
      const end = Promise.allSettled([before, run]).then(() => {
        if (locks.get(key) === end) locks.delete(key);
      });
      locks.set(key, end);
      return run;
    },
  };
}

/**
 * A prompt that asks no question: the caller that passes `open` has agreed to sign in.
 * @param open completes the sign-in in a browser, and returns the callback URL without requesting it; absent: no sign-in
 * @param confirm accepts the risks of a sign-in; absent: none are accepted
 */
export function createDirectPrompt(
  open: ((url: URL) => Promise<URL>) | undefined,
  confirm: ((caution: SignInCaution) => Promise<boolean>) | undefined,
): AuthorizationPrompt {
  return {
    async begin({ redirect: { path, host = '127.0.0.1', ports } }) {
      if (open === undefined) return undefined;
      return {
        redirectUri: `http://${host}:${ports[0]}${path}`,
        openBrowser: (address, signal) => raceAbort(open(address), signal),
        dispose: () => {},
      };
    },
    confirm: async (caution, signal) => confirm !== undefined && (await raceAbort(confirm(caution), signal)),
  };
}
