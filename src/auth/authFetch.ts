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
import { isRecord, parseJson, type UnknownRecord } from '../base/json.ts';
import { readScanned } from '../base/jsonScanner.ts';
import { limits } from '../base/limits.ts';
import type { AddressPolicy } from './addressPolicy.ts';
import { serverUnavailable, urlWithoutSecrets, signInFailed } from './signInErrors.ts';

const timeoutMs = 30_000;
/** Shorter, as there may be further addresses to look at. For all redirects of one together. */
const metadataTimeoutMs = 10_000;
const maximumRedirects = 5;

export interface PostAnswer {
  readonly status: number;
  readonly headers: Pick<ResponseHeaders, 'get'>;
  /** `undefined` when the body is neither a JSON object nor a form. */
  readonly body: UnknownRecord | undefined;
  /** The body, where it is neither. */
  readonly text?: string;
}

/** Requests of a sign-in: to addresses the policy allows, for at most 10 s for metadata and 30 s for others, within the limits `signInAnswer`. */
export class AuthFetch {
  readonly policy: AddressPolicy;
  readonly #http: HttpClient;
  readonly #clock: Clock;

  constructor(http: HttpClient, clock: Clock, policy: AddressPolicy) {
    this.#http = http;
    this.#clock = clock;
    this.policy = policy;
  }

  /**
   * Gets a metadata document. Redirects are followed after the policy has checked their target.
   * @param what names the document in error messages
   * @returns `undefined` when the answer is an error status or not a JSON object
   * @throws {PatchbayError} `unreachable` without an answer; `needsSignIn` for an address that is not allowed
   */
  async getMetadata(address: URL, what: string, signal: AbortSignal): Promise<UnknownRecord | undefined> {
    const request = { method: 'GET', headers: metadataHeaders } as const;
    let url = this.policy.check(address, what);
    const end = this.#clock.now() + metadataTimeoutMs;
    for (let hops = 0; ; hops += 1) {
      const at = `${what} at ${urlWithoutSecrets(url)}`;
      const waitMs = Math.max(1, end - this.#clock.now());
      const answer = await this.#send(url, request, at, { signal, waitMs }, async (response) => {
        const location = response.headers.get('location');
        if (response.status < 300 || response.status >= 400 || location === undefined)
          return { document: await readMetadata(response, at) };
        response.body.cancel();
        return { location };
      });
      if (answer.location === undefined) return answer.document;
      if (hops === maximumRedirects) throw signInFailed(`${at} redirects again and again.`);
      if (!URL.canParse(answer.location, url)) throw signInFailed(`${at} redirects to nowhere.`);
      url = this.policy.check(new URL(answer.location, url), 'the address its metadata redirect to');
    }
  }

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
  ): Promise<PostAnswer> {
    const at = `${what} at ${urlWithoutSecrets(url)}`;
    const request = { method: 'POST', body, headers } as const;
    return this.#send(this.policy.check(url, what), request, at, { signal, waitMs: timeoutMs }, async (response) => {
      const { status } = response;
      if (status >= 300 && status < 400) {
        response.body.cancel();
        throw signInFailed(`${at} answered with a redirect, which is not allowed here.`);
      }
      const text = await readText(response, at);
      const answer = parseObject(text) ?? parseForm(text);
      if (isUnavailableStatus(status) && !isOAuthError(answer)) throw unavailable(status, at);
      return { status, headers: response.headers, body: answer, ...(answer === undefined && { text }) };
    });
  }

  async #send<T>(
    url: URL,
    request: Pick<HttpRequest, 'method' | 'headers' | 'body'>,
    at: string,
    { signal, waitMs }: { readonly signal: AbortSignal; readonly waitMs: number },
    use: (response: HttpResponse) => Promise<T>,
  ): Promise<T> {
    const abort = linkAbort(signal);
    const seconds = (request.method === 'GET' ? metadataTimeoutMs : timeoutMs) / 1_000;
    const timer = this.#clock.after(waitMs, () =>
      abort.abort(serverUnavailable(`${at} did not answer within ${seconds} seconds.`)),
    );
    try {
      return await use(await this.#http.send({ ...request, url, signal: abort.signal }));
    } catch (error) {
      if (abort.signal.aborted) throw abort.signal.reason as Error;
      if (isPatchbayError(error)) throw error;
      throw serverUnavailable(`${at} cannot be reached${reasonOf(error)}.`, error);
    } finally {
      timer.dispose();
      abort.dispose();
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ProxyError) return `: ${error.message}`;
  const code = networkCode(error);
  return code === undefined ? '' : ` (${code})`;
}

/** Servers may answer depending on the revision (2025-03-26, Basic / Authorization / Server Metadata Discovery). */
const metadataHeaders = { accept: 'application/json', 'mcp-protocol-version': '2025-11-25' };

async function readMetadata(response: HttpResponse, at: string): Promise<UnknownRecord | undefined> {
  if (!response.ok) {
    response.body.cancel();
    if (isUnavailableStatus(response.status)) throw unavailable(response.status, at);
    return undefined;
  }
  // Single-page applications answer any path with their page: that is not metadata.
  return parseObject(await readText(response, at));
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

function unavailable(status: number, at: string): Error {
  return serverUnavailable(`${at} is unavailable or busy (status ${status}). Try again later.`);
}

async function readText({ body }: HttpResponse, at: string): Promise<string> {
  const { text, excess } = await readScanned(body, limits.signInAnswer);
  if (excess === 'bytes') throw signInFailed(`${at} answered with more than 1 MB.`);
  // Beyond the limits of JSON: an HTML page, for example, but not a metadata document.
  return excess === undefined ? text : '';
}

/** Some token endpoints answer with a form (GitHub unless asked otherwise, older servers of OAuth 2.0 drafts). */
function parseForm(text: string): UnknownRecord | undefined {
  const parameters = new URLSearchParams(/[\s<]/.test(text.trim()) ? '' : text.trim());
  const isAnswer = parameters.has('access_token') || parameters.has('error');
  return isAnswer ? Object.fromEntries(parameters) : undefined;
}

function parseObject(text: string): UnknownRecord | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}
