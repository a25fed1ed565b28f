import { expect } from 'vitest';
import { Authorizer } from '../../../src/auth/authorizer.ts';
import {
  type AuthorizationPrompt,
  type AuthorizationStore,
  createMemoryStore,
  type SignInCaution,
  type SignInRequest,
} from '../../../src/auth/ports.ts';
import type { AuthSettings } from '../../../src/base/authSettings.ts';
import { createLogger } from '../../../src/base/logger.ts';
import type { HeadlessOptions, HeadlessServer } from '../../../src/headless.ts';
import type { AuthorizedRequest } from '../../../src/protocol/httpAuthorizer.ts';
import { closeLater } from '../../fixtures/closeLater.ts';
import { openHeadless as openServer } from '../../fixtures/headlessServer.ts';
import { createTestHttpClient } from '../../fixtures/httpClients.ts';
import { createManualClock, type ManualClock } from '../../fixtures/manualClock.ts';
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from './authorizationServer.ts';
import { signInWithBrowser } from './browser.ts';
import { type ProtectedServer, startProtectedServer } from './protectedServer.ts';

/** A client as an authorization server keeps it, with the redirect address that the clients here have. */
export function registeredClient<T extends object>(own: T) {
  return {
    redirect_uris: ['http://127.0.0.1:33418/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    application_type: 'native',
    ...own,
  };
}

/** A server, its authorization server, a client and a user. Everything is real except the transport. */
export interface SignInScene {
  readonly as: AuthorizationServer;
  readonly server: ProtectedServer;
  readonly store: AuthorizationStore;
  readonly clock: ManualClock;
  /** Everything that was logged, and every error that was seen. */
  readonly seen: string[];
  readonly person: Person;
  readonly openWindow: (settings?: AuthSettings) => Window;
}

/** One connection to the server, as one window of an editor has. */
export interface Window {
  readonly authorizer: Authorizer;
  /** Sends one request the way a transport does. @returns the status of the last answer */
  readonly call: (path?: string, signal?: AbortSignal) => Promise<number>;
}

export interface Person {
  readonly asked: SignInRequest[];
  /** What the user does in the browser; by default signing in. */
  browse: (url: URL, signal: AbortSignal) => Promise<URL>;
  answer: 'yes' | 'no';
  /** The second questions to the user, and the answer. */
  readonly warned: SignInCaution[];
  secondAnswer: 'yes' | 'no';
  /** The redirect address, without its path. */
  redirectOrigin: string;
  /** Visits that were not disposed. */
  open: number;
}

/** The server of a scene in a headless host of its own. */
export function openHeadless(
  { server: { url } }: Pick<SignInScene, 'server'>,
  options: Partial<HeadlessOptions> = {},
  auth?: AuthSettings,
  headers = {},
): HeadlessServer {
  const patchbay = { trace: true, ...(auth && { auth }) };
  return openServer({ url: url.href, headers, patchbay }, options, 'notes');
}

export async function startScene(options: AuthorizationServerOptions = {}): Promise<SignInScene> {
  const as = await startServer(options);
  const server = closeLater(await startProtectedServer(as));
  const store = createMemoryStore();
  const clock = createManualClock();
  const seen: string[] = [];
  const person: Person = {
    asked: [],
    browse: signInWithBrowser,
    answer: 'yes',
    warned: [],
    secondAnswer: 'no',
    redirectOrigin: 'http://127.0.0.1:33418',
    open: 0,
  };
  const logger = createLogger(
    (_level, message) => seen.push(message),
    () => 'trace',
  );
  return {
    as,
    server,
    store,
    clock,
    seen,
    person,
    openWindow(settings = {}) {
      const authorizer = new Authorizer({
        label: 'notes',
        server: server.url,
        settings,
        clientName: 'Patchbay',
        store,
        prompt: promptOf(person),
        http,
        clock,
        logger,
      });
      closeLater({ close: () => authorizer.dispose() });
      return { authorizer, call: (path = '', signal = AbortSignal.timeout(30_000)) => call(path, signal) };

      async function call(path: string, signal: AbortSignal): Promise<number> {
        try {
          return await send(authorizer, new URL(`${server.url.href}${path}`), signal);
        } catch (error) {
          seen.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
          throw error;
        }
      }
    },
  };
}

/** Another authorization server, closed together with the others. */
export async function startServer(options: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  return closeLater(await startAuthorizationServer(options));
}

const http = createTestHttpClient();

async function send(authorizer: Authorizer, url: URL, signal: AbortSignal): Promise<number> {
  const request: AuthorizedRequest = { method: 'POST', url };
  for (let attempt = 0; ; attempt += 1) {
    const headers = await authorizer.headers(request, signal);
    const response = await http.send({ method: 'POST', url, headers, body: '{}', signal });
    while ((await response.body.read()) !== undefined);
    const { status } = response;
    if (status !== 401 && status !== 403) {
      authorizer.observe(response);
      return status;
    }
    const challenge = {
      request,
      status,
      wwwAuthenticate: response.headers.get('www-authenticate'),
      dpopNonce: response.headers.get('dpop-nonce'),
      attempt,
    } as const;
    if (!(await authorizer.handleChallenge(challenge, signal))) return status;
  }
}

function promptOf(person: Person): AuthorizationPrompt {
  return {
    async begin(request) {
      person.asked.push(request);
      if (person.answer === 'no') return undefined;
      person.open += 1;
      return {
        redirectUri: `${person.redirectOrigin}${request.redirect.path}`,
        openBrowser: (url, signal) => person.browse(url, signal),
        dispose: () => void (person.open -= 1),
      };
    },
    async confirm(caution) {
      person.warned.push(caution);
      return person.secondAnswer === 'yes';
    },
  };
}

/** The grant types of the token requests that an authorization server has got. */
export function tokenRequests(requests: readonly string[]): string[] {
  const start = 'POST /token ';
  return requests.filter((request) => request.startsWith(start)).map((request) => request.slice(start.length));
}

/** Checks that no log line and no error contains a token, code or secret. */
export function expectNoSecrets({ as, seen }: SignInScene): void {
  expect(as.secrets.size).toBeGreaterThan(0);
  const text = seen.join('\n');
  expect([...as.secrets].filter((secret) => text.includes(secret))).toEqual([]);
}
