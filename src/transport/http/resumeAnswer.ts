import { delay } from '../../base/abort.ts';
import { isPatchbayError, type PatchbayError } from '../../base/errors.ts';
import { type EventStream, openEventStream } from './eventStream.ts';
import { answerLost } from './httpProblems.ts';
import type { PendingAnswer } from './inbox.ts';
import { mediaType } from './mediaType.ts';
import { isSilence } from './networkProblem.ts';
import { discardBody } from './readBody.ts';
import { readUntilAnswered } from './readUntilAnswered.ts';
import { createReconnect, isPassing, type Reconnect } from './reconnect.ts';
import { isSessionLoss, readRefusal } from './refusal.ts';
import { eventIdHeader } from './requestHeaders.ts';
import type { Wire } from './wire.ts';

/** The position where a stream broke. */
interface Position {
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
export async function resumeAnswer(pending: PendingAnswer, start: Position, wire: Wire): Promise<void> {
  const reconnect = createReconnect(wire.random, maximumTries);
  const { signal } = pending.controller;
  let position = start;
  for (;;) {
    if (eventIdHeader(position.lastEventId) === undefined) throw lost(wire, 'its event id cannot be sent back');
    const waitMs = reconnect.next(position.retryMs);
    if (waitMs === undefined) throw lost(wire, 'the server does not continue it');
    wire.note(`The answer's stream ended early; asking for the rest in ${waitMs} ms.`);
    await delay(wire.clock, waitMs, signal);
    // The response may have come on another stream.
    if (pending.isAnswered) return;
    const stream = await reopen(position, pending, wire, reconnect);
    if (stream === undefined) continue;
    if (await readUntilAnswered(stream, pending, wire)) return;
    signal.throwIfAborted();
    const { lastEventId = position.lastEventId, retryMs = position.retryMs } = stream;
    if (lastEventId !== position.lastEventId || isSilence(stream.fault)) reconnect.progressed();
    position = { lastEventId, retryMs };
  }
}

/** @returns `undefined` to try again */
async function reopen(
  position: Position,
  pending: PendingAnswer,
  wire: Wire,
  reconnect: Reconnect,
): Promise<EventStream | undefined> {
  const { session, inbox } = wire;
  const carried = session.id;
  const response = await ask(position, pending, wire, reconnect);
  if (response === undefined) return undefined;
  if (response.ok && mediaType(response) === 'text/event-stream')
    return openEventStream(response, (event) => inbox.receive(event, pending), wire);
  if (isPassing(response.status)) {
    discardBody(response);
    return undefined;
  }
  const refusal = await readRefusal(response, wire);
  if (carried !== undefined && isSessionLoss(refusal)) wire.loseSession(carried);
  throw lost(wire, `HTTP status ${response.status}`);
}

async function ask(
  { lastEventId }: Position,
  { controller }: PendingAnswer,
  { client, session, url }: Wire,
  reconnect: Reconnect,
): Promise<Response | undefined> {
  try {
    const headers = session.streamHeaders(lastEventId);
    return await client.send({ method: 'GET', url, headers, signal: controller.signal });
  } catch (error) {
    if (isSilence(error)) reconnect.progressed();
    // The server may be restarting.
    if (isPatchbayError(error, 'unreachable', 'answerLost')) return undefined;
    throw error;
  }
}

function lost({ address }: Wire, why: string): PatchbayError {
  return answerLost(address, `ended before the answer was complete and could not be resumed (${why})`);
}
