import { MessageTooLarge } from '../messageLimits.ts';
import { openEventStream } from './eventStream.ts';
import { answerLost, excerpt, tooLarge, unusableAnswer } from './httpProblems.ts';
import type { PendingAnswer } from './inbox.ts';
import { mediaType } from './mediaType.ts';
import { reasonOf } from './networkProblem.ts';
import { discardBody, readJson, readText } from './readBody.ts';
import { readUntilAnswered } from './readUntilAnswered.ts';
import { resumeAnswer } from './resumeAnswer.ts';
import type { Wire } from './wire.ts';

/**
 * Reads the JSON-RPC response from a successful HTTP response: a JSON body, or an event stream that contains it.
 * @param isResumable a broken stream can be resumed by a GET (2025-03-26 to 2025-11-25)
 * @throws {PatchbayError} the reason why there is no response
 */
export function receiveAnswer(
  response: Response,
  pending: PendingAnswer,
  wire: Wire,
  isResumable: boolean,
): Promise<void> {
  switch (mediaType(response)) {
    case 'application/json':
      return receiveJson(response, pending, wire);
    case 'text/event-stream':
      return receiveEvents(response, pending, wire, isResumable);
    default:
      return rejectOther(response, wire);
  }
}

async function receiveJson(response: Response, pending: PendingAnswer, wire: Wire): Promise<void> {
  const value = await readValue(response, wire);
  const { status } = response;
  if (value === undefined) throw unusableAnswer(status, wire.address, 'nothing');
  wire.inbox.deliver(value, pending);
  if (!pending.isAnswered) throw unusableAnswer(status, wire.address, 'JSON that is not the answer to the request');
}

async function readValue(response: Response, { address, limits }: Wire): Promise<unknown> {
  try {
    return await readJson(response, limits);
  } catch (error) {
    if (error instanceof MessageTooLarge) throw tooLarge(address, error.excess, limits);
    if (error instanceof SyntaxError) throw unusableAnswer(response.status, address, 'what is called JSON but is none');
    throw answerLost(address, brokenEarly(error), error);
  }
}

function brokenEarly(fault: unknown): string {
  return `ended before the answer was complete${reasonOf(fault)}`;
}

async function receiveEvents(
  response: Response,
  pending: PendingAnswer,
  wire: Wire,
  isResumable: boolean,
): Promise<void> {
  const stream = openEventStream(response, (event) => wire.inbox.receive(event, pending), wire);
  if (await readUntilAnswered(stream, pending, wire)) return;
  const { lastEventId, retryMs } = stream;
  if (!isResumable || !lastEventId) throw answerLost(wire.address, brokenEarly(stream.fault), stream.fault);
  await resumeAnswer(pending, { lastEventId, retryMs }, wire);
}

async function rejectOther(response: Response, { address }: Wire): Promise<never> {
  const { status } = response;
  const type = mediaType(response);
  if (status === 202 || status === 204 || type === '') {
    discardBody(response);
    throw unusableAnswer(status, address, status === 200 ? 'something of no stated type' : 'nothing');
  }
  const words = excerpt(await readText(response, 8_192).catch(() => ''));
  throw unusableAnswer(status, address, `${excerpt(type)} instead of JSON${words === '' ? '' : ` ("${words}")`}`);
}
