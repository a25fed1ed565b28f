import { delay, type CancelSignal, toAbortSignal } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isPatchbayError } from '../../base/errors.ts';
import type { CreateHttpClient, HttpClient, HttpResponse } from '../../base/httpClient.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { originOf, type ServerAddress } from '../../base/serverAddress.ts';
import type { AuthorizedRequest, HttpAuthorizer } from '../../protocol/httpAuthorizer.ts';
import { HttpError } from '../../protocol/httpError.ts';
import type { TransportLog } from '../transport.ts';
import { Cookies } from './cookies.ts';
import { describeAddress, excerpt, maximumScannedLength, networkError } from './httpProblems.ts';
import { readText } from './readBody.ts';

export interface HttpPorts {
  /** The client of one transport, which disposes it. */
  readonly createHttpClient: CreateHttpClient;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Absent: requests use the configured headers only. */
  readonly authorizer?: HttpAuthorizer | undefined;
  /** Limits of a message after decompression; a larger one is refused. */
  readonly limits?: MessageLimits | undefined;
  /** Maximum number of requests at once; see {@link ConnectionLimit}. */
  readonly connections?: number | undefined;
}

export interface TransportRequest {
  readonly method: AuthorizedRequest['method'];
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isRepeatable?: boolean | undefined;
  /** Aborts the request and the reading of its response. */
  readonly signal: CancelSignal;
  /** Called with each response, also with those after which the request is repeated. */
  readonly onResponse?: (response: HttpResponse) => void;
  readonly isUnattended?: boolean | undefined;
  /** Called with what a server says that answers 401 without a challenge; throws where no sign-in is meant. */
  readonly checkRefusal?: ((words: string) => void) | undefined;
  /** Called before the request is repeated with a new token; throws if it is stale. */
  readonly checkRepeat?: (() => void) | undefined;
}

const redirects = [301, 302, 303, 307, 308];
const maximumRedirects = 5;
/** A safeguard: the authorizer gives up earlier. */
const maximumRefusals = 8;

/** Of one request so far. */
type Attempts = Record<'redirects' | 'refusals' | 'repeats', number>;

/** Sends HTTP requests, with authorization, redirects and retries for a busy server. */
export class RequestSender {
  readonly #http: HttpClient;
  readonly #clock: Clock;
  readonly #authorizer: HttpAuthorizer | undefined;
  readonly #socketPath: string | undefined;
  #cookies = new Cookies();
  readonly #log: (entry: TransportLog) => void;

  constructor(
    http: HttpClient,
    { clock, authorizer }: Pick<HttpPorts, 'clock' | 'authorizer'>,
    socketPath: string | undefined,
    log: (entry: TransportLog) => void,
  ) {
    this.#http = http;
    this.#clock = clock;
    this.#authorizer = authorizer;
    this.#socketPath = socketPath;
    this.#log = log;
  }

