import type { Clock } from '../base/clock.ts';
import type { LinkedAbort } from '../base/abort.ts';
import type { ByteStream, HttpClient, HttpResponse } from '../base/httpClient.ts';
import { modelLimits } from '../base/modelLimits.ts';
import { visibleText } from '../base/visibleText.ts';
import { keyHeaders } from './endpoint.ts';
import type { ModelFetch } from './languageModel.ts';
import { connectionFailure, type FailureContext, failureOf, readRetryAfter } from './modelFailures.ts';
import { ModelError } from './modelGateway.ts';

interface ModelFetchOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly context: FailureContext;
  /** Aborted when nothing arrives for too long. */
  readonly abort: LinkedAbort;
  readonly maximums: ModelMaximums;
}

/** The part of `modelLimits.answer` that bounds one response. */
export interface ModelMaximums {
  readonly bytes: number;
  readonly line: number;
  readonly failure: number;
  /** Milliseconds without a byte. */
  readonly silence: number;
}

/** Headers that the packages set, which are not theirs to decide. */
const ownHeaders: readonly string[] = ['authorization', 'x-api-key', 'x-goog-api-key', 'user-agent'];

/**
 * Creates a `fetch` for a provider package over the port for HTTP. It adds the key, follows no redirect, sends one request
 * only, and bounds what comes back. A response that is not the stream of an answer is thrown as a {@link ModelError}.
 */
export function createModelFetch(options: ModelFetchOptions): ModelFetch {
  const { http, context, abort } = options;
  const { endpoint, key } = context;
  let isSent = false;
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== endpoint.origin)
      throw new ModelError('failed', `${endpoint.title} would send the key elsewhere.`);
    if (isSent) {
      // The package for Gemini continues some answers with further requests; one approval is for one request.
      throw new ModelError('cutOff', `${endpoint.title} would need another request to continue its answer.`);
    }
    isSent = true;
    const headers = { ...withoutOwn(new Headers(init.headers)), ...keyHeaders(endpoint, key) };
    const request = {
      method: init.method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      body: typeof init.body === 'string' ? init.body : undefined,
      signal: abort.signal,
    } as const;
    const response = await guard(options, false, () => http.send(request));
    await assertAnswer(response, url, options);
    return new Response(createBody(response.body, options), {
      headers: { 'content-type': response.headers.get('content-type') ?? '' },
    });
  };
}

/** Bounds the time that something of the endpoint takes, and puts its failure into words. */
async function guard<T>(options: ModelFetchOptions, isInAnswer: boolean, run: () => Promise<T>): Promise<T> {
  const { clock, abort, context, maximums } = options;
  const minutes = Math.max(1, Math.round(maximums.silence / 60_000));
  const timer = clock.after(maximums.silence, () => {
    const time = minutes === 1 ? 'a minute' : `${minutes} minutes`;
    abort.abort(new ModelError('cutOff', `${context.endpoint.title} sent nothing for ${time}: try again.`));
  });
  try {
    return await run();
  } catch (error) {
    if (abort.signal.aborted) throw abort.signal.reason as Error;
    throw connectionFailure(error, isInAnswer, context);
  } finally {
    timer.dispose();
  }
}

function withoutOwn(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].filter(([name]) => !ownHeaders.includes(name)));
}

async function assertAnswer(response: HttpResponse, url: URL, options: ModelFetchOptions): Promise<void> {
  const { context, clock } = options;
  const { status, headers, body } = response;
  const { title } = context.endpoint;
  const address = visibleText(url.origin + url.pathname);
  const location = headers.get('location');
  if (status >= 300 && status < 400) {
    body.cancel();
    throw new ModelError('failed', `${address} redirects ${redirectTarget(location, url)}: set the right address.`);
  }
  const type = headers.get('content-type') ?? '';
  if (response.ok && !/json|html/i.test(type)) return;
  const text = await readFailure(body, options);
  if (!response.ok || /^\s*[[{].{0,200}"error"/s.test(text)) {
    const retryAfterMs = readRetryAfter(headers, clock.now());
    throw failureOf({ status: response.ok ? 500 : status, body: text, address, retryAfterMs }, context);
  }
  throw new ModelError('failed', `${title} does not stream an answer at ${address}: check the address.`);
}

/** Where a redirect leads, without what may be a secret in its query. */
function redirectTarget(location: string | undefined, url: URL): string {
  if (location === undefined || !URL.canParse(location, url)) return 'elsewhere';
  const target = new URL(location, url);
  return `to ${visibleText(target.origin + target.pathname).slice(0, modelLimits.answer.words)}`;
}

/** Reads the beginning of an error, or as much of it as arrives. */
async function readFailure(body: ByteStream, options: ModelFetchOptions): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let room = options.maximums.failure;
  try {
    while (room > 0) {
      const chunk = await guard(options, true, () => body.read());
      if (chunk === undefined) return text;
      text += decoder.decode(chunk.subarray(0, room), { stream: true });
      room -= chunk.byteLength;
    }
    body.cancel();
  } catch (error) {
    // The status says enough, unless the request was cancelled.
    if (options.abort.signal.aborted) throw error;
  }
  return text;
}

/** The body as the packages read it: what they do not read is not read from the endpoint either. */
function createBody(body: ByteStream, options: ModelFetchOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { maximums, context } = options;
  const { title } = context.endpoint;
  let bytes = 0;
  let lineBytes = 0;
  const assertBounds = (chunk: Uint8Array): void => {
    bytes += chunk.byteLength;
    const end = Math.max(chunk.lastIndexOf(0x0a), chunk.lastIndexOf(0x0d));
    lineBytes = end < 0 ? lineBytes + chunk.byteLength : chunk.byteLength - end - 1;
    if (bytes <= maximums.bytes && lineBytes <= maximums.line) return;
    throw new ModelError('failed', `${title} sends more than an answer can have: the request was ended.`);
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const chunk = await guard(options, true, () => body.read());
        if (chunk === undefined) return controller.close();
        assertBounds(chunk);
        controller.enqueue(chunk as Uint8Array<ArrayBuffer>);
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: () => body.cancel(),
  });
}
