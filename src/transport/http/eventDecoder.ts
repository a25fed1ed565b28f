import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { JsonScan } from '../../base/jsonScan.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { type MessageExcess, MessageTooLarge } from '../messageLimits.ts';

/** One event of a stream (HTML, "Server-sent events"). */
export interface ServerSentEvent extends EventSourceMessage {
  /** The levels that are kept of the message in it, where it may have more. */
  readonly keptDepth?: number;
}

/** Turns the bytes of an event stream into events, in time that is linear in the bytes whatever the chunking. */
export class EventDecoder {
  readonly #decoder = new TextDecoder();
  readonly #parser: ReturnType<typeof createParser>;
  #endedWithReturn = false;
  readonly #ids = new EventIds();
  readonly #scan: EventScan;
  #isTooLong = false;
  #retryMs: number | undefined;

  constructor(onEvent: (event: ServerSentEvent) => void, limits: MessageLimits) {
    this.#scan = new EventScan(limits, this.#ids);
    // Of one event, in UTF-16 code units: its bytes or fewer.
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

  /** Of the last whole event that had one, be it nothing else; empty where the server took it back. */
  get lastEventId(): string | undefined {
    return this.#ids.last;
  }

  /** How long the server wants to be left alone before a reconnection. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  /** @throws {MessageTooLarge} for an event beyond a limit; the stream cannot be read on */
  write(chunk: Uint8Array): void {
    const excess = this.#scan.scan(chunk);
    if (excess !== undefined) throw new MessageTooLarge(excess);
    const text = this.#decoder.decode(chunk, { stream: true });
    if (text !== '') this.#parser.feed(this.#withLineFeeds(text));
    if (this.#isTooLong) throw new MessageTooLarge('bytes');
  }

  /**
   * Lines may end with LF, CR LF or CR. The parser would hold a line back that ends with CR until more comes, and is slow
   * with many of them.
   */
  #withLineFeeds(text: string): string {
    // A CR LF may be cut in two by the chunks.
    const lines = this.#endedWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.#endedWithReturn = text.endsWith('\r');
    return lines.includes('\r') ? lines.replace(/\r\n?/g, '\n') : lines;
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Looks at each line while its bytes come in: counts what the JSON of an event holds, and finds its id. A string of JSON never
 * goes on in the next line, so that counting the names of fields and comments too does no harm.
 */
class EventScan {
  readonly #json: JsonScan;
  readonly #ids: EventIds;
  readonly #maximumLines: number;
  #lines = 0;
  #isLineEmpty = true;
  #endedWithReturn = false;

  constructor(limits: MessageLimits, ids: EventIds) {
    this.#json = new JsonScan(limits);
    this.#ids = ids;
    // Each line of an event is kept by itself until the event ends, even an empty one.
    this.#maximumLines = limits.members;
  }

  /** See {@link JsonScan.hasSeenDeep}. */
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
/** Of the byte order mark a stream may begin with, in UTF-8. */
const markStart = 0xef;
/** Far beyond what can be sent back, see `eventIdHeader`. */
const maximumIdBytes = 64 * 1024;

/**
 * Finds the ids of events. An event without data is never handed on, but its id counts all the same (HTML, "Server-sent
 * events"): servers send one to make a stream one that can be taken up again, and the parser does not tell of it.
 */
class EventIds {
  #last: string | undefined;
  /** Of the event that has not ended yet. */
  #next: string | undefined;
  /** The beginning of the line, while it may hold an id. */
  #line: Uint8Array[] = [];
  /** Bytes of that line, kept or not. */
  #length = 0;
  #isFirstLine = true;

  get last(): string | undefined {
    return this.#last;
  }

  /** Takes bytes of one line. @param isStart nothing came of the line before */
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
    // One that was cut is none that could be sent back.
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
