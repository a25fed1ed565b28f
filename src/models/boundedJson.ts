import { linkAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import type { HttpClient, HttpResponse } from '../base/httpClient.ts';
import { parseJson } from '../base/json.ts';
import { readScanned } from '../base/jsonScanner.ts';
import { modelLimits } from '../base/modelLimits.ts';
import { ModelError } from './modelGateway.ts';

/** How endpoints are reached that list models. */
export interface Reach {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** An answer with JSON, or the text of an error. */
export interface JsonAnswer {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  /** Unchecked; a text where it is not JSON within `modelLimits.list`. */
  readonly body: unknown;
}

/**
 * Sends a GET request, follows no redirect, and reads the whole body.
 * @param milliseconds for all of it
 * @throws the error of the connection; {@link ModelError} `cutOff` when it takes too long; or the signal's reason
 */
export async function getJson(
  url: URL,
  headers: Readonly<Record<string, string>>,
  milliseconds: number,
  { http, clock, signal }: Reach,
): Promise<JsonAnswer> {
  const abort = linkAbort(signal);
  const timer = clock.after(milliseconds, () =>
    abort.abort(new ModelError('cutOff', `${url.host} did not answer in time: try again.`)),
  );
  try {
    const response = await http.send({
      method: 'GET',
      url,
      headers: { accept: 'application/json', ...headers },
      signal: abort.signal,
      isRepeatable: true,
    });
    const body = await readJson(response);
    return { status: response.status, headers: response.headers, body };
  } catch (error) {
    if (abort.signal.aborted) throw abort.signal.reason as Error;
    throw error;
  } finally {
    timer.dispose();
    // Ends the connection of a body that was not read to its end.
    abort.abort();
    abort.dispose();
  }
}

async function readJson({ body }: HttpResponse): Promise<unknown> {
  const { text, excess } = await readScanned(body, modelLimits.list.message);
  const value = excess === undefined ? parseJson(text) : undefined;
  return value === undefined ? text.slice(0, modelLimits.answer.failure) : value;
}
