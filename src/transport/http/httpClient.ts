import { delay } from '../../base/abort.ts';
import type { AuthorizationChallenge, AuthorizedRequest } from '../../protocol/httpAuthorizer.ts';
import type { TransportLog } from '../transport.ts';
import type { HttpPorts } from './httpPorts.ts';
import { describeAddress } from './httpProblems.ts';
import { networkProblem } from './networkProblem.ts';
import { discardBody } from './readBody.ts';
import { redirectTarget, tooManyRedirects } from './redirect.ts';
import { waitBeforeRepeat } from './retryAfter.ts';

/** One request to the server a transport is for. */
export interface HttpRequest {
  readonly method: AuthorizedRequest['method'];
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the request and the reading of its answer. */
  readonly signal: AbortSignal;
  /** Told of each answer, also of those after which the request is sent again. */
  readonly onResponse?: (response: Response) => void;
  /** See {@link AuthorizedRequest.isUnattended}. */
  readonly isUnattended?: boolean | undefined;
  /** Called before it is sent again with another token; throws where it is of no use any more. */
  readonly checkRepeat?: (() => void) | undefined;
}

/** Sends requests, with all that may lie between a request and its answer: sign-in, redirects, a busy server. */
export interface HttpClient {
  /**
   * Resolves with the headers of the answer, whatever its status. A request is sent again only where the server did
   * not take it: it wants sign-in (401, 403), is elsewhere on the same origin, or is busy (429, 503).
   * @throws {PatchbayError} `unreachable`, `answerLost`, what the authorizer throws; `HttpError` for a redirect that is
   * not followed; or the signal's reason
   */
  send(request: HttpRequest): Promise<Response>;
}

const maximumRedirects = 5;
/** An authorizer gives up earlier by itself. */
const maximumRefusals = 8;

/** How often one request was sent again, and why. */
interface Attempts {
  redirects: number;
  refusals: number;
  repeats: number;
}

type ClientPorts = Pick<HttpPorts, 'fetch' | 'clock' | 'authorizer'>;

/** @param log is told what each request met, in words without secrets */
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

  /** @returns the request to send next, or nothing where the answer stands */
  async #next(request: HttpRequest, response: Response, attempts: Attempts): Promise<HttpRequest | undefined> {
    const { clock, authorizer } = this.#ports;
    const { method, url, signal } = request;
    const { status, headers } = response;
    if (authorizer !== undefined && (status === 401 || status === 403)) {
      const attempt = attempts.refusals++;
      // Nobody signs in to say goodbye.
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
