import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { parseJson } from '../../base/json.ts';
import { JsonScanner, truncateDepth } from '../../base/jsonScanner.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { type MessageExcess, MessageTooLarge } from '../messageLimits.ts';
import { ByteBuffer, decodeUtf8 } from './byteBuffer.ts';
import { LongEvent } from './longEvent.ts';

/** One event of a stream (WHATWG HTML, "Server-sent events"). Of a long event, `data` is only the start. */
export interface ServerSentEvent extends EventSourceMessage {
  /** False for a long event, of which `data` is only the start. */
  readonly isWhole: boolean;
  /** @returns the data as JSON, truncated to the depth of the limits; `undefined` for anything else */
  readonly json: () => unknown;
}

/** An event of more bytes is not decoded as a whole. */
const shortEventBytes = 64 * 1024;

/**
 * Decodes the bytes of an event stream. The time is linear in the bytes, however they are split into chunks. Bytes are scanned
 * for line ends and, while they arrive, for the structure of JSON; those of an incomplete event are kept. Complete events are
 * decoded together and parsed by `eventsource-parser`; of a long one it gets all lines but the data, see {@link LongEvent}.
 */
export class EventDecoder {
  readonly #limits: MessageLimits;
  readonly #parser: ReturnType<typeof createParser>;
  readonly #json: JsonScanner;
  /** The start of the event that is not complete. */
  readonly #kept = new ByteBuffer();
  #long: LongEvent | undefined;
  /** Number of lines and bytes of the event that is not complete. */
  #lines = 0;
  #bytes = 0;
  #isFirstText = true;
  #isLineEmpty = true;
  #endedWithReturn = false;
  /** The id of the event that is not complete. */
  #nextEventId: string | undefined;
  /** The id of the last complete event with an id, even without data; empty where the server reset it. */
  lastEventId: string | undefined;
  /** The reconnection delay that the server asked for, in milliseconds. */
  retryMs: number | undefined;

