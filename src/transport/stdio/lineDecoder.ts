import { Buffer, constants } from 'node:buffer';
import { JsonScanner } from '../../base/jsonScanner.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { maximumIdSearchLength, type MessageExcess } from '../messageLimits.ts';

/** Receives the decoded lines. */
export interface LineSink {
  /** One line without its line feed, a carriage return before it, or a byte order mark; never empty. */
  line(text: string): void;
  /**
   * A line exceeded a limit: it is dropped up to its end, and the following lines are delivered as usual.
   * @param head its first characters
   */
  tooLarge(excess: MessageExcess, head: string): void;
  /** The dropped line has ended. @param tail its last characters */
  skipped(tail: string): void;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = 0xfeff;
const noBytes = Buffer.alloc(0);

/** Maximum lines in one turn of the event loop, so that a server cannot block it. */
const maximumLinesPerTurn = 250;

/**
 * Splits a byte stream into UTF-8 lines. The time is linear in the bytes, however they are split into chunks: bytes are
 * scanned once for line ends and once for the structure of JSON; the chunks of an incomplete line are kept, then joined and
 * decoded once. Invalid UTF-8 becomes U+FFFD.
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

  constructor(sink: LineSink, limits: MessageLimits) {
    this.#sink = sink;
    this.#scan = new JsonScanner(limits);
    // A longer line could not become a string.
    this.#maximumBytes = Math.min(limits.bytes, constants.MAX_STRING_LENGTH);
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
    let room = maximumLinesPerTurn;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      if (this.#pendingBytes === 0 && this.#droppedTail === undefined) this.#takeLine(chunk, start, end);
      else this.#finishLine(chunk.subarray(start, end));
      start = end + 1;
      room -= 1;
      if (room === 0) break;
    }
    if (room === 0 && start < chunk.length) return chunk.subarray(start);
    if (start < chunk.length) this.#keep(start === 0 ? chunk : chunk.subarray(start));
    return undefined;
  }

  /** The stream has ended: delivers the text after the last line feed as a line. */
  end(): void {
    if (this.#droppedTail !== undefined) this.#finishSkipped();
    else if (this.#pendingBytes > 0) this.#deliverPieces();
  }

  #keep(piece: Buffer): void {
    if (this.#droppedTail !== undefined) {
      this.#droppedTail = lastOf(this.#droppedTail, piece);
      return;
    }
    this.#pieces.push(piece);
    this.#pendingBytes += piece.length;
    const excess = this.#pendingBytes > this.#maximumBytes ? 'bytes' : this.#scan.scan(piece);
    if (excess === undefined) return;
    const head = headOf(this.#pieces);
    this.#reset();
    this.#droppedTail = lastOf(noBytes, piece);
    this.#sink.tooLarge(excess, head);
  }

  #finishLine(lastPiece: Buffer): void {
    this.#keep(lastPiece);
    if (this.#droppedTail === undefined) this.#deliverPieces();
    else this.#finishSkipped();
  }

  #finishSkipped(): void {
    const tail = this.#droppedTail ?? noBytes;
    this.#droppedTail = undefined;
    this.#sink.skipped(tail.toString('utf8'));
  }

  #deliverPieces(): void {
    const whole = Buffer.concat(this.#pieces, this.#pendingBytes);
    // Release the chunks before the listener runs, so that a 64 MB line is not in memory twice.
    this.#reset();
    this.#deliver(whole, 0, whole.length);
  }

  #reset(): void {
    this.#pieces = [];
    this.#pendingBytes = 0;
    this.#scan.reset();
  }

  /** Handles a line within one chunk, the usual case. Most are too short to need a scan. */
  #takeLine(chunk: Buffer, start: number, end: number): void {
    const excess = this.#excessOf(chunk, start, end);
    if (excess === undefined) return this.#deliver(chunk, start, end);
    this.#sink.tooLarge(excess, headOf([chunk.subarray(start, end)]));
    this.#sink.skipped(chunk.toString('utf8', Math.max(start, end - maximumIdSearchLength), end));
  }

  #excessOf(chunk: Buffer, start: number, end: number): MessageExcess | undefined {
    const bytes = end - start;
    if (bytes > this.#maximumBytes) return 'bytes';
    if (bytes <= this.#scan.alwaysAcceptedBytes) return undefined;
    const excess = this.#scan.scan(chunk.subarray(start, end));
    this.#scan.reset();
    return excess;
  }

  #deliver(bytes: Buffer, start: number, end: number): void {
    const last = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end;
    let text = bytes.toString('utf8', start, last);
    if (this.#isFirstLine) {
      this.#isFirstLine = false;
      // Some runtimes, such as .NET, write one at the start.
      if (text.charCodeAt(0) === byteOrderMark) text = text.slice(1);
    }
    if (text.length > 0) this.#sink.line(text);
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
