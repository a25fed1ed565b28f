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

/** Receives what a server wrote to its standard output. */
export interface StdoutListener {
  /** A parsed JSON object or array. */
  message(value: unknown): void;
  /** An answer that was beyond a limit, so that it was not read. */
  dropped(answer: DroppedAnswer): void;
  /** Every line that is no message, also those the log is spared. */
  noise(line: string): void;
  log(entry: TransportLog): void;
}

/** Turns the bytes of standard output into messages; anything else is noise, logged within limits and survived. */
export interface StdoutReader {
  /** @returns what is left of the chunk, to be written in a later turn */
  write(chunk: Buffer): Buffer | undefined;
  /** The stream is over: reads what came after the last line feed and reports what was held back. */
  end(): void;
}

const noiseLimits = { burst: 50, perSecond: 5 } as const;
const shownLength = 500;

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

  /** A message that is dropped: how it began, and what will be said of it, until it is known whose answer it was. */
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
  // Looking at the first character spares a flood of plain text the cost of an exception each.
  if (!openers.includes(text.charCodeAt(0)) && !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON: noise, which the caller logs.
    return undefined;
  }
}
