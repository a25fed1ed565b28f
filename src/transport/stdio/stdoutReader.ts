import type { Clock } from '../../base/clock.ts';
import type { TransportLog } from '../transport.ts';
import { createTokenBucket } from '../tokenBucket.ts';
import { LineDecoder } from './lineDecoder.ts';
import { cleanLine } from './textLines.ts';

/** Receives what a server wrote to its standard output. */
export interface StdoutListener {
  /** A parsed JSON object or array. */
  message(value: unknown): void;
  /** Every line that is no message, also those the log is spared. */
  noise(line: string): void;
  log(entry: TransportLog): void;
}

/** Turns the bytes of standard output into messages; anything else is noise, logged within limits and survived. */
export interface StdoutReader {
  write(chunk: Buffer): void;
  /** The stream is over: reads what came after the last line feed and reports what was held back. */
  end(): void;
}

const noiseLimits = { burst: 50, perSecond: 5 } as const;
const shownLength = 500;

export function createStdoutReader(clock: Clock, listener: StdoutListener, maximumBytes: number): StdoutReader {
  const bucket = createTokenBucket(clock, noiseLimits);

  function reportDropped(): void {
    const count = bucket.takeDropped();
    if (count > 0) listener.log({ source: 'note', text: `${count} more lines on stdout were no messages.` });
  }

  function noise(line: string): void {
    const text = cleanLine(line.length > shownLength ? `${line.slice(0, shownLength)}…` : line);
    if (text === '') return;
    listener.noise(text);
    if (!bucket.admit()) return;
    reportDropped();
    listener.log({ source: 'noise', text });
  }

  const decoder = new LineDecoder(
    {
      line(text) {
        const value = parseMessage(text);
        if (value === undefined) noise(text);
        else listener.message(value);
      },
      tooLarge() {
        const size = `${Math.round(maximumBytes / 1024 ** 2)} MB`;
        listener.log({ source: 'note', text: `A message of more than ${size} was skipped (messageTooLarge).` });
      },
    },
    maximumBytes,
  );
  return {
    write: (chunk) => decoder.write(chunk),
    end() {
      decoder.end();
      reportDropped();
    },
  };
}

const openers: readonly number[] = [0x7b, 0x5b];

/** @returns an object or array, or undefined for anything else */
function parseMessage(text: string): unknown {
  // Looking at the first character spares a flood of plain text the cost of an exception each.
  if (!openers.includes(text.charCodeAt(0)) && !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON: noise, which the caller logs.
    return undefined;
  }
}
