import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { BodyTooLarge } from './readBody.ts';

/** One event of a stream (HTML, "Server-sent events"). */
export type ServerSentEvent = EventSourceMessage;

/** Turns the bytes of an event stream into events, in time that is linear in the bytes whatever the chunking. */
export class EventDecoder {
  readonly #decoder = new TextDecoder();
  readonly #parser: ReturnType<typeof createParser>;
  #endedWithReturn = false;
  #isTooLarge = false;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;

  /** @param maximumSize of one event, in UTF-16 code units: its bytes or fewer */
  constructor(onEvent: (event: ServerSentEvent) => void, maximumSize: number) {
    this.#parser = createParser({
      maxBufferSize: maximumSize,
      onEvent: (event) => {
        this.#lastEventId = event.id ?? this.#lastEventId;
        if (event.data.length > maximumSize) this.#isTooLarge = true;
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

  /** @throws {BodyTooLarge} for an event beyond the limit; the stream cannot be read on */
  write(chunk: Uint8Array): void {
    const text = this.#decoder.decode(chunk, { stream: true });
    if (text !== '') this.#parser.feed(this.#withLineFeeds(text));
    if (this.#isTooLarge) throw new BodyTooLarge();
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
