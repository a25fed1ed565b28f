import type { HttpResponse } from '../../base/httpClient.ts';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { delay } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { JsonScanner } from '../../base/jsonScanner.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { type MessageExcess, MessageTooLarge } from '../messageLimits.ts';

/** The body of a `text/event-stream` response, read on demand. */
export interface EventStream {
  /**
   * Reads the next chunk and delivers its events.
   * @returns false at the end of the stream, by the server or a broken connection
   * @throws {MessageTooLarge} for an event that exceeds a limit; then the stream is closed
   */
  read(): Promise<boolean>;
  /** See {@link EventDecoder.lastEventId}. */
  readonly lastEventId: string | undefined;
  /** See {@link EventDecoder.retryMs}. */
  readonly retryMs: number | undefined;
  /** The error that broke the connection; `undefined` while it is open, or when the server ended the stream. */
  readonly fault: unknown;
  close(): void;
}

/** The usual chunk size; it can contain some ten thousand events. */
const maximumBytesPerTurn = 64 * 1024;

/** Opens the body of a response. @param onEvent is called during {@link EventStream.read} */
export function openEventStream(
  { body }: HttpResponse,
  onEvent: (event: ServerSentEvent) => void,
  { limits, clock }: { readonly limits: MessageLimits; readonly clock: Clock },
): EventStream {
  const decoder = new EventDecoder(onEvent, limits);
  let fault: unknown;
  const close = (): void => body.cancel();
  return {
    get lastEventId() {
      return decoder.lastEventId;
    },
    get retryMs() {
      return decoder.retryMs;
    },
    get fault() {
      return fault;
    },
    async read() {
      try {
        const chunk = await body.read();
        if (chunk === undefined) return false;
        for (let at = 0; at < chunk.length; at += maximumBytesPerTurn) {
          // A large chunk must not block the event loop.
          if (at > 0) await delay(clock, 0);
          decoder.write(chunk.subarray(at, at + maximumBytesPerTurn));
        }
        return true;
      } catch (error) {
        if (error instanceof MessageTooLarge) {
          close();
          throw error;
        }
        fault = error;
        return false;
      }
    },
    close,
  };
}

/** One event of a stream (WHATWG HTML, "Server-sent events"). */
export interface ServerSentEvent extends EventSourceMessage {
  /** The nesting depth to which its message must be cut, where it may be deeper. */
  readonly keptDepth?: number;
}

/** Decodes the bytes of an event stream. The time is linear in the bytes, however they are split into chunks. */
export class EventDecoder {
  readonly #decoder = new TextDecoder();
  readonly #parser: ReturnType<typeof createParser>;
  #endedWithReturn = false;
  readonly #ids = new EventIdTracker();
  readonly #scan: EventScanner;
  #isTooLong = false;
  #retryMs: number | undefined;

