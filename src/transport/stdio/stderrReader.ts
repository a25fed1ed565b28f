import type { Clock } from '../../base/clock.ts';
import type { TransportLog } from '../transport.ts';
import { createTokenBucket } from '../tokenBucket.ts';
import { createTextLines, type TextLines } from './textLines.ts';

const limits = { burst: 2_000, perSecond: 500 } as const;
const maximumLineLength = 8_192;

/** Receives the standard error of a server. */
export interface StderrListener {
  /** Called with each line, also with those that are not logged. */
  line(text: string): void;
  log(entry: TransportLog): void;
}

/**
 * Splits standard error into log lines, with a rate limit. A line does not mean that there is an error (2025-11-25, Basic /
 * Transports, "stdio").
 */
export function createStderrReader(clock: Clock, listener: StderrListener): TextLines {
  const bucket = createTokenBucket(clock, limits);

  function reportDropped(): void {
    const count = bucket.takeDropped();
    if (count > 0)
      listener.log({ source: 'note', text: `${count} lines of stderr were dropped: too many in a short time.` });
  }

  const lines = createTextLines((text) => {
    listener.line(text);
    if (!bucket.admit()) return;
    reportDropped();
    listener.log({ source: 'stderr', text });
  }, maximumLineLength);
  return {
    write: (chunk) => lines.write(chunk),
    end() {
      lines.end();
      reportDropped();
    },
  };
}
