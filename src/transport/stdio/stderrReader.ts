import type { Clock } from '../../base/clock.ts';
import type { TransportLog } from '../transport.ts';
import { createTokenBucket } from '../tokenBucket.ts';
import { createTextLines, type TextLines } from './textLines.ts';

const limits = { burst: 2_000, perSecond: 500 } as const;
const maximumLineLength = 8_192;

/** Receives what a server wrote to its standard error. */
export interface StderrListener {
  /** Every line, also those the log is spared. */
  line(text: string): void;
  log(entry: TransportLog): void;
}

/**
 * Turns the bytes of standard error into log lines. What it says is not an error by itself (2025-11-25, transports,
 * "stdio").
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
