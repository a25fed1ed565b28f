import { CancelSource } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { ownId, type RequestId } from '../../protocol/jsonRpc.ts';
import type { BaseTransport } from '../baseTransport.ts';
import { findAnswerId, unreadableAnswerError } from '../messageLimits.ts';
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

const maximumShownLength = 500;

/** Receives messages from all streams, passes them on, and tracks which requests were answered. */
export class ResponseRouter {
  readonly #clock: Clock;
  readonly #transport: BaseTransport;
  readonly #requests = new Map<unknown, PendingResponse>();

  constructor(clock: Clock, transport: BaseTransport) {
    this.#clock = clock;
    this.#transport = transport;
  }

  register(id: RequestId): PendingResponse {
    const controller = new CancelSource();
    const pending = { id, isAnswered: false, isSent: false, tail: undefined, controller, expiry: undefined };
    this.#requests.set(id, pending);
    return pending;
  }

  get(id: unknown): PendingResponse | undefined {
    return this.#requests.get(id);
  }

  remove(pending: PendingResponse): void {
    pending.expiry?.dispose();
    if (this.#requests.get(pending.id) === pending) this.#requests.delete(pending.id);
  }

  /** @param pending the request of the HTTP response it came in: an error without an id belongs to it */
  deliver(value: unknown, pending?: PendingResponse): void {
    const message = pending === undefined ? value : withRequestId(value, pending.id);
    for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) this.#mark(one, pending);
    this.#transport.receive(message);
  }

  receiveEvent({ event = 'message', data, json }: ServerSentEvent, pending?: PendingResponse): void {
    if (event !== 'message') {
      // Some servers name the event with the answer in their own way.
      const answer = pending === undefined ? undefined : json();
      const isAnswer = isRecord(answer) && ('result' in answer || 'error' in answer);
      if (isAnswer && ownId(answer['id']) === pending?.id) return this.deliver(answer, pending);
      return this.#transport.note(`Ignored an event of type ${shorten(event)}.`);
    }
    // Servers start a stream with an id without data, so that it can be resumed (2025-11-25, Basic / Transports,
    // "Sending Messages to the Server").
    if (data === '') return;
    const value = json();
    if (typeof value === 'object' && value !== null) this.deliver(value, pending);
    else {
      this.#transport.log({ source: 'noise', text: shorten(data) });
      if (pending === undefined || findAnswerId(data) !== pending.id) return;
      pending.controller.abort(unreadableAnswerError(shorten(data)));
    }
  }

  /** @param source the request of the HTTP response that `value` came in */
  #mark(value: unknown, source: PendingResponse | undefined): void {
    const isResponse = isRecord(value) && typeof value['method'] !== 'string';
    const pending = isResponse ? this.#requests.get(ownId(value['id'])) : undefined;
    if (pending === undefined) return;
    pending.isAnswered = true;
    // Its own stream brings nothing more, and would occupy a connection for as long as the server likes.
    if (pending !== source)
      pending.expiry ??= this.#clock.after(maximumTailMs, () =>
        pending.controller.abort(new CancelledError('The response came on another stream')),
      );
  }
}

/** Adds the request id to an answer without one: servers send it when they could not read the request. */
export function withRequestId(value: unknown, id: RequestId): unknown {
  const isAnonymous =
    isRecord(value) &&
    (isRecord(value['error']) || isRecord(value['result'])) &&
    (value['id'] ?? undefined) === undefined;
  return isAnonymous && !('method' in value) ? { ...value, id } : value;
}

function shorten(text: string): string {
  return truncateWithEllipsis(text, maximumShownLength).replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
