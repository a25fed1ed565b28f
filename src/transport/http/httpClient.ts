import { delay } from '../../base/abort.ts';
import type { AuthorizationChallenge, AuthorizedRequest } from '../../protocol/httpAuthorizer.ts';
import type { TransportLog } from '../transport.ts';
import type { HttpPorts } from './httpPorts.ts';
import { describeAddress } from './httpProblems.ts';
import { networkProblem } from './networkProblem.ts';
import { discardBody } from './readBody.ts';
import { redirectTarget, tooManyRedirects } from './redirect.ts';
import { waitBeforeRepeat } from './retryAfter.ts';

/** One HTTP request of a transport. */
export interface HttpRequest {
  readonly method: AuthorizedRequest['method'];
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborts the request and the reading of its response. */
  readonly signal: AbortSignal;
  /** Called with each response, also with those after which the request is repeated. */
  readonly onResponse?: (response: Response) => void;
  /** See {@link AuthorizedRequest.isUnattended}. */
  readonly isUnattended?: boolean | undefined;
  /** Called before the request is repeated with a new token; throws if it is stale. */
  readonly checkRepeat?: (() => void) | undefined;
}

/** Sends HTTP requests, with authorization, redirects and retries for a busy server. */
export interface HttpClient {
  /**
   * Resolves with the response as soon as its headers arrive, for every status. A request is repeated only where the
   * server did not execute it: after a sign-in (401, 403), a redirect in the same origin, or a delay (429, 503).
   * @throws {PatchbayError} `unreachable`, `answerLost` or an error of the authorizer; `HttpError` for a redirect that is
   * not followed; or the signal's reason
   */
  send(request: HttpRequest): Promise<Response>;
}

const maximumRedirects = 5;
/** A safeguard: the authorizer gives up earlier. */
const maximumRefusals = 8;

/** How often one request was repeated, by cause. */
interface Attempts {
  redirects: number;
  refusals: number;
  repeats: number;
}

type ClientPorts = Pick<HttpPorts, 'fetch' | 'clock' | 'authorizer'>;

/** @param log receives a line for each response, without secrets */
export function createHttpClient(ports: ClientPorts, log: (entry: TransportLog) => void): HttpClient {
  return new Client(ports, log);
}

class Client implements HttpClient {
  readonly #ports: ClientPorts;
  readonly #log: (entry: TransportLog) => void;

  constructor(ports: ClientPorts, log: (entry: TransportLog) => void) {
    this.#ports = ports;
    this.#log = log;
  }

  async send(request: HttpRequest): Promise<Response> {
    let current = request;
    let attempts: Attempts | undefined;
    for (;;) {
      const response = await this.#sendOnce(current);
      if (response.ok) {
        this.#ports.authorizer?.observe(response);
        return response;
      }
      attempts ??= { redirects: 0, refusals: 0, repeats: 0 };
      const next = await this.#next(current, response, attempts).catch((error: unknown) => {
        discardBody(response);
        throw error;
      });
      if (next === undefined) return response;
      discardBody(response);
      current = next;
    }
  }

  async #sendOnce(request: HttpRequest): Promise<Response> {
    const { fetch, authorizer, clock } = this.#ports;
    const { method, url, body, signal } = request;
    const headers =
      authorizer === undefined
        ? request.headers
        : { ...request.headers, ...lowerCased(await authorizer.headers(request, signal)) };
    const sentAt = clock.now();
    try {
      const response = await fetch(url.href, {
        method,
        headers,
        signal,
        redirect: 'manual',
        ...(body !== undefined && { body }),
      });
      const text = `${method} ${describeAddress(url)}: HTTP status ${response.status} after ${clock.now() - sentAt} ms.`;
      this.#log({ source: response.ok ? 'http' : 'note', text });
      request.onResponse?.(response);
      return response;
    } catch (error) {
      throw signal.aborted ? signal.reason : networkProblem(error, url);
    }
  }

  /** @returns the request to send next; `undefined` to return the response */
  async #next(request: HttpRequest, response: Response, attempts: Attempts): Promise<HttpRequest | undefined> {
    const { clock, authorizer } = this.#ports;
    const { method, url, signal } = request;
    const { status, headers } = response;
    if (authorizer !== undefined && (status === 401 || status === 403)) {
      const attempt = attempts.refusals++;
      // Do not sign in only to end a session.
      if (method === 'DELETE' || attempt >= maximumRefusals) return undefined;
      const challenge = readChallenge(request, status, headers, attempt);
      if (!(await authorizer.handleChallenge(challenge, signal))) return undefined;
      request.checkRepeat?.();
      return request;
    }
    authorizer?.observe(response);
    const target = redirectTarget(response, method, url);
    if (target !== undefined) {
      if (attempts.redirects++ === maximumRedirects) throw tooManyRedirects(url, status);
      return { ...request, url: target };
    }
    const waitMs = waitBeforeRepeat(status, headers.get('retry-after'), attempts.repeats++, clock.now());
    if (waitMs === undefined) return undefined;
    this.#log({ source: 'note', text: `Sending it again in ${waitMs / 1000} s.` });
    await delay(clock, waitMs, signal);
    return request;
  }
}

function readChallenge(
  request: AuthorizedRequest,
  status: 401 | 403,
  headers: Headers,
  attempt: number,
): AuthorizationChallenge {
  const wwwAuthenticate = headers.get('www-authenticate') ?? undefined;
  return { request, status, wwwAuthenticate, dpopNonce: headers.get('dpop-nonce') ?? undefined, attempt };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
