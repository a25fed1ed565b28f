import { CancelSource } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { isRequestId, type RequestId } from '../../protocol/jsonRpc.ts';
import { RateLimitedLog } from '../tokenBucket.ts';
import type { TransportLog } from '../transport.ts';
import type { ServerSentEvent } from './eventDecoder.ts';

export interface PendingResponse {
  readonly id: RequestId;
  /** Its response was delivered, on any stream. */
  isAnswered: boolean;
  /** False while it waits for a connection. */
  isSent: boolean;
  /** Resolves when the rest of the stream that brought its response was read, which occupies its connection until then. */
  tail: Promise<void> | undefined;
  /** Aborts the request and the reading of its response. */
  readonly controller: CancelSource;
  /** Aborts it after a while, because its response came on another stream. */
  expiry: Disposable | undefined;
}

/** Milliseconds for which the stream of a request may stay open after the response. */
export const maximumTailMs = 5_000;

/** Receives messages from all streams, passes them on, and tracks which requests were answered. */
export interface ResponseRouter {
  /** Adds a request before it is sent. */
  register(id: RequestId): PendingResponse;
  get(id: unknown): PendingResponse | undefined;
  remove(pending: PendingResponse): void;
  /**
   * Passes a message on.
   * @param pending the request of the HTTP response it came in: an error without an id belongs to it
   */
  deliver(value: unknown, pending?: PendingResponse): void;
  /** Takes the message of an event; other events are logged, with a rate limit. */
  receiveEvent(event: ServerSentEvent, pending?: PendingResponse): void;
}

const noiseRate = { burst: 50, perSecond: 5 } as const;
const maximumShownLength = 500;

/** Creates a {@link ResponseRouter}. @param listener receives all messages and log lines */
export function createResponseRouter(
  clock: Clock,
  listener: { message(value: unknown): void; log(entry: TransportLog): void },
): ResponseRouter {
  const requests = new Map<RequestId, PendingResponse>();
  const noise = new RateLimitedLog(
    clock,
    noiseRate,
    (entry) => listener.log(entry),
    (count) => `${count} more events were no messages.`,
  );

  /** @param source the request of the HTTP response that `value` came in */
  function mark(value: unknown, source: PendingResponse | undefined): void {
    const pending = answeredBy(value, requests);
    if (pending === undefined) return;
    pending.isAnswered = true;
    // Its own stream brings nothing more, and would occupy a connection for as long as the server likes.
    if (pending !== source)
      pending.expiry ??= clock.after(maximumTailMs, () =>
        pending.controller.abort(new CancelledError('The response came on another stream')),
      );
  }

  const router: ResponseRouter = {
    register(id) {
      const controller = new CancelSource();
      const pending = { id, isAnswered: false, isSent: false, tail: undefined, controller, expiry: undefined };
      requests.set(id, pending);
      return pending;
    },
    get: (id) => (isRequestId(id) ? requests.get(id) : undefined),
    remove(pending) {
      pending.expiry?.dispose();
      if (requests.get(pending.id) === pending) requests.delete(pending.id);
    },
    deliver(value, pending) {
      const message = pending === undefined ? value : withRequestId(value, pending.id);
      if (Array.isArray(message)) for (const one of message) mark(one, pending);
      else mark(message, pending);
      listener.message(message);
    },
    receiveEvent({ event = 'message', data, json }, pending) {
      if (event !== 'message')
        return noise.write({ source: 'note', text: `Ignored an event of type ${shorten(event)}.` });
      // Servers start a stream with an id without data, so that it can be resumed (2025-11-25, Basic / Transports,
      // "Sending Messages to the Server").
      if (data === '') return;
      const value = json();
      if (typeof value === 'object' && value !== null) router.deliver(value, pending);
      else noise.write({ source: 'noise', text: shorten(data) });
    },
  };
  return router;
}

function answeredBy(value: unknown, requests: ReadonlyMap<RequestId, PendingResponse>): PendingResponse | undefined {
  if (!isRecord(value) || typeof value['method'] === 'string' || !isRequestId(value['id'])) return undefined;
  return requests.get(value['id']);
}

/** Adds the request id to an error without one: servers send it when they could not read the request. */
export function withRequestId(value: unknown, id: RequestId): unknown {
  const isAnonymousError =
    isRecord(value) && isRecord(value['error']) && (value['id'] ?? undefined) === undefined && !('method' in value);
  return isAnonymousError ? { ...value, id } : value;
}

function shorten(text: string): string {
  return truncateWithEllipsis(text, maximumShownLength).replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
