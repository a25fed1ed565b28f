import type { ByteStream, HttpResponse } from '../../base/httpClient.ts';
import { delay } from '../../base/abort.ts';
import { isPatchbayError, type PatchbayError } from '../../base/errors.ts';
import { MessageTooLarge, messageTooLargeError } from '../messageLimits.ts';
import { meansSessionLost, readErrorResponse, withoutSecrets } from './errorResponse.ts';
import { EventStream } from './eventStream.ts';
import { answerLostError, excerpt, maximumScannedLength, networkReason, unusableAnswerError } from './httpProblems.ts';
import { mediaType, readJson, readText } from './readBody.ts';
import { ReconnectDelays, isTransientStatus } from './reconnect.ts';
import { eventIdHeader } from './requestHeaders.ts';
import { maximumTailMs, type PendingResponse } from './responseRouter.ts';
import type { HttpTransport } from './httpTransport.ts';

/** Maximum consecutive attempts to resume a stream without anything new. */
const maximumTries = 5;

/**
 * Reads the JSON-RPC response from a successful HTTP response: a JSON body, or an event stream that contains it.
 * @param isResumable a broken stream can be resumed by a GET (2025-03-26 to 2025-11-25)
 * @throws {PatchbayError} the reason why there is no response
 */
export function receiveResponse(
  response: HttpResponse,
  pending: PendingResponse,
  transport: HttpTransport,
  isResumable: boolean,
): Promise<void> {
  const type = mediaType(response);
  if (type === 'text/event-stream') return new ResponseStream(pending, transport).read(response, isResumable);
  // Some servers name no type for their JSON, or another one. A page is none.
  const mayBeJson = type.includes('json') || ((type === '' || type === 'text/plain') && response.status === 200);
  return mayBeJson ? receiveJson(response, pending, transport) : rejectOther(response, transport);
}

async function receiveJson(response: HttpResponse, pending: PendingResponse, transport: HttpTransport): Promise<void> {
  const { address, limits, router, secrets } = transport;
  const unusable = (what: string): PatchbayError => unusableAnswerError(response.status, address, what);
  const { body, head } = withHead(response.body);
  const value = await readJson({ ...response, body }, limits).catch((error: unknown) => {
    if (error instanceof MessageTooLarge) throw messageTooLargeError(`The server at ${address}`, error.excess, limits);
    const type = mediaType(response);
    const name = type.includes('json')
      ? 'what is called JSON but is none'
      : `${excerpt(type) || 'content without a type'} instead of JSON`;
    if (error instanceof SyntaxError) throw unusable(`${name}${said(withoutSecrets(head(), secrets))}`);
    throw answerLostError(address, endedEarly(error), error);
  });
  if (value === undefined) throw unusable('nothing');
  router.deliver(value, pending);
  if (!pending.isAnswered) throw unusable('JSON that is not the answer to the request');
}

/** Reads the event stream with the response to one request, and resumes it where it breaks. */
class ResponseStream {
  readonly #pending: PendingResponse;
  readonly #transport: HttpTransport;

  constructor(pending: PendingResponse, transport: HttpTransport) {
    this.#pending = pending;
    this.#transport = transport;
  }

