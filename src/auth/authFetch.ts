import { linkAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { isPatchbayError } from '../base/errors.ts';
import {
  type HttpClient,
  type HttpRequest,
  type HttpResponse,
  networkCode,
  ProxyError,
  type ResponseHeaders,
} from '../base/httpClient.ts';
import { isRecord, type UnknownRecord } from '../base/json.ts';
import { readScanned } from '../base/jsonScanner.ts';
import { limits } from '../base/limits.ts';
import type { AddressPolicy } from './addressPolicy.ts';
import { serverUnavailable, urlWithoutSecrets, signInFailed } from './signInErrors.ts';

const timeoutMs = 30_000;
const maximumRedirects = 5;

/** Requests to authorization servers and for metadata: limited in size and time, and only to addresses the policy allows. */
export interface AuthFetch {
  /**
   * Gets a metadata document. Redirects are followed after the policy has checked their target.
   * @param what names the document in error messages
   * @returns `undefined` when the answer is an error status or not a JSON object
   * @throws {PatchbayError} `unreachable` without an answer; `needsSignIn` for an address that is not allowed
   */
  getMetadata(url: URL, what: string, signal: AbortSignal): Promise<UnknownRecord | undefined>;
  /**
   * Sends a POST request without following redirects, and reads the whole body.
   * @throws {PatchbayError} `unreachable` without an answer, or with a status such as 503; `needsSignIn` for a redirect
   */
  post(
    url: URL,
    body: string,
    headers: Readonly<Record<string, string>>,
    what: string,
    signal: AbortSignal,
  ): Promise<PostAnswer>;
}

export interface PostAnswer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** `undefined` when the body is not a JSON object. */
  readonly body: UnknownRecord | undefined;
}

export interface AuthFetchPorts {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly policy: AddressPolicy;
}

/** @returns an {@link AuthFetch} with a timeout of 30 seconds and the limits `signInAnswer` */
export function createAuthFetch(ports: AuthFetchPorts): AuthFetch {
  const { policy } = ports;
  return {
    getMetadata: (url, what, signal) => getFollowingRedirects(policy.check(url, what), what, signal, ports, 0),
    post: (url, body, headers, what, signal) =>
      send(policy.check(url, what), { method: 'POST', body, headers }, what, signal, ports, async (response) => {
        const { status } = response;
        if (status >= 300 && status < 400) {
          response.body.cancel();
          throw signInFailed(
            `${what} at ${urlWithoutSecrets(url)} answered with a redirect, which must not be followed here.`,
          );
        }
        const answer = parseObject(await readText(response, url, what));
        if (isUnavailableStatus(status) && !isOAuthError(answer)) throw unavailable(status, url, what);
        return { status, headers: response.headers, body: answer };
      }),
  };
}

async function send<T>(
  url: URL,
  request: Pick<HttpRequest, 'method' | 'headers' | 'body'>,
  what: string,
  signal: AbortSignal,
  { http, clock }: AuthFetchPorts,
  use: (response: HttpResponse) => Promise<T>,
): Promise<T> {
  const abort = linkAbort(signal);
  const timer = clock.after(timeoutMs, () =>
    abort.abort(serverUnavailable(`${what} at ${urlWithoutSecrets(url)} did not answer within 30 seconds.`)),
  );
  try {
    const response = await http.send({ ...request, url, signal: abort.signal });
    return await use(response);
  } catch (error) {
    if (abort.signal.aborted) throw abort.signal.reason as Error;
    if (isPatchbayError(error)) throw error;
    throw serverUnavailable(`${what} at ${urlWithoutSecrets(url)} cannot be reached${reasonOf(error)}.`, error);
  } finally {
    timer.dispose();
    abort.dispose();
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ProxyError) return `: ${error.message}`;
  const code = networkCode(error);
  return code === undefined ? '' : ` (${code})`;
}

async function getFollowingRedirects(
  url: URL,
  what: string,
  signal: AbortSignal,
  ports: AuthFetchPorts,
  hops: number,
): Promise<UnknownRecord | undefined> {
  const answer = await send(url, { method: 'GET', headers: metadataHeaders }, what, signal, ports, async (response) => {
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === undefined) {
      return { document: await readMetadata(response, url, what) };
    }
    response.body.cancel();
    return { location };
  });
  if (answer.location === undefined) return answer.document;
  if (hops === maximumRedirects) throw signInFailed(`${what} at ${urlWithoutSecrets(url)} redirects again and again.`);
  if (!URL.canParse(answer.location, url))
    throw signInFailed(`${what} at ${urlWithoutSecrets(url)} redirects to nowhere.`);
  const next = ports.policy.check(new URL(answer.location, url), 'the address its metadata redirect to');
  return getFollowingRedirects(next, what, signal, ports, hops + 1);
}

/** Servers may answer depending on the revision (2025-03-26, Basic / Authorization / Server Metadata Discovery). */
const metadataHeaders = { accept: 'application/json', 'mcp-protocol-version': '2025-11-25' };

async function readMetadata(response: HttpResponse, url: URL, what: string): Promise<UnknownRecord | undefined> {
  if (!response.ok) {
    response.body.cancel();
    if (isUnavailableStatus(response.status)) throw unavailable(response.status, url, what);
    return undefined;
  }
  // Single-page applications answer any path with their page: that is not metadata.
  return parseObject(await readText(response, url, what));
}

/** Temporary errors, which do not show whether the address exists. */
function isUnavailableStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Some servers send an OAuth error with another status: the error code in the body counts (RFC 6749, section 5.2). */
function isOAuthError(answer: UnknownRecord | undefined): boolean {
  const error = answer?.['error'];
  return typeof error === 'string' && /^(?:invalid_|unauthorized_|unsupported_|access_denied$)/.test(error);
}

function unavailable(status: number, url: URL, what: string): Error {
  return serverUnavailable(
    `${what} at ${urlWithoutSecrets(url)} is out of order or busy (status ${status}). Try again later.`,
  );
}

async function readText({ body }: HttpResponse, url: URL, what: string): Promise<string> {
  const { text, excess } = await readScanned(body, limits.signInAnswer);
  if (excess === 'bytes') throw signInFailed(`${what} at ${urlWithoutSecrets(url)} answered with more than 1 MB.`);
  // Beyond the limits of JSON: an HTML page, for example, but not a metadata document.
  return excess === undefined ? text : '';
}

function parseObject(text: string): UnknownRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // Not JSON: the caller reports it.
    return undefined;
  }
}
