import { ByteBuffer } from './byteBuffer.ts';

const letterI = 0x69;
/** First byte of the UTF-8 byte order mark, which may start a stream. */
const markStart = 0xef;
/** Far more than can be sent back, see `eventIdHeader`. */
const maximumIdBytes = 64 * 1024;

/**
 * Finds the ids of events. The parser drops events without data, but their ids count (WHATWG HTML, "Server-sent events"):
 * servers send them so that a stream can be resumed.
 */
export class EventIdTracker {
  #last: string | undefined;
  /** The id of the event that is not complete. */
  #next: string | undefined;
  /** The start of the line, if it may be an id field. */
  readonly #line = new ByteBuffer();
  /** Number of bytes of that line, including those that are not kept. */
  #length = 0;
  #isFirstLine = true;

  /** The id of the last complete event that has one. */
  get last(): string | undefined {
    return this.#last;
  }

  /** Reads bytes of one line. @param isStart true for the first bytes of the line */
  read(piece: Uint8Array, isStart: boolean): void {
    if (isStart ? !this.#mayHoldId(piece[0]) : this.#length === 0) return;
    this.#line.append(piece.subarray(0, Math.max(0, maximumIdBytes - this.#length)));
    this.#length += piece.length;
  }

  endLine(): void {
    this.#isFirstLine = false;
    if (this.#length === 0) return;
    const text = new TextDecoder().decode(this.#line.take());
    const isWhole = this.#length <= maximumIdBytes;
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
