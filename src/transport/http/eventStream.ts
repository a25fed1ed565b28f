import { delay } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { ByteStream, HttpResponse } from '../../base/httpClient.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { MessageTooLarge } from '../messageLimits.ts';
import { EventDecoder, type ServerSentEvent } from './eventDecoder.ts';

/** The usual chunk size; it can contain some ten thousand events. */
const maximumBytesPerTurn = 64 * 1024;

/** The body of a `text/event-stream` response, read on demand. */
export class EventStream {
  readonly #body: ByteStream;
  readonly #decoder: EventDecoder;
  readonly #clock: Clock;
  #fault: unknown;

  /** @param onEvent is called during {@link read} */
  constructor(
    { body }: HttpResponse,
    onEvent: (event: ServerSentEvent) => void,
    { limits, clock }: { readonly limits: MessageLimits; readonly clock: Clock },
  ) {
    this.#body = body;
    this.#decoder = new EventDecoder(onEvent, limits);
    this.#clock = clock;
  }

  get lastEventId(): string | undefined {
    return this.#decoder.lastEventId;
  }

  get retryMs(): number | undefined {
    return this.#decoder.retryMs;
  }

  /** The error that broke the connection; `undefined` while it is open, or when the server ended the stream. */
  get fault(): unknown {
    return this.#fault;
  }

  get isAtEnd(): boolean {
    return this.#body.isAtEnd;
  }

  /**
   * Reads on and delivers events, until the end of the stream or until `isDone`, which is asked after each chunk.
   * @returns false at the end of the stream, by the server or a broken connection
   * @throws {MessageTooLarge} for an event that exceeds a limit; then the stream is closed
   */
  async read(isDone = (): boolean => false): Promise<boolean> {
    try {
      while (!isDone()) {
        const chunk = await this.#body.read();
        if (chunk === undefined) {
          this.#decoder.end();
          return false;
        }
        for (let at = 0; at < chunk.length; at += maximumBytesPerTurn) {
          // A large chunk must not block the event loop.
          if (at > 0) await delay(this.#clock, 0);
          this.#decoder.write(chunk.subarray(at, at + maximumBytesPerTurn));
        }
      }
      return true;
    } catch (error) {
      if (error instanceof MessageTooLarge) {
        this.close();
        throw error;
      }
      this.#fault = error;
      this.#decoder.end();
      return false;
    }
  }

  close(): void {
    this.#body.cancel();
  }
}
