import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { jsonLength, toJsonText } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { preciseTime } from '../../base/relativeTime.ts';
import { RateLimiter } from '../../base/rateLimiter.ts';
import { escapeHidden } from '../../base/visibleText.ts';
import { classifyMessage, type OutgoingMessage, type RequestId } from '../../protocol/jsonRpc.ts';
import type { CloseReason } from '../../transport/transport.ts';
import type { ConnectionTap, TapDirection, TappedConnection } from './connectionTap.ts';
import { describeEnd, describeTransport } from './describeConnection.ts';
import { traceJson } from './traceJson.ts';

/** Receives one entry: a line that describes it, then the message as JSON. Entries contain no secrets. */
export type TraceSink = (entry: string) => void;

const arrows: Readonly<Record<TapDirection, string>> = { sent: '→', received: '←' };
const opposites: Readonly<Record<TapDirection, TapDirection>> = { sent: 'received', received: 'sent' };

/** Open requests whose send time is kept; above it the oldest are dropped. */
const maximumOpenRequests = 1_000;
const maximumLineCharacters = 500;

/** Writes what goes over a connection as text, so many messages a second. */
export class TextTap implements ConnectionTap {
  readonly #connection: TappedConnection;
  readonly #sink: TraceSink;
  readonly #clock: Clock;
  readonly #open = new Map<string, { readonly method: string; readonly sentAt: number }>();
  readonly #limiter: RateLimiter;

  constructor(connection: TappedConnection, sink: TraceSink, clock: Clock) {
    this.#connection = connection;
    this.#sink = sink;
    this.#clock = clock;
    this.#limiter = new RateLimiter(clock, { count: limits.trace.messages, periodMs: 1_000 }, (count) => {
      sink(`${this.#time()} … ${count} more left out: at most ${limits.trace.messages} are shown a second`);
    });
    this.note(`connecting over ${describeTransport(connection.plan)}`);
  }

  message(direction: TapDirection, value: unknown): void {
    // A batch (2025-03-26) is several messages.
    const messages = Array.isArray(value) ? (value as readonly unknown[]).slice(0, limits.batch.entries) : [value];
    for (const message of messages) {
      const roundTrip = this.#roundTrip(direction, message);
      this.#limiter.run(() => {
        const size = formatSize(bytesOf(message));
        const line = `${arrows[direction]} ${this.#redact(describe(message))}${roundTrip}, ${size}`;
        this.#sink(`${this.#time()} ${line}\n${traceJson(message, this.#connection.redactor())}`);
      });
    }
  }

  failed(message: OutgoingMessage, error: unknown): void {
    this.note(`${describeSent(message)} failed: ${messageOf(error)}`);
  }

  note(text: string): void {
    this.#limiter.run(() => this.#sink(`${this.#time()} • ${this.#redact(text)}`));
  }

  end(reason: CloseReason): void {
    this.#sink(`${this.#time()} • ${this.#redact(`closed: ${describeEnd(reason)}`)}`);
    this.#limiter.dispose();
  }

  /** Hides secrets, and joins all lines into one. */
  #redact(text: string): string {
    return escapeHidden(
      this.#connection
        .redactor()
        .text(text, maximumLineCharacters)
        .replace(/[\u0000-\u001f]+/g, ' '),
    );
  }

  #time(): string {
    return preciseTime(this.#clock.now());
  }

  /** Stores a request; for a response, returns its method and the milliseconds between them. */
  #roundTrip(direction: TapDirection, value: unknown): string {
    const message = classifyMessage(value);
    const now = this.#clock.now();
    if (message.kind === 'request') {
      this.#open.set(requestKey(direction, message.id), { method: message.method, sentAt: now });
      if (this.#open.size > maximumOpenRequests) this.#open.delete(this.#open.keys().next().value ?? '');
      return '';
    }
    if ((message.kind !== 'result' && message.kind !== 'error') || message.id === undefined) return '';
    const key = requestKey(opposites[direction], message.id);
    const request = this.#open.get(key);
    this.#open.delete(key);
    return request === undefined ? '' : ` of ${this.#redact(request.method)} after ${now - request.sentAt} ms`;
  }
}

function requestKey(direction: TapDirection, id: RequestId): string {
  return `${direction}${JSON.stringify(id)}`;
}

function describeSent(message: OutgoingMessage): string {
  return Array.isArray(message) ? `batch of ${message.length}` : describe(message);
}

function describe(value: unknown): string {
  const message = classifyMessage(value);
  switch (message.kind) {
    case 'request':
      return `request ${message.method} (${message.id})`;
    case 'notification':
      return `notification ${message.method}`;
    case 'result':
    case 'error':
      return `${message.kind} (${message.id})`;
    case 'malformed':
      return `not JSON-RPC (${message.reason})`;
  }
}

/** Exact bytes of a short message; characters of a long one, because serialising it again would cost too much. */
function bytesOf(message: unknown): number {
  const length = jsonLength(message);
  return length < 10_000 ? new TextEncoder().encode(toJsonText(message)).length : length;
}

function formatSize(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  return bytes < 10_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${Math.round(bytes / 1_000_000)} MB`;
}