  async read(response: HttpResponse, isResumable: boolean): Promise<void> {
    const stream = this.#streamOf(response);
    if (await this.#readUntilAnswered(stream)) return;
    const { lastEventId, retryMs, fault } = stream;
    if (!isResumable || !lastEventId) throw answerLostError(this.#transport.address, endedEarly(fault), fault);
    await this.#resume(lastEventId, retryMs);
  }

  #streamOf(response: HttpResponse): EventStream {
    const { router } = this.#transport;
    return new EventStream(response, (event) => router.receiveEvent(event, this.#pending), this.#transport);
  }

  /** Reads the rest of the stream in the background. @returns false when it ended without the response */
  async #readUntilAnswered(stream: EventStream): Promise<boolean> {
    if (!(await stream.read(() => this.#pending.isAnswered))) return this.#pending.isAnswered;
    if (!stream.isAtEnd) this.#pending.tail = readTail(stream, this.#transport);
    return true;
  }

  /**
   * Resumes the broken stream of a request by GET until the response was delivered (2025-11-25, Basic / Transports,
   * "Resumability and Redelivery"). Servers may close streams on purpose and let the client poll.
   * @throws {PatchbayError} `answerLost`, or an error of the authorizer; or the signal's reason
   */
  async #resume(firstEventId: string, firstRetryMs: number | undefined): Promise<void> {
    const { clock, random } = this.#transport;
    const delays = new ReconnectDelays(random, maximumTries);
    const { signal } = this.#pending.controller;
    let eventId = firstEventId;
    let retryMs = firstRetryMs;
    for (;;) {
      if (eventIdHeader(eventId) === undefined) throw this.#notResumed('its event id cannot be sent back');
      const waitMs = delays.next(retryMs);
      if (waitMs === undefined) throw this.#notResumed('the server does not continue it');
      this.#transport.note(`The answer's stream ended early; asking for the rest in ${waitMs} ms.`);
      await delay(clock, waitMs, signal);
      // The response may have come on another stream.
      if (this.#pending.isAnswered) return;
      const stream = await this.#reopen(eventId);
      if (stream === undefined) continue;
      if (await this.#readUntilAnswered(stream)) return;
      if (signal.aborted) throw signal.reason;
      const { lastEventId = eventId } = stream;
      if (lastEventId !== eventId) delays.reset();
      eventId = lastEventId;
      retryMs = stream.retryMs ?? retryMs;
    }
  }

  /** @returns `undefined` to try again */
  async #reopen(eventId: string): Promise<EventStream | undefined> {
    const { sender, session, url } = this.#transport;
    const { signal } = this.#pending.controller;
    const carried = session.id;
    const headers = session.streamHeaders(eventId);
    const response = await sender.send({ method: 'GET', url, headers, signal }).catch((error: unknown) => {
      // The server may be restarting.
      if (isPatchbayError(error, 'unreachable', 'answerLost')) return undefined;
      throw error;
    });
    if (response === undefined) return undefined;
    if (response.ok && mediaType(response) === 'text/event-stream') return this.#streamOf(response);
    if (isTransientStatus(response.status)) {
      response.body.cancel();
      return undefined;
    }
    const failure = await readErrorResponse(response, this.#transport);
    if (carried !== undefined && meansSessionLost(failure)) this.#transport.loseSession(carried);
    throw this.#notResumed(`HTTP status ${response.status}`);
  }

  #notResumed(why: string): PatchbayError {
    const how = `ended before the answer was complete and could not be resumed (${why})`;
    return answerLostError(this.#transport.address, how);
  }
}

function endedEarly(fault: unknown): string {
  return `ended before the answer was complete${networkReason(fault)}`;
}

async function rejectOther(response: HttpResponse, { address, secrets }: HttpTransport): Promise<never> {
  const { status } = response;
  const type = mediaType(response);
  if (status === 202 || status === 204 || type === '') {
    response.body.cancel();
    throw unusableAnswerError(status, address, 'nothing');
  }
  const text = await readText(response, maximumScannedLength).catch(() => '');
  throw unusableAnswerError(status, address, `${excerpt(type)} instead of JSON${said(withoutSecrets(text, secrets))}`);
}

/** @returns what the server said in place of an answer, in brackets; empty without words */
function said(text: string): string {
  const words = excerpt(text);
  return words === '' ? '' : ` ("${words}")`;
}

/** The same body, of which the start is kept for words about it. */
function withHead(body: ByteStream): { readonly body: ByteStream; readonly head: () => string } {
  const decoder = new TextDecoder();
  let head = '';
  const read = async (): Promise<Uint8Array | undefined> => {
    const chunk = await body.read();
    if (chunk !== undefined && head.length < maximumScannedLength)
      head += decoder.decode(chunk.subarray(0, maximumScannedLength), { stream: true });
    return chunk;
  };
  const kept = {
    get isAtEnd() {
      return body.isAtEnd;
    },
    read,
    cancel: () => body.cancel(),
  };
  return { body: kept, head: () => head };
}

async function readTail(stream: EventStream, { clock, streams }: HttpTransport): Promise<void> {
  const closing = streams.add({ dispose: () => stream.close() });
  const timer = clock.after(maximumTailMs, () => stream.close());
  // An event after the response may exceed a limit: then the stream was closed.
  await stream.read().catch(() => {});
  timer.dispose();
  streams.delete(closing);
}