  constructor(onEvent: (event: ServerSentEvent) => void, limits: MessageLimits) {
    this.#scan = new EventScanner(limits, this.#ids);
    // Of one event, in UTF-16 code units, which are never more than its bytes.
    const maximumSize = limits.bytes;
    const keptDepth = limits.keptDepth ?? limits.depth;
    this.#parser = createParser({
      maxBufferSize: maximumSize,
      onEvent: (event) => {
        if (event.data.length > maximumSize) this.#isTooLong = true;
        else onEvent(this.#scan.hasSeenDeep ? { ...event, keptDepth } : event);
      },
      onRetry: (milliseconds) => (this.#retryMs = milliseconds),
      onError: ({ type }) => (this.#isTooLong ||= type === 'max-buffer-size-exceeded'),
    });
  }

  /** The id of the last complete event with an id, even without data; empty where the server reset it. */
  get lastEventId(): string | undefined {
    return this.#ids.last;
  }

  /** The reconnection delay that the server asked for, in milliseconds. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  /** @throws {MessageTooLarge} for an event that exceeds a limit; then no more of the stream can be read */
  write(chunk: Uint8Array): void {
    const excess = this.#scan.scan(chunk);
    if (excess !== undefined) throw new MessageTooLarge(excess);
    const text = this.#decoder.decode(chunk, { stream: true });
    if (text !== '') this.#parser.feed(this.#normalizeLineEnds(text));
    if (this.#isTooLong) throw new MessageTooLarge('bytes');
  }

  /**
   * Replaces CR LF and CR by LF: the parser delays a line that ends with CR until the next chunk, and is slow with many of
   * them.
   */
  #normalizeLineEnds(text: string): string {
    // CR LF may be split between two chunks.
    const lines = this.#endedWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.#endedWithReturn = text.endsWith('\r');
    return lines.includes('\r') ? lines.replace(/\r\n?/g, '\n') : lines;
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Scans each line while its bytes arrive: applies the limits for JSON, and finds event ids. JSON strings never continue on
 * the next line, so field names and comments can be scanned too.
 */
class EventScanner {
  readonly #json: JsonScanner;
  readonly #ids: EventIdTracker;
  readonly #maximumLines: number;
  #lines = 0;
  #isLineEmpty = true;
  #endedWithReturn = false;

  constructor(limits: MessageLimits, ids: EventIdTracker) {
    this.#json = new JsonScanner(limits);
    this.#ids = ids;
    // The parser keeps each line of an event until the event ends, even an empty one.
    this.#maximumLines = limits.members;
  }

  /** See {@link JsonScanner.hasSeenDeep}. */
  get hasSeenDeep(): boolean {
    return this.#json.hasSeenDeep;
  }

  scan(chunk: Uint8Array): MessageExcess | undefined {
    const hasReturns = chunk.includes(carriageReturn);
    for (let start = 0; start < chunk.length;) {
      const end = hasReturns ? lineEnd(chunk, start) : positionOf(chunk, lineFeed, start);
      const excess = end > start ? this.#json.scan(chunk.subarray(start, end)) : undefined;
      if (excess !== undefined) return excess;
      this.#ids.read(chunk, start, end, this.#isLineEmpty);
      if (end > start) this.#isLineEmpty = this.#endedWithReturn = false;
      if (end < chunk.length) this.#endLine(chunk[end] === carriageReturn);
      if (this.#lines > this.#maximumLines) return 'members';
      start = end + 1;
    }
    return undefined;
  }

  #endLine(isReturn: boolean): void {
    // CR LF is one line end.
    const isSecondHalf = !isReturn && this.#endedWithReturn;
    this.#endedWithReturn = isReturn;
    if (isSecondHalf) return;
    if (this.#isLineEmpty) {
      this.#ids.endEvent();
      this.#json.reset();
      this.#lines = 0;
    } else {
      this.#ids.endLine();
      this.#json.endLine();
      this.#lines += 1;
    }
    this.#isLineEmpty = true;
  }
}

const letterI = 0x69;
/** First byte of the UTF-8 byte order mark, which may start a stream. */
const markStart = 0xef;
/** Far more than can be sent back, see `eventIdHeader`. */
const maximumIdBytes = 64 * 1024;

/**
 * Finds the ids of events. The parser drops events without data, but their ids count (WHATWG HTML, "Server-sent events"):
 * servers send them so that a stream can be resumed.
 */
class EventIdTracker {
  #last: string | undefined;
  /** The id of the event that is not complete. */
  #next: string | undefined;
  /** The start of the line, if it may be an id field. */
  #line: Uint8Array[] = [];
  /** Number of bytes of that line, including those that are not kept. */
  #length = 0;
  #isFirstLine = true;

  get last(): string | undefined {
    return this.#last;
  }

  /** Reads bytes of one line. @param isStart true for the first bytes of the line */
  read(chunk: Uint8Array, start: number, end: number, isStart: boolean): void {
    if (end === start || (isStart ? !this.#mayHoldId(chunk[start]) : this.#length === 0)) return;
    const room = Math.max(0, maximumIdBytes - this.#length);
    this.#line.push(chunk.slice(start, Math.min(end, start + room)));
    this.#length += end - start;
  }

  endLine(): void {
    this.#isFirstLine = false;
    if (this.#length === 0) return;
    const decoder = new TextDecoder();
    const text = this.#line.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
    const isWhole = this.#length <= maximumIdBytes;
    this.#line = [];
    this.#length = 0;
    const id = /^id(?:: ?(.*))?$/s.exec(text);
    // A truncated id cannot be sent back.
    if (id !== null && !text.includes('\0')) this.#next = isWhole ? (id[1] ?? '') : '';
  }

  endEvent(): void {
    this.#isFirstLine = false;
    this.#last = this.#next ?? this.#last;
    this.#next = undefined;
  }

  #mayHoldId(byte: number | undefined): boolean {
    return byte === letterI || (byte === markStart && this.#isFirstLine);
  }
}

function positionOf(chunk: Uint8Array, byte: number, start: number): number {
  const found = chunk.indexOf(byte, start);
  return found === -1 ? chunk.length : found;
}

function lineEnd(chunk: Uint8Array, start: number): number {
  let at = start;
  while (at < chunk.length && chunk[at] !== lineFeed && chunk[at] !== carriageReturn) at += 1;
  return at;
}
