import { Buffer, constants } from 'node:buffer';
import { parseJson } from '../../base/json.ts';
import { JsonScanner } from '../../base/jsonScanner.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { maximumIdSearchLength, type MessageExcess } from '../messageLimits.ts';

export interface LineSink {
  /** One line without its line feed, a carriage return before it, or a byte order mark; never empty. */
  line(text: string): void;
  /** It is dropped up to its end, and the following lines are delivered. @param head its first characters */
  tooLarge(excess: MessageExcess, head: string): void;
  /** The dropped line has ended. @param tail its last characters */
  skipped(tail: string): void;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const openingBrace = 0x7b;
const byteOrderMark = 0xfeff;
const noBytes = Buffer.alloc(0);

/** Maximum lines in one turn of the event loop, so that a server cannot block it. */
const maximumLinesPerTurn = 250;

/**
 * Splits a byte stream into UTF-8 lines. The time is linear in the bytes, however they are split into chunks: bytes are
 * scanned once for line ends and once for the structure of JSON; the chunks of an incomplete line are kept, then joined and
 * decoded once. Invalid UTF-8 becomes U+FFFD. A message after a header `Content-Length`, as language servers send, is one line.
 */
export class LineDecoder {
  readonly #sink: LineSink;
  readonly #maximumBytes: number;
  readonly #scan: JsonScanner;
  #pieces: Buffer[] = [];
  #pendingBytes = 0;
  /** The end of the line that is being dropped; `undefined` if none is. */
  #droppedTail: Buffer | undefined;
  #isFirstLine = true;
  /** The length in the header that language servers put before a message, until the headers have ended. */
  #announced: number | undefined;
  /** Bytes of that message that are still to come. */
  #missing = 0;
  /** Such headers count only before the first message, or after a framed one: others are logged. */
  #framing: 'open' | 'seen' | 'none' = 'open';
  /** The message so far has no line feed, as one that is not framed. */
  #isOneLine = true;

  constructor(sink: LineSink, limits: MessageLimits) {
    this.#sink = sink;
    this.#scan = new JsonScanner(limits);
    // A longer line could not become a string.
    this.#maximumBytes = Math.min(limits.bytes, constants.MAX_STRING_LENGTH);
  }

