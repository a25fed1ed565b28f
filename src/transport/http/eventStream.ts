import { delay } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { MessageTooLarge } from '../messageLimits.ts';
import { EventDecoder, type ServerSentEvent } from './eventDecoder.ts';

/** The body of one `text/event-stream` answer, read as far as it is asked for. */
export interface EventStream {
  /**
   * Reads what has come next and hands its events on.
   * @returns false once the stream is over, whether the server ended it or the connection broke
   * @throws {MessageTooLarge} for an event beyond the limit; the stream is closed then
   */
  read(): Promise<boolean>;
  readonly lastEventId: string | undefined;
  readonly retryMs: number | undefined;
  /** What broke the connection; `undefined` while it holds and when the server ended the stream. */
  readonly fault: unknown;
  close(): void;
}

/** As many as arrive at once on most systems; they may hold some ten thousand events. */
const bytesPerTurn = 64 * 1024;

export function openEventStream(
  { body }: Response,
  onEvent: (event: ServerSentEvent) => void,
  { limits, clock }: { readonly limits: MessageLimits; readonly clock: Clock },
): EventStream {
  const decoder = new EventDecoder(onEvent, limits);
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
        for (let at = 0; at < chunk.value.length; at += bytesPerTurn) {
          // What a server writes must not hold everything else up.
          if (at > 0) await delay(clock, 0);
          decoder.write(chunk.value.subarray(at, at + bytesPerTurn));
        }
        return true;
      } catch (error) {
        if (error instanceof MessageTooLarge) {
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
