import type { HttpResponse } from '../../base/httpClient.ts';
import { delay } from '../../base/abort.ts';
import { isPatchbayError, type PatchbayError } from '../../base/errors.ts';
import { MessageTooLarge } from '../messageLimits.ts';
import { meansSessionLost, readErrorResponse } from './errorResponse.ts';
import { EventStream } from './eventStream.ts';
import { answerLostError, excerpt, networkReason, tooLargeError, unusableAnswerError } from './httpProblems.ts';
import { discardBody, mediaType, readJson, readText } from './readBody.ts';
import { ReconnectDelays, isTransientStatus } from './reconnect.ts';
import { eventIdHeader } from './requestHeaders.ts';
import { maximumTailMs, type PendingResponse } from './responseRouter.ts';
import type { StreamableHttpContext } from './httpTransport.ts';

/**
 * Reads the JSON-RPC response from a successful HTTP response: a JSON body, or an event stream that contains it.
 * @param isResumable a broken stream can be resumed by a GET (2025-03-26 to 2025-11-25)
 * @throws {PatchbayError} the reason why there is no response
 */
export function receiveResponse(
  response: HttpResponse,
  pending: PendingResponse,
  context: StreamableHttpContext,
  isResumable: boolean,
): Promise<void> {
  switch (mediaType(response)) {
    case 'application/json':
      return receiveJson(response, pending, context);
    case 'text/event-stream':
      return receiveEvents(response, pending, context, isResumable);
    default:
      return rejectOther(response, context);
  }
}

async function receiveJson(
  response: HttpResponse,
  pending: PendingResponse,
  context: StreamableHttpContext,
): Promise<void> {
  const value = await readValue(response, context);
  const { status } = response;
  if (value === undefined) throw unusableAnswerError(status, context.address, 'nothing');
  context.router.deliver(value, pending);
  if (!pending.isAnswered)
    throw unusableAnswerError(status, context.address, 'JSON that is not the answer to the request');
}

async function readValue(response: HttpResponse, { address, limits }: StreamableHttpContext): Promise<unknown> {
  try {
    return await readJson(response, limits);
  } catch (error) {
    if (error instanceof MessageTooLarge) throw tooLargeError(address, error.excess, limits);
    if (error instanceof SyntaxError)
      throw unusableAnswerError(response.status, address, 'what is called JSON but is none');
    throw answerLostError(address, endedEarly(error), error);
  }
}

function endedEarly(fault: unknown): string {
  return `ended before the answer was complete${networkReason(fault)}`;
}

async function receiveEvents(
  response: HttpResponse,
  pending: PendingResponse,
  context: StreamableHttpContext,
  isResumable: boolean,
): Promise<void> {
  const stream = new EventStream(response, (event) => context.router.receiveEvent(event, pending), context);
  if (await readUntilAnswered(stream, pending, context)) return;
  const { lastEventId, retryMs } = stream;
  if (!isResumable || !lastEventId) throw answerLostError(context.address, endedEarly(stream.fault), stream.fault);
  await resumeResponse(pending, { lastEventId, retryMs }, context);
}

async function rejectOther(response: HttpResponse, { address }: StreamableHttpContext): Promise<never> {
  const { status } = response;
  const type = mediaType(response);
  if (status === 202 || status === 204 || type === '') {
    discardBody(response);
    throw unusableAnswerError(status, address, status === 200 ? 'something of no stated type' : 'nothing');
  }
  const words = excerpt(await readText(response, 8_192).catch(() => ''));
  throw unusableAnswerError(status, address, `${excerpt(type)} instead of JSON${words === '' ? '' : ` ("${words}")`}`);
}

/**
 * Reads a stream until the response was delivered; the rest of the stream is read in the background.
 * @returns false when the stream ended without the response
 * @throws {PatchbayError} `messageTooLarge`
 */
