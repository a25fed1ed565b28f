import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { BodyTooLarge, joinBytes } from './readBody.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** One event of a stream (HTML, "Server-sent events"). */
export type ServerSentEvent = EventSourceMessage;

/**
 * Turns the bytes of an event stream into events. Time is linear in the bytes whatever the chunking: the parser would
 * look through an unfinished line again with every chunk, so it gets whole lines only, decoded once.
 */
export class EventDecoder {
  readonly #maximumBytes: number;
  readonly #parser: ReturnType<typeof createParser>;
  readonly #decoder = new TextDecoder();
  #pieces: Uint8Array[] = [];
  #pendingBytes = 0;
  #endedWithReturn = false;
  #isTooLarge = false;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;

  /** @param maximumBytes of one event */
  constructor(onEvent: (event: ServerSentEvent) => void, maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
    this.#parser = createParser({
      maxBufferSize: maximumBytes,
      onEvent: (event) => {
        this.#lastEventId = event.id ?? this.#lastEventId;
        if (event.data.length > maximumBytes) this.#isTooLarge = true;
        else onEvent(event);
      },
      onRetry: (milliseconds) => (this.#retryMs = milliseconds),
      onError: ({ type }) => (this.#isTooLarge ||= type === 'max-buffer-size-exceeded'),
    });
  }

  /** Of the last whole event that had one; empty where the server took it back. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /** How long the server wants to be left alone before a reconnection. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  /**
   * @param chunk is kept until its last line is complete: the caller must not reuse its memory
   * @throws {BodyTooLarge} for an event beyond the limit; the stream cannot be read on
   */
  write(chunk: Uint8Array): void {
    const bytes = this.#withLineFeeds(chunk);
    const end = bytes.lastIndexOf(lineFeed) + 1;
    if (end > 0) this.#feed(bytes.subarray(0, end));
    if (end < bytes.length) this.#keep(bytes.subarray(end));
    if (this.#isTooLarge || this.#pendingBytes > this.#maximumBytes) throw new BodyTooLarge();
  }

  #keep(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#pendingBytes += piece.length;
  }

  #feed(lines: Uint8Array): void {
    this.#keep(lines);
    const whole = joinBytes(this.#pieces, this.#pendingBytes);
    this.#pieces = [];
    this.#pendingBytes = 0;
    this.#parser.feed(this.#decoder.decode(whole));
  }

  /** Lines may end with LF, CR LF or CR; a CR LF may be cut in two by the chunks. */
  #withLineFeeds(chunk: Uint8Array): Uint8Array {
    const start = this.#endedWithReturn && chunk[0] === lineFeed ? 1 : 0;
    if (chunk.length > 0) this.#endedWithReturn = chunk.at(-1) === carriageReturn;
    if (!chunk.includes(carriageReturn)) return start === 0 ? chunk : chunk.subarray(start);
    const bytes = new Uint8Array(chunk.length);
    let length = 0;
    for (let index = start; index < chunk.length; index += 1) {
      const byte = chunk[index] ?? 0;
      if (byte === lineFeed && index > start && chunk[index - 1] === carriageReturn) continue;
      bytes[length] = byte === carriageReturn ? lineFeed : byte;
      length += 1;
    }
    return bytes.subarray(0, length);
  }
}
