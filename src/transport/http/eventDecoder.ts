import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { isRecord } from '../../base/json.ts';
import { JsonScanner, truncateDepth } from '../../base/jsonScanner.ts';
import { tryLenientJson } from '../../base/lenientJson.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { type MessageExcess, MessageTooLarge } from '../messageLimits.ts';
import { ByteBuffer, decodeUtf8, noBytes } from './byteBuffer.ts';
import { SplitEvent } from './splitEvent.ts';

/** One event of a stream (WHATWG HTML, "Server-sent events"). */
export interface ServerSentEvent extends EventSourceMessage {
  /** False for a long event, of which `data` is only the start. */
  readonly isWhole: boolean;
  /** @returns the data as JSON, truncated to the depth of the limits; `undefined` for anything else */
  readonly json: () => unknown;
}

/**
 * Decodes the bytes of an event stream. The time is linear in the bytes, however they are split into chunks. Bytes are scanned
 * for line ends and for the structure of JSON. The whole events of a chunk are decoded together and parsed by
 * `eventsource-parser`; of one that goes on in the next chunk it gets all lines but the data, see {@link SplitEvent}.
 */
export class EventDecoder {
  readonly #limits: MessageLimits;
  readonly #parser: ReturnType<typeof createParser>;
  readonly #json: JsonScanner;
  /** The first bytes, until they can be told from a byte order mark. */
  #start: ByteBuffer | undefined = new ByteBuffer();
  /** The event that is not complete, if it began in an earlier chunk. */
  #split: SplitEvent | undefined;
  /** Number of lines and bytes of the event that is not complete. */
  #lines = 0;
  #bytes = 0;
  #isLineEmpty = true;
  #isEnd = false;
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
        const split = this.#split;
        const given: ServerSentEvent =
          split === undefined
            ? { event, id, data, isWhole: true, json: () => this.#parse(data) }
            : {
                event,
                id,
                get data() {
                  return split.data;
                },
                isWhole: split.isWhole,
                json: () => split.json(),
              };
        if (!this.#isEnd) return onEvent(given);
        const value = given.json();
        if (isRecord(value) && !('method' in value)) onEvent({ ...given, json: () => value });
      },
      onRetry: (milliseconds) => (this.retryMs = milliseconds),
    });
  }

  /** @throws {MessageTooLarge} for an event that exceeds a limit; then no more of the stream can be read */
  write(received: Uint8Array): void {
    const chunk = this.#withoutMark(received);
    const hasReturns = chunk.includes(carriageReturn);
    /** Up to here, all was passed on. */
    let done = 0;
    /** Up to here, events are complete. */
    let complete = 0;
    for (let start = 0; start < chunk.length;) {
      const end = lineEnd(chunk, start, hasReturns);
      if (end > start) this.#readLine(chunk.subarray(start, end));
      start = end + 1;
      if (end === chunk.length || !this.#endLine(chunk[end] === carriageReturn)) continue;
      complete = start;
      if (this.#split === undefined) continue;
      this.#complete(this.#split.end());
      this.#split = undefined;
      done = start;
    }
    if (complete > done) this.#complete(decodeUtf8(chunk.subarray(done, complete)));
    if (this.#split === undefined && this.#bytes > 0) this.#begin(chunk.subarray(complete), hasReturns);
  }

  /**
   * The stream has ended. Some servers leave out the empty line after the last event: an answer that is whole is given. Nothing else
   * is: a server sends what was cut off again when the stream is resumed, and a request must not arrive twice.
   */
  end(): void {
    const { lastEventId } = this;
    this.#isEnd = true;
    this.write(ending);
    this.lastEventId = lastEventId;
  }

  #withoutMark(chunk: Uint8Array): Uint8Array {
    const start = this.#start;
    if (start === undefined) return chunk;
    start.append(chunk);
    if (start.length < byteOrderMark.length) return noBytes;
    this.#start = undefined;
    const hasMark = byteOrderMark.every((byte, index) => start.bytes[index] === byte);
    return start.bytes.subarray(hasMark ? byteOrderMark.length : 0);
  }

  #readLine(piece: Uint8Array): void {
    this.#isLineEmpty = false;
    this.#endedWithReturn = false;
    this.#bytes += piece.length;
    if (this.#bytes > this.#limits.bytes) throw new MessageTooLarge('bytes');
    // Field names and comments can be scanned too: strings of JSON never continue on the next line.
    throwExcess(this.#split === undefined ? this.#json.scan(piece) : this.#split.write(piece));
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
    if (this.#split !== undefined) this.#feed(this.#split.endLine());
    return false;
  }

  /** @param text up to the end of an event */
  #complete(text: string): void {
    this.#feed(text);
    this.lastEventId = this.#nextEventId;
  }

  #feed(text: string): void {
    if (text === '') return;
    // The parser delays a line that ends with CR until the next chunk, and is slow with many of them.
    const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
    this.#nextEventId = lastIdIn(lines) ?? this.#nextEventId;
    this.#parser.feed(knownFields(lines));
  }

  /** @param bytes the start of an event: what follows is in the next chunk */
  #begin(bytes: Uint8Array, hasReturns: boolean): void {
    const split = new SplitEvent(this.#limits);
    this.#split = split;
    for (let start = 0; start < bytes.length;) {
      const end = lineEnd(bytes, start, hasReturns);
      if (end > start) throwExcess(split.write(bytes.subarray(start, end)));
      if (end < bytes.length) this.#feed(split.endLine());
      start = end + 1;
    }
  }

  #parse(data: string): unknown {
    // Without the byte order mark that `JsonReader` leaves out too.
    const value = tryLenientJson(data.replace(/^\uFEFF/, ''));
    if (this.#json.hasSeenDeep) truncateDepth(value, this.#limits.keptDepth ?? this.#limits.depth);
    return value;
  }
}

const knownField = /\n|(?:data|event|id)[:\n]|retry: ?\d{1,15}\n/y;

/**
 * Leaves out comments and unknown fields. The parser creates an error for each unknown field, and a stream may have millions.
 * @param lines each with its line end
 */
function knownFields(lines: string): string {
  let known = '';
  let from = 0;
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf('\n', start) + 1 || lines.length;
    knownField.lastIndex = start;
    if (!knownField.test(lines)) {
      known += lines.slice(from, start);
      from = end;
    }
    start = end;
  }
  return from === 0 ? lines : known + lines.slice(from);
}

const lineFeed = 0x0a;
const ending = new Uint8Array([0x0a, 0x0a]);
const carriageReturn = 0x0d;
/** In UTF-8. */
const byteOrderMark = [0xef, 0xbb, 0xbf];
const idField = /id(?:: ?([^\0\n]*))?\n/y;

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
