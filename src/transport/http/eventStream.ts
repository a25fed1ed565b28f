import { EventDecoder, type ServerSentEvent } from './eventDecoder.ts';
import { BodyTooLarge } from './readBody.ts';

/** The body of one `text/event-stream` answer, read as far as it is asked for. */
export interface EventStream {
  /**
   * Reads what has come next and hands its events on.
   * @returns false once the stream is over, whether the server ended it or the connection broke
   * @throws {BodyTooLarge} for an event beyond the limit; the stream is closed then
   */
  read(): Promise<boolean>;
  readonly lastEventId: string | undefined;
  readonly retryMs: number | undefined;
  /** What broke the connection; `undefined` while it holds and when the server ended the stream. */
  readonly fault: unknown;
  close(): void;
}

export function openEventStream(
  { body }: Response,
  onEvent: (event: ServerSentEvent) => void,
  maximumBytes: number,
): EventStream {
  const decoder = new EventDecoder(onEvent, maximumBytes);
  const reader = body?.getReader();
  let fault: unknown;
  const close = (): void => void reader?.cancel().catch(() => {});
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
        const chunk = await reader?.read();
        if (chunk?.value === undefined) return false;
        decoder.write(chunk.value);
        return true;
      } catch (error) {
        if (error instanceof BodyTooLarge) {
          close();
          throw error;
        }
        fault = error;
        return false;
      }
    },
    close,
  };
}
