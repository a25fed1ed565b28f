import type { Clock } from '../../base/clock.ts';
import { cutDeepJson } from '../../base/deepJson.ts';
import type { PatchbayError } from '../../base/errors.ts';
import type { MessageLimits } from '../../base/limits.ts';
import type { DroppedAnswer } from '../../protocol/messageChannel.ts';
import { findAnswerId, tooLargeProblem } from '../messageLimits.ts';
import type { TransportLog } from '../transport.ts';
import { createTokenBucket } from '../tokenBucket.ts';
import { LineDecoder } from './lineDecoder.ts';
import { cleanLine } from './textLines.ts';

/** Receives the standard output of a server. */
export interface StdoutListener {
  /** A parsed JSON object or array. */
  message(value: unknown): void;
  /** A response that exceeded a limit and was not read. */
  dropped(answer: DroppedAnswer): void;
  /** Called with each line that is not a message, also with those that are not logged. */
  noise(line: string): void;
  log(entry: TransportLog): void;
}

/** Parses standard output into messages. Other lines are noise, logged with a rate limit. */
export interface StdoutReader {
  /** @returns the rest of the chunk, to be written in a later turn */
  write(chunk: Buffer): Buffer | undefined;
  /** The stream has ended: reads the text after the last line feed and logs the number of dropped lines. */
  end(): void;
}

const noiseLimits = { burst: 50, perSecond: 5 } as const;
const shownLength = 500;

/** Creates a reader for the standard output of one server. */
export function createStdoutReader(clock: Clock, listener: StdoutListener, limits: MessageLimits): StdoutReader {
  const bucket = createTokenBucket(clock, noiseLimits);
  const notes = createTokenBucket(clock, noiseLimits);

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

  /** A dropped message whose request id is not known so far: its start and its error. */
  let unread: { readonly head: string; readonly error: PatchbayError } | undefined;

  function drop(head: string, error: PatchbayError, tail?: string): void {
    const id = findAnswerId(head, tail);
    unread = id === undefined ? { head, error } : undefined;
    if (id !== undefined) listener.dropped({ id, error });
  }

  const decoder = new LineDecoder(
    {
      line(text) {
        const value = parseMessage(text);
        if (value === undefined) return noise(text);
        if (decoder.hasSeenDeep) cutDeepJson(value, limits.keptDepth ?? limits.depth);
        listener.message(value);
      },
      tooLarge(excess, head) {
        const error = tooLargeProblem('The server', excess, limits);
        if (notes.admit()) listener.log({ source: 'note', text: `A message was skipped: ${error.message}` });
        drop(head, error);
      },
      skipped(tail) {
        if (unread !== undefined) drop(unread.head, unread.error, tail);
      },
    },
    limits,
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
  // Checking the first character avoids an exception for each line of plain text.
  if (!openers.includes(text.charCodeAt(0)) && !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Invalid JSON is noise.
    return undefined;
  }
}
