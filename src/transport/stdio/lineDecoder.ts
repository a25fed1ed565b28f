import { Buffer, constants } from 'node:buffer';

/** Where decoded lines go. */
export interface LineSink {
  /** One line without its line feed, a carriage return before it, or a byte order mark; never empty. */
  line(text: string): void;
  /** A line grew beyond the limit: it is dropped up to its end, and the following ones are delivered as usual. */
  tooLarge(): void;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = 0xfeff;

/**
 * Cuts a byte stream into UTF-8 lines. Time is linear in the bytes whatever the chunking: new bytes are scanned once, an
 * unfinished line is kept as the list of its chunks, joined once and decoded once. Bytes that are not UTF-8 become U+FFFD.
 */
export class LineDecoder {
  readonly #sink: LineSink;
  readonly #maximumBytes: number;
  #pieces: Buffer[] = [];
  #pendingBytes = 0;
  #isSkipping = false;
  #isFirstLine = true;

  constructor(sink: LineSink, maximumBytes: number) {
    this.#sink = sink;
    // A longer line could not become a string.
    this.#maximumBytes = Math.min(maximumBytes, constants.MAX_STRING_LENGTH);
  }

  /** @param chunk is kept until its last line is complete: the caller must not reuse its memory */
  write(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      if (this.#pendingBytes === 0 && !this.#isSkipping) this.#deliver(chunk, start, end);
      else this.#finishLine(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(start === 0 ? chunk : chunk.subarray(start));
  }

  /** The stream is over: delivers what came after the last line feed, as a line. */
  end(): void {
    if (this.#pendingBytes > 0 && !this.#isSkipping) this.#deliverPieces();
    this.#reset();
  }

  #keep(piece: Buffer): void {
    if (this.#isSkipping) return;
    this.#pieces.push(piece);
    this.#pendingBytes += piece.length;
    if (this.#pendingBytes <= this.#maximumBytes) return;
    this.#reset();
    this.#isSkipping = true;
    this.#sink.tooLarge();
  }

  #finishLine(lastPiece: Buffer): void {
    this.#keep(lastPiece);
    if (!this.#isSkipping) this.#deliverPieces();
    this.#reset();
  }

  #deliverPieces(): void {
    const whole = Buffer.concat(this.#pieces, this.#pendingBytes);
    // Let go of the chunks before the listener works on the text: a 64 MB line should not be held twice.
    this.#reset();
    this.#deliver(whole, 0, whole.length);
  }

  #reset(): void {
    this.#pieces = [];
    this.#pendingBytes = 0;
    this.#isSkipping = false;
  }

  #deliver(bytes: Buffer, start: number, end: number): void {
    if (end - start > this.#maximumBytes) {
      this.#sink.tooLarge();
      return;
    }
    const last = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end;
    let text = bytes.toString('utf8', start, last);
    if (this.#isFirstLine) {
      this.#isFirstLine = false;
      // Some runtimes, .NET among them, open their output with one.
      if (text.charCodeAt(0) === byteOrderMark) text = text.slice(1);
    }
    if (text.length > 0) this.#sink.line(text);
  }
}
