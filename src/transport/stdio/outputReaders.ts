import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Clock } from '../../base/clock.ts';
import type { PatchbayError } from '../../base/errors.ts';
import { truncateDepth } from '../../base/jsonScanner.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { withoutTerminalColours } from '../../base/visibleText.ts';
import type { DroppedAnswer } from '../../protocol/messageChannel.ts';
import { findAnswerId, messageTooLargeError } from '../messageLimits.ts';
import { createRateLimitedLog, createTokenBucket } from '../tokenBucket.ts';
import type { TransportLog } from '../transport.ts';
import { LineDecoder } from './lineDecoder.ts';

/** Reads the bytes of a stream. */
export interface ChunkReader {
  /** @returns the rest of the chunk, to be written in a later turn of the event loop */
  write(chunk: Buffer): Buffer | undefined;
  /** The stream has ended: reads what is left. */
  end(): void;
}

/**
 * Passes the chunks of a stream to a reader that takes a limited part in each turn of the event loop. The stream is paused
 * while a rest is left.
 * @returns resolves when the stream has closed and everything was read
 */
export function readInTurns(stream: Readable, reader: ChunkReader): Promise<void> {
  /** More than one only if the stream continued although it was paused, as at the end of its process. */
  const waiting: Buffer[] = [];
  let isClosed = false;
  return new Promise((resolve) => {
    function finish(): void {
      reader.end();
      resolve();
    }

    function take(chunk: Buffer): void {
      const rest = reader.write(chunk);
      if (rest !== undefined) waiting.unshift(rest);
      if (waiting.length === 0) return;
      stream.pause();
      setImmediate(takeNext);
    }

    function takeNext(): void {
      const next = waiting.shift();
      if (next !== undefined) take(next);
      if (waiting.length > 0) return;
      if (isClosed) finish();
      else stream.resume();
    }

    stream.on('data', (chunk: Buffer) => (waiting.length > 0 ? waiting.push(chunk) : take(chunk)));
    stream.on('close', () => {
      isClosed = true;
      if (waiting.length === 0) finish();
    });
  });
}

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

const noiseRate = { burst: 50, perSecond: 5 } as const;
const maximumShownLength = 500;

/** Parses standard output into messages. Other lines are noise, logged with a rate limit. */
export function createStdoutReader(clock: Clock, listener: StdoutListener, limits: MessageLimits): ChunkReader {
  const noiseLog = createRateLimitedLog(
    clock,
    noiseRate,
    (entry) => listener.log(entry),
    (count) => `${count} more lines on stdout were no messages.`,
  );
  const notes = createTokenBucket(clock, noiseRate);

  function noise(line: string): void {
    const text = cleanLine(truncateWithEllipsis(line, maximumShownLength));
    if (text === '') return;
    listener.noise(text);
    noiseLog.write({ source: 'noise', text });
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
        if (decoder.hasSeenDeep) truncateDepth(value, limits.keptDepth ?? limits.depth);
        listener.message(value);
      },
      tooLarge(excess, head) {
        const error = messageTooLargeError('The server', excess, limits);
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
      noiseLog.end();
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

const stderrRate = { burst: 2_000, perSecond: 500 } as const;
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
export function createStderrReader(clock: Clock, listener: StderrListener): ChunkReader {
  const log = createRateLimitedLog(
    clock,
    stderrRate,
    (entry) => listener.log(entry),
    (count) => `${count} lines of stderr were dropped: too many in a short time.`,
  );
  const lines = createTextLines((text) => {
    listener.line(text);
    log.write({ source: 'stderr', text });
  }, maximumLineLength);
  return {
    write: (chunk) => lines.write(chunk),
    end() {
      lines.end();
      log.end();
    },
  };
}

/** Each byte may be a line, and a server must not block the event loop. */
const maximumBytesPerTurn = 8_192;

/**
 * Splits a text stream into lines. A line longer than `maximumLength` is delivered in parts.
 * @param onLine called with each non-blank line, without line end and colours
 */
export function createTextLines(onLine: (text: string) => void, maximumLength: number): ChunkReader {
  const decoder = new StringDecoder('utf8');
  let rest = '';

  function emit(line: string): void {
    const text = cleanLine(line);
    if (text !== '') onLine(text);
  }

  function take(text: string): void {
    const lines = text.split('\n');
    lines[0] = rest + (lines[0] ?? '');
    rest = lines.pop() ?? '';
    lines.forEach(emit);
    while (rest.length > maximumLength) {
      emit(rest.slice(0, maximumLength));
      rest = rest.slice(maximumLength);
    }
  }

  return {
    write(chunk) {
      take(decoder.write(chunk.subarray(0, maximumBytesPerTurn)));
      return chunk.length > maximumBytesPerTurn ? chunk.subarray(maximumBytesPerTurn) : undefined;
    },
    end() {
      take(decoder.end());
      emit(rest);
      rest = '';
    },
  };
}

/** Removes colours and trailing white space. The log handles other control characters. */
function cleanLine(line: string): string {
  return withoutTerminalColours(line).trimEnd();
}

/** Keeps the last part of a text that arrives line by line. */
export interface OutputTail {
  add(line: string): void;
  /** The last characters up to the limit; lines are joined by line feeds. */
  readonly text: string;
}

/** An empty {@link OutputTail}. @param limit maximum UTF-16 code units */
export function createOutputTail(limit: number): OutputTail {
  return new LimitedTail(limit);
}

class LimitedTail implements OutputTail {
  readonly #limit: number;
  #text = '';

  constructor(limit: number) {
    this.#limit = limit;
  }

  get text(): string {
    return this.#text.slice(-this.#limit);
  }

  add(line: string): void {
    this.#text = this.#text === '' ? line : `${this.#text}\n${line}`;
    // Cut rarely, so that many short lines stay cheap.
    if (this.#text.length > this.#limit * 4) this.#text = this.text;
  }
}
