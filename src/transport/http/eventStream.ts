import { delay } from '../../base/abort.ts';
import type { ByteStream, HttpResponse } from '../../base/httpClient.ts';
import { MessageTooLarge, messageTooLargeError } from '../messageLimits.ts';
import { EventDecoder, type ServerSentEvent } from './eventDecoder.ts';
import type { HttpTransport } from './httpTransport.ts';

/** The usual chunk size; it can contain some ten thousand events. */
const maximumBytesPerTurn = 64 * 1024;

/** The body of a `text/event-stream` response, read on demand. */
export class EventStream extends EventDecoder {
  readonly #body: ByteStream;
  readonly #transport: Pick<HttpTransport, 'address' | 'clock' | 'limits'>;
  /** The error that broke the connection; `undefined` while it is open, or when the server ended the stream. */
  fault: unknown;

  /** @param onEvent is called during {@link read} */
  constructor(
    { body }: HttpResponse,
    onEvent: (event: ServerSentEvent) => void,
    transport: Pick<HttpTransport, 'address' | 'clock' | 'limits'>,
  ) {
    super(onEvent, transport.limits);
    this.#body = body;
    this.#transport = transport;
  }

  get isAtEnd(): boolean {
    return this.#body.isAtEnd;
  }

  /**
   * Reads on and delivers events, until the end of the stream or until `isDone`, which is asked after each chunk.
   * @returns false at the end of the stream, by the server or a broken connection
   * @throws {PatchbayError} `messageTooLarge` for an event that exceeds a limit; then the stream is closed
   */
  async read(isDone = (): boolean => false): Promise<boolean> {
    try {
      while (!isDone()) {
        const chunk = await this.#body.read();
        if (chunk === undefined) {
          this.end();
          return false;
        }
        for (let at = 0; at < chunk.length; at += maximumBytesPerTurn) {
          // A large chunk must not block the event loop.
          if (at > 0) await delay(this.#transport.clock, 0);
          this.write(chunk.subarray(at, at + maximumBytesPerTurn));
        }
      }
      return true;
    } catch (error) {
      if (error instanceof MessageTooLarge) {
        this.close();
        const { address, limits } = this.#transport;
        throw messageTooLargeError(`The server at ${address}`, error.excess, limits);
      }
      this.fault = error;
      return false;
    }
  }

  close(): void {
    this.#body.cancel();
  }
}
