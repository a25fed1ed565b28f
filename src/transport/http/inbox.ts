import type { Clock } from '../../base/clock.ts';
import { cutDeepJson } from '../../base/deepJson.ts';
import { isRecord } from '../../base/json.ts';
import { isRequestId, type RequestId } from '../../protocol/jsonRpc.ts';
import { createTokenBucket } from '../tokenBucket.ts';
import type { TransportLog } from '../transport.ts';
import type { ServerSentEvent } from './eventDecoder.ts';
import { parseJson } from './httpProblems.ts';

/** A request that was sent and not yet answered. */
export interface PendingAnswer {
  readonly id: RequestId;
  /** Its answer was delivered, on whichever stream it came. */
  isAnswered: boolean;
  /** Ends the request and all that waits for its answer. */
  readonly controller: AbortController;
}

/** Takes what comes in on any stream, hands messages on, and knows which requests were answered. */
export interface Inbox {
  expect(id: RequestId): PendingAnswer;
  get(id: unknown): PendingAnswer | undefined;
  forget(pending: PendingAnswer): void;
  /** @param pending the request it was the answer to, where it was: an error without an id can only be meant for it */
  deliver(value: unknown, pending?: PendingAnswer): void;
  /** Reads a message out of an event; what is none is logged within limits. */
  receive(event: ServerSentEvent, pending?: PendingAnswer): void;
}

const noiseLimits = { burst: 50, perSecond: 5 } as const;
const shownLength = 500;

export function createInbox(
  clock: Clock,
  listener: { message(value: unknown): void; log(entry: TransportLog): void },
): Inbox {
  const requests = new Map<RequestId, PendingAnswer>();
  const bucket = createTokenBucket(clock, noiseLimits);

  function log(source: TransportLog['source'], text: string): void {
    if (!bucket.admit()) return;
    const dropped = bucket.takeDropped();
    if (dropped > 0) listener.log({ source: 'note', text: `${dropped} more events were no messages.` });
    listener.log({ source, text });
  }

  function mark(value: unknown): void {
    const pending = answeredBy(value, requests);
    if (pending !== undefined) pending.isAnswered = true;
  }

  const inbox: Inbox = {
    expect(id) {
      const pending = { id, isAnswered: false, controller: new AbortController() };
      requests.set(id, pending);
      return pending;
    },
    get: (id) => (isRequestId(id) ? requests.get(id) : undefined),
    forget(pending) {
      if (requests.get(pending.id) === pending) requests.delete(pending.id);
    },
    deliver(value, pending) {
      const message = pending === undefined ? value : addressed(value, pending.id);
      if (Array.isArray(message)) message.forEach(mark);
      else mark(message);
      listener.message(message);
    },
    receive({ event = 'message', data, keptDepth }, pending) {
      if (event !== 'message') return log('note', `Ignored an event of type ${shorten(event)}.`);
      // Servers open a stream with an id alone, so that it can be taken up again (2025-11-25, "Resumability").
      if (data === '') return;
      const value = parseJson(data);
      if (keptDepth !== undefined) cutDeepJson(value, keptDepth);
      if (typeof value === 'object' && value !== null) inbox.deliver(value, pending);
      else log('noise', shorten(data));
    },
  };
  return inbox;
}

function answeredBy(value: unknown, requests: ReadonlyMap<RequestId, PendingAnswer>): PendingAnswer | undefined {
  if (!isRecord(value) || typeof value['method'] === 'string' || !isRequestId(value['id'])) return undefined;
  return requests.get(value['id']);
}

/** An error without an id, as servers give that could not read the request, with the id of that request. */
export function addressed(value: unknown, id: RequestId): unknown {
  const isAnonymousError =
    isRecord(value) && isRecord(value['error']) && (value['id'] ?? undefined) === undefined && !('method' in value);
  return isAnonymousError ? { ...value, id } : value;
}

function shorten(text: string): string {
  return (text.length > shownLength ? `${text.slice(0, shownLength)}…` : text).replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