  /**
   * Resolves with the response as soon as its headers arrive, for every status. A request is repeated only where the
   * server did not execute it: after a sign-in (401, 403), a redirect in the same origin, or a delay (429, 503).
   * @throws {PatchbayError} `unreachable`, `answerLost` or an error of the authorizer; `HttpError` for a redirect that is
   * not followed; or the signal's reason
   */
  async send(request: TransportRequest): Promise<HttpResponse> {
    let current = request;
    let attempts: Attempts | undefined;
    for (;;) {
      const response = await this.#sendOnce(current);
      if (response.ok) {
        this.#authorizer?.observe(response);
        return response;
      }
      attempts ??= { redirects: 0, refusals: 0, repeats: 0 };
      const next = await this.#next(current, response, attempts).catch((error: unknown) => {
        response.body.cancel();
        throw error;
      });
      if (next === undefined) return response;
      response.body.cancel();
      current = next;
    }
  }

  /** They belong to the account that was signed in. */
  forgetCookies(): void {
    this.#cookies = new Cookies();
  }

  async #sendOnce(request: TransportRequest): Promise<HttpResponse> {
    const { method, url, body, signal, isRepeatable } = request;
    const authorizer = this.#authorizer;
    let { headers } = request;
    if (authorizer !== undefined) headers = Object.assign({}, headers, await authorizer.headers(request, signal));
    // An answer may come after the account has changed.
    const cookies = this.#cookies;
    const cookie = cookies.header(url, this.#clock.now());
    if (cookie !== undefined)
      headers = { ...headers, cookie: headers['cookie'] === undefined ? cookie : `${headers['cookie']}; ${cookie}` };
    const socketPath = this.#socketPath;
    const to = { url, socketPath };
    const sentAt = this.#clock.now();
    try {
      const response = await this.#http.send({ method, url, headers, body, socketPath, signal, isRepeatable });
      this.#log(responseLine(method, to, response, this.#clock.now() - sentAt));
      const set = response.headers.getSetCookie();
      if (set.length > 0) cookies.store(url, set, this.#clock.now());
      request.onResponse?.(response);
      return response;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw isPatchbayError(error) ? error : networkError(error, to);
    }
  }

  /** @returns the request to send next; `undefined` to return the response */
  async #next(
    request: TransportRequest,
    response: HttpResponse,
    attempts: Attempts,
  ): Promise<TransportRequest | undefined> {
    const { method, url, signal } = request;
    const authorizer = this.#authorizer;
    const { status, headers } = response;
    if (authorizer !== undefined && (status === 401 || status === 403)) {
      const attempt = attempts.refusals++;
      // Do not sign in only to end a session.
      if (method === 'DELETE' || attempt >= maximumRefusals) return undefined;
      const wwwAuthenticate = headers.get('www-authenticate');
      if (status === 401 && wwwAuthenticate === undefined && request.checkRefusal !== undefined)
        request.checkRefusal(excerpt(await readText(response, maximumScannedLength).catch(() => '')));
      const challenge = { request, status, wwwAuthenticate, dpopNonce: headers.get('dpop-nonce'), attempt } as const;
      if (!(await authorizer.handleChallenge(challenge, toAbortSignal(signal)))) return undefined;
      request.checkRepeat?.();
      return request;
    }
    authorizer?.observe(response);
    const from = { url, socketPath: this.#socketPath };
    const target = redirectTarget(response, method, from);
    if (target !== undefined) {
      if (attempts.redirects++ === maximumRedirects)
        throw redirectError(status, from, 'again and again', 'Check "url" in its configuration, and the server.');
      return { ...request, url: target };
    }
    const waitMs = retryDelay(status, headers.get('retry-after'), attempts.repeats++, this.#clock.now());
    if (waitMs === undefined) return undefined;
    this.#log({ source: 'note', text: `Sending it again in ${waitMs / 1000} s.` });
    await delay(this.#clock, waitMs, signal);
    return request;
  }
}

/** The log line of a response. Its text is built when it is read, which is rare. */
function responseLine(method: string, address: ServerAddress, response: HttpResponse, elapsedMs: number): TransportLog {
  const { ok, status } = response;
  return {
    source: ok ? 'http' : 'note',
    get text() {
      return `${method} ${describeAddress(address)}: HTTP status ${status} after ${elapsedMs} ms.`;
    },
  };
}

/**
 * The target of a redirect. Only redirects to the same origin are followed, to protect headers and body, and only those
 * that keep method and body (RFC 9110, section 15.4).
 * @returns `undefined` for other responses
 * @throws {HttpError} for a redirect that is not followed; it names the new address
 */
function redirectTarget(response: HttpResponse, method: string, from: ServerAddress): URL | undefined {
  const { status } = response;
  const location = redirects.includes(status) ? response.headers.get('location') : undefined;
  if (location === undefined) return undefined;
  if (!URL.canParse(location, from.url)) {
    const where = `to "${excerpt(location)}", which is not an address`;
    throw redirectError(status, from, where, 'Check "url" in its configuration.');
  }
  const target = new URL(location, from.url);
  const advice = `If that is right, change "url" in its configuration to the new address.`;
  if (target.origin !== from.url.origin) {
    const where = `from ${originOf(from)} to another origin, ${describeAddress({ url: target })}; nothing was sent there`;
    throw redirectError(status, from, where, advice);
  }
  if (method !== 'GET' && status !== 307 && status !== 308) {
    const address = describeAddress({ ...from, url: target });
    throw redirectError(status, from, `to ${address} in a way that drops the message`, advice);
  }
  return target;
}

function redirectError(status: number, from: ServerAddress, where: string, advice: string): HttpError {
  const sentence = `The server at ${describeAddress(from)} redirects ${where} (HTTP status ${status}).`;
  return new HttpError(status, `${sentence} ${advice}`);
}

const maximumWaitMs = 60_000;
const maximumRetries = 3;
/** Delays for status 429 without `Retry-After`. */
const defaultWaitsMs = [1_000, 2_000] as const;

/**
 * The delay before a request is repeated after status 429 or 503 (RFC 9110, section 10.2.3; RFC 6585, section 4).
 * @param repeats number of earlier repetitions
 * @param now milliseconds since the Unix epoch, for a date in `Retry-After`
 * @returns milliseconds, or `undefined` when it must not be repeated
 */
export function retryDelay(
  status: number,
  retryAfter: string | undefined,
  repeats: number,
  now: number,
): number | undefined {
  if ((status !== 429 && status !== 503) || repeats >= maximumRetries) return undefined;
  const askedMs = retryAfter === undefined ? undefined : readRetryAfter(retryAfter, now);
  if (askedMs === undefined) return status === 429 ? defaultWaitsMs[repeats] : undefined;
  // An earlier retry would be refused again.
  return askedMs <= maximumWaitMs ? askedMs : undefined;
}

function readRetryAfter(text: string, now: number): number | undefined {
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1000;
  // The platform accepts almost any text as a date.
  const date = /^\s*[A-Z][a-z]+, /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