async function readUntilAnswered(
  stream: EventStream,
  pending: PendingResponse,
  context: StreamableHttpContext,
): Promise<boolean> {
  try {
    if (!(await stream.read(() => pending.isAnswered))) return pending.isAnswered;
  } catch (error) {
    throw error instanceof MessageTooLarge ? tooLargeError(context.address, error.excess, context.limits) : error;
  }
  if (!stream.isAtEnd) pending.tail = readTail(stream, context);
  return true;
}

async function readTail(stream: EventStream, { clock, streams }: StreamableHttpContext): Promise<void> {
  const closing = streams.add({ dispose: () => stream.close() });
  const timer = clock.after(maximumTailMs, () => stream.close());
  try {
    await stream.read();
  } catch {
    // An event after the response exceeds a limit: the stream was closed.
  } finally {
    timer.dispose();
    streams.delete(closing);
  }
}

interface StreamPosition {
  readonly lastEventId: string;
  readonly retryMs: number | undefined;
}

/** Maximum consecutive attempts without anything new. */
const maximumTries = 5;

/**
 * Resumes the broken stream of a request by GET until the response was delivered (2025-11-25, Basic / Transports,
 * "Resumability and Redelivery"). Servers may close streams on purpose and let the client poll.
 * @throws {PatchbayError} `answerLost`, or an error of the authorizer; or the signal's reason
 */
async function resumeResponse(
  pending: PendingResponse,
  start: StreamPosition,
  context: StreamableHttpContext,
): Promise<void> {
  const delays = new ReconnectDelays(context.random, maximumTries);
  const { signal } = pending.controller;
  let position = start;
  for (;;) {
    if (eventIdHeader(position.lastEventId) === undefined)
      throw notResumedError(context, 'its event id cannot be sent back');
    const waitMs = delays.next(position.retryMs);
    if (waitMs === undefined) throw notResumedError(context, 'the server does not continue it');
    context.note(`The answer's stream ended early; asking for the rest in ${waitMs} ms.`);
    await delay(context.clock, waitMs, signal);
    // The response may have come on another stream.
    if (pending.isAnswered) return;
    const stream = await reopenStream(position, pending, context);
    if (stream === undefined) continue;
    if (await readUntilAnswered(stream, pending, context)) return;
    if (signal.aborted) throw signal.reason;
    const { lastEventId = position.lastEventId, retryMs = position.retryMs } = stream;
    if (lastEventId !== position.lastEventId) delays.reset();
    position = { lastEventId, retryMs };
  }
}

/** @returns `undefined` to try again */
async function reopenStream(
  position: StreamPosition,
  pending: PendingResponse,
  context: StreamableHttpContext,
): Promise<EventStream | undefined> {
  const { session, router } = context;
  const carried = session.id;
  const response = await requestStream(position, pending, context);
  if (response === undefined) return undefined;
  if (response.ok && mediaType(response) === 'text/event-stream')
    return new EventStream(response, (event) => router.receiveEvent(event, pending), context);
  if (isTransientStatus(response.status)) {
    discardBody(response);
    return undefined;
  }
  const failure = await readErrorResponse(response, context);
  if (carried !== undefined && meansSessionLost(failure)) context.loseSession(carried);
  throw notResumedError(context, `HTTP status ${response.status}`);
}

async function requestStream(
  { lastEventId }: StreamPosition,
  { controller }: PendingResponse,
  { sender, session, url }: StreamableHttpContext,
): Promise<HttpResponse | undefined> {
  try {
    const headers = session.streamHeaders(lastEventId);
    return await sender.send({ method: 'GET', url, headers, signal: controller.signal });
  } catch (error) {
    // The server may be restarting.
    if (isPatchbayError(error, 'unreachable', 'answerLost')) return undefined;
    throw error;
  }
}

function notResumedError({ address }: StreamableHttpContext, why: string): PatchbayError {
  return answerLostError(address, `ended before the answer was complete and could not be resumed (${why})`);
}