  constructor(onEvent: (event: ServerSentEvent) => void, limits: MessageLimits) {
    this.#limits = limits;
    this.#json = new JsonScanner(limits);
    this.#parser = createParser({
      onEvent: ({ event, id, data }) => {
        const long = this.#long;
        onEvent(
          long === undefined
            ? { event, id, data, isWhole: true, json: () => this.#parse(data) }
            : { event, id, data: long.head, isWhole: false, json: () => long.json() },
        );
      },
      onRetry: (milliseconds) => (this.retryMs = milliseconds),
    });
  }

  /** @throws {MessageTooLarge} for an event that exceeds a limit; then no more of the stream can be read */
  write(chunk: Uint8Array): void {
    const hasReturns = chunk.includes(carriageReturn);
    /** Up to here, all was passed on. */
    let done = 0;
    /** Up to here, events are complete. */
    let complete = 0;
    for (let start = 0; start < chunk.length;) {
      const end = lineEnd(chunk, start, hasReturns);
      if (end > start) this.#readLine(chunk, start, end);
      start = end + 1;
      if (end === chunk.length || !this.#endLine(chunk[end] === carriageReturn)) continue;
      complete = start;
      if (this.#long === undefined) continue;
      this.#complete(this.#long.end());
      this.#long = undefined;
      done = start;
    }
    if (complete > done) this.#decode(chunk.subarray(done, complete));
    if (this.#long === undefined) this.#keep(chunk.subarray(complete));
  }

  /** The stream has ended: an incomplete event is no event, but its `retry` counts. */
  end(): void {
    const kept = this.#kept.take();
    const length = Math.max(kept.lastIndexOf(lineFeed), kept.lastIndexOf(carriageReturn)) + 1;
    this.#feed(decodeUtf8(kept.subarray(0, length)));
  }

  #readLine(chunk: Uint8Array, start: number, end: number): void {
    const piece = chunk.subarray(start, end);
    this.#isLineEmpty = false;
    this.#endedWithReturn = false;
    this.#bytes += piece.length;
    if (this.#bytes > this.#limits.bytes) throw new MessageTooLarge('bytes');
    // Field names and comments can be scanned too: strings of JSON never continue on the next line.
    throwExcess(this.#long === undefined ? this.#json.scan(piece) : this.#long.write(piece));
  }

  #endLine(isReturn: boolean): boolean {
    // CR LF is one line end.
    const isSecondHalf = !isReturn && this.#endedWithReturn;
    this.#endedWithReturn = isReturn;
    if (isSecondHalf) return false;
    if (this.#isLineEmpty) {
      this.#json.reset();
      this.#lines = this.#bytes = 0;
      return true;
    }
    this.#isLineEmpty = true;
    this.#json.endLine();
    this.#lines += 1;
    // The parser keeps each line of an event until the event ends, even an empty one.
    if (this.#lines > this.#limits.members) throw new MessageTooLarge('members');
    if (this.#long !== undefined) this.#feed(this.#long.endLine());
    return false;
  }

  /** Decodes complete events, after what was kept of the first one. */
  #decode(bytes: Uint8Array): void {
    if (this.#kept.length === 0) return this.#complete(decodeUtf8(bytes));
    this.#kept.append(bytes);
    this.#complete(decodeUtf8(this.#kept.take()));
  }

  /** @param text up to the end of an event */
  #complete(text: string): void {
    this.#feed(text);
    this.lastEventId = this.#nextEventId;
  }

  #feed(text: string): void {
    const start = this.#isFirstText && text.startsWith(byteOrderMark) ? 1 : 0;
    this.#isFirstText &&= text === '';
    const cut = start === 0 ? text : text.slice(start);
    if (cut === '') return;
    // The parser delays a line that ends with CR until the next chunk, and is slow with many of them.
    const lines = cut.includes('\r') ? cut.replace(/\r\n?/g, '\n') : cut;
    this.#nextEventId = lastIdIn(lines) ?? this.#nextEventId;
    this.#parser.feed(lines);
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const { length } = this.#kept;
    // A byte order mark is recognized as a whole.
    if (length < markBytes || length + bytes.length <= shortEventBytes) return this.#kept.append(bytes);
    const kept = this.#kept.take();
    const long = new LongEvent(this.#limits);
    this.#long = long;
    const start = this.#isFirstText && startsWithMark(kept) ? markBytes : 0;
    this.#replay(long, kept.subarray(start));
    this.#replay(long, bytes);
  }

  /** Reads the bytes of a long event that were read as those of a short one. */
  #replay(long: LongEvent, bytes: Uint8Array): void {
    const hasReturns = bytes.includes(carriageReturn);
    for (let start = 0; start < bytes.length;) {
      const end = lineEnd(bytes, start, hasReturns);
      if (end > start) throwExcess(long.write(bytes.subarray(start, end)));
      if (end < bytes.length) this.#feed(long.endLine());
      start = end + 1;
    }
  }

  #parse(data: string): unknown {
    const value = parseJson(data);
    if (this.#json.hasSeenDeep) truncateDepth(value, this.#limits.keptDepth ?? this.#limits.depth);
    return value;
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = '\uFEFF';
/** Its length in UTF-8. */
const markBytes = 3;
const idField = /id(?:: ?([^\0\n]*))?\n/y;

function startsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** @returns the index of the next line end; the length without one */
function lineEnd(bytes: Uint8Array, start: number, hasReturns: boolean): number {
  if (!hasReturns) {
    const found = bytes.indexOf(lineFeed, start);
    return found === -1 ? bytes.length : found;
  }
  let at = start;
  while (at < bytes.length && bytes[at] !== lineFeed && bytes[at] !== carriageReturn) at += 1;
  return at;
}

/** In characters. `eventIdHeader` refuses shorter ones, and says so. */
const maximumIdLength = 32_768;

/**
 * Finds the last id in whole lines. The parser drops events without data, but their ids count (WHATWG HTML, "Server-sent
 * events"): servers send them so that a stream can be resumed.
 * @returns empty for an id that is too long to be kept; `undefined` without an id
 */
function lastIdIn(lines: string): string | undefined {
  for (let end = lines.length; end >= 0;) {
    const start = lines.lastIndexOf('\nid', end) + 1;
    idField.lastIndex = start;
    const found = idField.exec(lines);
    if (found !== null) return found[1] === undefined || found[1].length > maximumIdLength ? '' : found[1];
    end = start - 2;
  }
  return undefined;
}

function throwExcess(excess: MessageExcess | undefined): void {
  if (excess !== undefined) throw new MessageTooLarge(excess);
}