  /** The end of what was written of a line that has no end. */
  get rest(): string {
    return lastOf(noBytes, Buffer.concat(this.#pieces)).toString('utf8');
  }

  get hasSeenDeep(): boolean {
    return this.#scan.hasSeenDeep;
  }

  /**
   * @param chunk is kept until its last line is complete, so the caller must not reuse its memory
   * @returns the rest of a chunk with many lines, to be written in a later turn
   */
  write(chunk: Buffer): Buffer | undefined {
    let start = 0;
    for (let room = maximumLinesPerTurn; room > 0; room -= 1) {
      if (this.#missing > 0) {
        if (start === chunk.length) return undefined;
        const isStart = this.#pendingBytes === 0 && this.#droppedTail === undefined;
        if (isStart && chunk[start] !== openingBrace) this.#missing = 0;
        else start += this.#readFramed(chunk.subarray(start, start + this.#missing));
        continue;
      }
      const end = chunk.indexOf(lineFeed, start);
      if (end === -1) {
        if (start < chunk.length) this.#keep(chunk.subarray(start), false);
        return undefined;
      }
      this.#keep(chunk.subarray(start, end), true);
      this.end();
      start = end + 1;
    }
    return start < chunk.length ? chunk.subarray(start) : undefined;
  }

  /** @param piece is a part of a message whose length was announced @returns the number of bytes that were read */
  #readFramed(piece: Buffer): number {
    const end = this.#isOneLine && this.#droppedTail === undefined ? piece.indexOf(lineFeed) : -1;
    if (end !== -1 && end + 1 < this.#missing) {
      this.#isOneLine = false;
      const line = piece.subarray(0, end);
      if (this.#isJson(line)) return this.#leaveFrame(line);
    }
    this.#missing -= piece.length;
    this.#keep(piece, this.#missing === 0 && this.#framing === 'seen');
    // The header was a logged one, and this is the start of a line.
    if (this.#missing === 0 && this.#framing === 'open' && this.#droppedTail === undefined && !this.#isJson())
      return piece.length;
    if (this.#missing === 0) {
      this.end();
      this.#framing = 'seen';
    }
    return piece.length;
  }

  /** What was kept, with `end`, is complete. */
  #isJson(end: Buffer = noBytes): boolean {
    return parseJson(Buffer.concat([...this.#pieces, end]).toString('utf8')) !== undefined;
  }

  /** The header was a logged one, and messages are lines. */
  #leaveFrame(line: Buffer): number {
    this.#missing = 0;
    this.#keep(line, true);
    this.end();
    return line.length + 1;
  }

  /** A line has ended, or the stream: delivers what was kept of it. */
  end(): void {
    const tail = this.#droppedTail;
    this.#droppedTail = undefined;
    if (tail !== undefined) return this.#sink.skipped(tail.toString('utf8'));
    const [first = noBytes, ...others] = this.#pieces;
    const whole = others.length === 0 ? first : Buffer.concat(this.#pieces, this.#pendingBytes);
    // Release the chunks before the listener runs, so that a long line is not in memory twice.
    this.#reset();
    this.#deliver(whole);
  }

  /** @param isLast the line ends with this piece */
  #keep(piece: Buffer, isLast: boolean): void {
    if (this.#droppedTail !== undefined) {
      this.#droppedTail = lastOf(this.#droppedTail, piece);
      return;
    }
    this.#pieces.push(piece);
    this.#pendingBytes += piece.length;
    const excess = this.#excessOf(piece, isLast && this.#pieces.length === 1);
    if (excess === undefined) return;
    const head = headOf(this.#pieces);
    this.#reset();
    this.#droppedTail = lastOf(noBytes, piece);
    this.#sink.tooLarge(excess, head);
  }

  #excessOf(piece: Buffer, isWholeLine: boolean): MessageExcess | undefined {
    if (this.#pendingBytes > this.#maximumBytes) return 'bytes';
    // Most lines are too short to need a scan.
    const isAccepted = isWholeLine && piece.length <= this.#scan.alwaysAcceptedBytes;
    return isAccepted ? undefined : this.#scan.scan(piece);
  }

  #reset(): void {
    this.#pieces = [];
    this.#pendingBytes = 0;
    this.#scan.reset();
  }

  #deliver(bytes: Buffer): void {
    const end = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length;
    let text = bytes.toString('utf8', 0, end);
    if (this.#isFirstLine) {
      this.#isFirstLine = false;
      // Some runtimes, such as .NET, write one at the start.
      if (text.charCodeAt(0) === byteOrderMark) text = text.slice(1);
    }
    if (this.#announced !== undefined) {
      // After the header with the length come others, and an empty line before the message.
      if (/^[\w-]{1,40}: /.test(text)) return;
      if (text === '') this.#missing = this.#announced;
      this.#isOneLine = true;
      this.#announced = undefined;
    }
    const length =
      this.#framing !== 'none' && text.length < 100 ? /^Content-Length: *(\d{1,9})$/i.exec(text)?.[1] : undefined;
    if (length !== undefined) {
      this.#announced = Number(length);
      return;
    }
    if (text.length === 0) return;
    if (text.startsWith('{')) this.#framing = 'none';
    this.#sink.line(text);
  }
}

function lastOf(before: Buffer, piece: Buffer): Buffer {
  if (piece.length >= maximumIdSearchLength) return Buffer.from(piece.subarray(-maximumIdSearchLength));
  return Buffer.concat([before, piece]).subarray(-maximumIdSearchLength);
}

function headOf(pieces: readonly Buffer[]): string {
  let head = noBytes;
  for (const piece of pieces) {
    head = Buffer.concat([head, piece.subarray(0, maximumIdSearchLength)]);
    if (head.length >= maximumIdSearchLength) break;
  }
  return head.toString('utf8');
}
