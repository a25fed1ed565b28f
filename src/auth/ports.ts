import { raceAbort } from '../base/abort.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';

/**
 * Keeps what must outlive a connection: tokens, client registrations, keys. Everything in it is secret.
 * Keys are opaque texts that begin with `grant:`, `client:` or `caution:`; values are JSON.
 */
export interface AuthorizationStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** A key was changed, here or in another window. */
  readonly onDidChange: Event<string>;
  /**
   * Runs `action` while nobody else holds `key`, in any window. Rejects with the signal's reason when it aborts while waiting.
   * @param onWait another window holds it
   */
  lock<T>(key: string, action: () => Promise<T>, signal: AbortSignal, onWait?: () => void): Promise<T>;
}

/** Asks a person, and leads them through the browser. */
export interface AuthorizationPrompt {
  /**
   * Asks whether to sign in, before anything is registered or opened.
   * @returns the way through the browser; `undefined` when the person declines: requests that follow do not ask again
   * @throws {UnattendedSignIn} when nobody may be asked now; a request that follows may ask
   */
  begin(request: SignInRequest, signal: AbortSignal): Promise<BrowserSignIn | undefined>;
  /**
   * Asks a second time, in a question of its own, about what is unusual in this sign-in. Asked after {@link begin}, once
   * for each caution.
   * @returns false unless the person agrees explicitly
   */
  confirm(caution: SignInCaution, signal: AbortSignal): Promise<boolean>;
}

/** What a person is told before they agree. */
export interface SignInRequest {
  /** The server's label. */
  readonly label: string;
  readonly server: URL;
  /** The authorization server, as it calls itself. */
  readonly issuer: string;
  /** Where its metadata lead. */
  readonly endpoints: readonly SignInEndpoint[];
  /** Asked for; empty: the authorization server decides. */
  readonly scopes: readonly string[];
  /** Granted so far, where a sign-in is to be widened; absent: it is a new one. */
  readonly previousScopes: readonly string[] | undefined;
  /** The name this client gives itself. */
  readonly clientName: string;
  readonly registration: RegistrationKind;
  /** Absent: this client is about to be registered. */
  readonly clientId: string | undefined;
  /** Known to the authorization server already: to be used again where it can be. */
  readonly knownRedirectUris: readonly string[];
  /** The path of the address to come back to. Nothing that comes to another one is used. */
  readonly redirectPath: string;
  /** The port that the configuration asks for. */
  readonly redirectPort: number | undefined;
}

/** An endpoint of an authorization server. */
export interface SignInEndpoint {
  /** `authorization`: opened in the browser; `token`: gets the code, and secrets; `registration`, `revocation`: as named. */
  readonly kind: 'authorization' | 'token' | 'registration' | 'revocation';
  readonly address: string;
  /** Not of the issuer's origin. */
  readonly isForeign: boolean;
}

/** Why a sign-in needs a second yes: signs of a mix-up (RFC 9207, section 1), which may have honest reasons. */
export interface SignInCaution extends Pick<SignInRequest, 'label' | 'server' | 'issuer'> {
  /** Endpoints of other origins than the issuer's. */
  readonly foreign: readonly SignInEndpoint[];
  /** Nothing in the answer of the browser would tell which authorization server it is from. */
  readonly isAnswerUnmarked: boolean;
}

/** What happened to a sign-in, without its secrets. */
export type SignInEvent =
  | {
      readonly kind: 'signedIn';
      readonly issuer: string;
      readonly clientId: string;
      readonly scopes: readonly string[];
    }
  | { readonly kind: 'signedOut'; readonly issuer: string; readonly isRevoked: boolean }
  | { readonly kind: 'notSignedIn'; readonly reason: MissingSignIn; readonly why: string };

/**
 * Why a server is without the sign-in it needs. `unasked`: nobody was there to be asked; `declined`: a person said no;
 * `failed`: it was tried.
 */
export type MissingSignIn = 'unasked' | 'declined' | 'failed';

/** `configured`: a client id from the settings; `document`: a client id metadata document; `dynamic`: registered on the way. */
export type RegistrationKind = 'configured' | 'document' | 'dynamic';

/** One way to the browser and back. Disposed when it is over: a listener is closed, a dialog goes away. */
export interface BrowserSignIn extends Disposable {
  /** Where the browser comes back to: loopback, https, or a scheme of the editor's own. */
  readonly redirectUri: string;
  /**
   * Opens `url` in the person's browser.
   * @returns the address the browser came back to, with everything the authorization server put in it; rejects with a
   *   cancellation when the person gives up
   */
  openBrowser(url: URL, signal: AbortSignal): Promise<URL>;
}

/** A store that forgets everything with the process. */
export function createMemoryStore(): AuthorizationStore {
  const values = new Map<string, string>();
  const changed = new Emitter<string>();
  const locks = new Map<string, Promise<unknown>>();
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
    async lock(key, action, signal) {
      const before = locks.get(key) ?? Promise.resolve();
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const chain = before.then(() => held);
      locks.set(key, chain);
      try {
        await raceAbort(before, signal);
        return await action();
      } finally {
        release();
        if (locks.get(key) === chain) locks.delete(key);
      }
    },
  };
}

const defaultPort = 33_418;

/**
 * A prompt without a question: whoever gives `open` has agreed to sign in.
 * @param open goes through the browser, and returns the address it came back to without calling it; absent: nobody signs in
 * @param confirm agrees to what is unusual in a sign-in; absent: nothing unusual is done
 */
export function createDirectPrompt(
  open: ((url: URL) => Promise<URL>) | undefined,
  confirm: ((caution: SignInCaution) => Promise<boolean>) | undefined,
): AuthorizationPrompt {
  return {
    async begin({ redirectPort = defaultPort, redirectPath }) {
      if (open === undefined) return undefined;
      return {
        redirectUri: `http://127.0.0.1:${redirectPort}${redirectPath}`,
        openBrowser: (url, signal) => raceAbort(open(url), signal),
        dispose: () => {},
      };
    },
    confirm: async (caution, signal) => confirm !== undefined && (await raceAbort(confirm(caution), signal)),
  };
}
