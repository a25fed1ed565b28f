import { delay } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { HttpResponse } from '../../base/httpClient.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { MessageTooLarge } from '../messageLimits.ts';
import { EventDecoder, type ServerSentEvent } from './eventDecoder.ts';

/** The body of a `text/event-stream` response, read on demand. */
export interface EventStream {
  /**
   * Reads the next chunk and delivers its events.
   * @returns false at the end of the stream, by the server or a broken connection
   * @throws {MessageTooLarge} for an event that exceeds a limit; then the stream is closed
   */
  read(): Promise<boolean>;
  /** See {@link EventDecoder.lastEventId}. */
  readonly lastEventId: string | undefined;
  /** See {@link EventDecoder.retryMs}. */
  readonly retryMs: number | undefined;
  /** The error that broke the connection; `undefined` while it is open, or when the server ended the stream. */
  readonly fault: unknown;
  close(): void;
}

/** The usual chunk size; it can contain some ten thousand events. */
const maximumBytesPerTurn = 64 * 1024;

/** Opens the body of a response. @param onEvent is called during {@link EventStream.read} */
export function openEventStream(
  { body }: HttpResponse,
  onEvent: (event: ServerSentEvent) => void,
  { limits, clock }: { readonly limits: MessageLimits; readonly clock: Clock },
): EventStream {
  const decoder = new EventDecoder(onEvent, limits);
  let fault: unknown;
  const close = (): void => body.cancel();
  return {
    get lastEventId() {
      return decoder.lastEventId;
    },
    get retryMs() {
      return decoder.retryMs;
    },
    get fault() {
      return fault;
    },
    async read() {
      try {
        const chunk = await body.read();
        if (chunk === undefined) {
          decoder.end();
          return false;
        }
        for (let at = 0; at < chunk.length; at += maximumBytesPerTurn) {
          // A large chunk must not block the event loop.
          if (at > 0) await delay(clock, 0);
          decoder.write(chunk.subarray(at, at + maximumBytesPerTurn));
        }
        return true;
      } catch (error) {
        if (error instanceof MessageTooLarge) {
          close();
          throw error;
        }
        fault = error;
        decoder.end();
        return false;
      }
    },
    close,
  };
}
