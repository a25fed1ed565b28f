import type { Clock } from '../../base/clock.ts';
import { cutDeepJson } from '../../base/deepJson.ts';
import { isRecord } from '../../base/json.ts';
import { isRequestId, type RequestId } from '../../protocol/jsonRpc.ts';
import { createTokenBucket } from '../tokenBucket.ts';
import type { TransportLog } from '../transport.ts';
import type { ServerSentEvent } from './eventDecoder.ts';
import { parseJson } from './httpProblems.ts';

/** A request that was sent and has no response so far. */
export interface PendingAnswer {
  readonly id: RequestId;
  /** Its response was delivered, on any stream. */
  isAnswered: boolean;
  /** Aborts the request and the reading of its response. */
  readonly controller: AbortController;
}

/** Receives messages from all streams, passes them on, and tracks which requests were answered. */
export interface Inbox {
  /** Adds a request before it is sent. */
  expect(id: RequestId): PendingAnswer;
  get(id: unknown): PendingAnswer | undefined;
  /** Removes a request that has ended. */
  forget(pending: PendingAnswer): void;
  /** Passes a message on. @param pending the request of the HTTP response it came in: an error without an id belongs to it */
  deliver(value: unknown, pending?: PendingAnswer): void;
  /** Parses the message of an event; other events are logged, with a rate limit. */
  receive(event: ServerSentEvent, pending?: PendingAnswer): void;
}

const noiseLimits = { burst: 50, perSecond: 5 } as const;
const shownLength = 500;

/** Creates an {@link Inbox}. @param listener receives all messages and log lines */
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
      // Servers start a stream with an id without data, so that it can be resumed (2025-11-25, Basic / Transports, "Sending Messages to the Server").
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

/** Adds the request id to an error without one: servers send it when they could not read the request. */
export function addressed(value: unknown, id: RequestId): unknown {
  const isAnonymousError =
    isRecord(value) && isRecord(value['error']) && (value['id'] ?? undefined) === undefined && !('method' in value);
  return isAnonymousError ? { ...value, id } : value;
}

function shorten(text: string): string {
  return (text.length > shownLength ? `${text.slice(0, shownLength)}…` : text).replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
