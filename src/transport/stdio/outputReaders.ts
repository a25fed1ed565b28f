import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Clock } from '../../base/clock.ts';
import type { PatchbayError } from '../../base/errors.ts';
import { truncateDepth } from '../../base/jsonScanner.ts';
import type { MessageLimits } from '../../base/limits.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { withoutTerminalColours } from '../../base/visibleText.ts';
import type { DroppedAnswer } from '../../protocol/messageChannel.ts';
import { findAnswerId, type MessageExcess, messageTooLargeError } from '../messageLimits.ts';
import { RateLimitedLog, TokenBucket } from '../tokenBucket.ts';
import type { TransportLog } from '../transport.ts';
import { LineDecoder, type LineSink } from './lineDecoder.ts';

export interface ChunkReader {
  /** @returns the rest of the chunk, to be written in a later turn of the event loop */
  write(chunk: Buffer): Buffer | undefined;
  /** The stream has ended: reads what is left. */
  end(): void;
}

/** A stream that is being read, see {@link readInTurns}. */
export interface ReadStream {
  /** Resolves when the stream has closed and everything was read. To be called once. */
  whenRead(): Promise<void>;
}

/**
 * Passes the chunks of a stream to a reader that takes a limited part in each turn of the event loop. The stream is paused
 * while a rest is left.
 */
export function readInTurns(stream: Readable, reader: ChunkReader): ReadStream {
  return new TurnReader(stream, reader);
}

class TurnReader implements ReadStream {
  readonly #stream: Readable;
  readonly #reader: ChunkReader;
  /** More than one only if the stream continued although it was paused, as at the end of its process. */
  readonly #waiting: Buffer[] = [];
  #isClosed = false;
  #isRead = false;
  #onRead: (() => void) | undefined;

  constructor(stream: Readable, reader: ChunkReader) {
    this.#stream = stream;
    this.#reader = reader;
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    stream.on('close', () => this.#close());
  }

  whenRead(): Promise<void> {
    return this.#isRead ? Promise.resolve() : new Promise((resolve) => (this.#onRead = resolve));
  }

  #receive(chunk: Buffer): void {
    if (this.#waiting.length > 0) this.#waiting.push(chunk);
    else this.#take(chunk);
  }

  #take(chunk: Buffer): void {
    const rest = this.#reader.write(chunk);
    if (rest !== undefined) this.#waiting.unshift(rest);
    if (this.#waiting.length === 0) return;
    this.#stream.pause();
    setImmediate(() => this.#takeNext());
  }

  #takeNext(): void {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#take(next);
    if (this.#waiting.length > 0) return;
    if (this.#isClosed) this.#finish();
    else this.#stream.resume();
  }

  #close(): void {
    this.#isClosed = true;
    if (this.#waiting.length === 0) this.#finish();
  }

  #finish(): void {
    this.#reader.end();
    this.#isRead = true;
    this.#onRead?.();
  }
}

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
export class StdoutReader implements ChunkReader, LineSink {
  readonly #clock: Clock;
  readonly #listener: StdoutListener;
  readonly #limits: MessageLimits;
  readonly #decoder: LineDecoder;
  /** Created with the first line that is not a message. */
  #noiseLog: RateLimitedLog | undefined;
  #notes: TokenBucket | undefined;
  /** A dropped message whose request id is not known so far: its start and its error. */
  #unread: { readonly head: string; readonly error: PatchbayError } | undefined;

  constructor(clock: Clock, listener: StdoutListener, limits: MessageLimits) {
    this.#clock = clock;
    this.#listener = listener;
    this.#limits = limits;
    this.#decoder = new LineDecoder(this, limits);
  }

  write(chunk: Buffer): Buffer | undefined {
    return this.#decoder.write(chunk);
  }

  end(): void {
    this.#decoder.end();
    this.#noiseLog?.end();
  }

  line(text: string): void {
    const value = parseMessage(text);
    if (value === undefined) return this.#noise(text);
    const { depth, keptDepth = depth } = this.#limits;
    if (this.#decoder.hasSeenDeep) truncateDepth(value, keptDepth);
    this.#listener.message(value);
  }

  tooLarge(excess: MessageExcess, head: string): void {
    const error = messageTooLargeError('The server', excess, this.#limits);
    this.#notes ??= new TokenBucket(this.#clock, noiseRate);
    if (this.#notes.admit()) this.#listener.log({ source: 'note', text: `A message was skipped: ${error.message}` });
    this.#drop(head, error);
  }

  skipped(tail: string): void {
    if (this.#unread !== undefined) this.#drop(this.#unread.head, this.#unread.error, tail);
  }

  #drop(head: string, error: PatchbayError, tail?: string): void {
    const id = findAnswerId(head, tail);
    this.#unread = id === undefined ? { head, error } : undefined;
    if (id !== undefined) this.#listener.dropped({ id, error });
  }

  #noise(line: string): void {
    const text = cleanLine(truncateWithEllipsis(line, maximumShownLength));
    if (text === '') return;
    this.#listener.noise(text);
    this.#noiseLog ??= new RateLimitedLog(
      this.#clock,
      noiseRate,
      (entry) => this.#listener.log(entry),
      (count) => `${count} more lines on stdout were no messages.`,
    );
    this.#noiseLog.write({ source: 'noise', text });
  }
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

export interface StderrListener {
  /** Called with each line, also with those that are not logged. */
  line(text: string): void;
  log(entry: TransportLog): void;
}

/**
 * Splits standard error into log lines, with a rate limit. A line does not mean that there is an error (2025-11-25, Basic /
 * Transports, "stdio").
 */
export class StderrReader implements ChunkReader {
  readonly #clock: Clock;
  readonly #listener: StderrListener;
  /** Both are created with the first output. */
  #lines: ChunkReader | undefined;
  #log: RateLimitedLog | undefined;

  constructor(clock: Clock, listener: StderrListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  write(chunk: Buffer): Buffer | undefined {
    this.#lines ??= new TextLines((text) => this.#takeLine(text), maximumLineLength);
    return this.#lines.write(chunk);
  }

  end(): void {
    this.#lines?.end();
    this.#log?.end();
  }

  #takeLine(text: string): void {
    this.#listener.line(text);
    this.#log ??= new RateLimitedLog(
      this.#clock,
      stderrRate,
      (entry) => this.#listener.log(entry),
      (count) => `${count} lines of stderr were dropped: too many in a short time.`,
    );
    this.#log.write({ source: 'stderr', text });
  }
}

/** Each byte may be a line, and a server must not block the event loop. */
const maximumBytesPerTurn = 8_192;

/**
 * Splits a text stream into lines. A line longer than `maximumLength` is delivered in parts.
 * @param onLine called with each non-blank line, without line end and colours
 */
export class TextLines implements ChunkReader {
  readonly #onLine: (text: string) => void;
  readonly #maximumLength: number;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  constructor(onLine: (text: string) => void, maximumLength: number) {
    this.#onLine = onLine;
    this.#maximumLength = maximumLength;
  }

  write(chunk: Buffer): Buffer | undefined {
    this.#take(this.#decoder.write(chunk.subarray(0, maximumBytesPerTurn)));
    return chunk.length > maximumBytesPerTurn ? chunk.subarray(maximumBytesPerTurn) : undefined;
  }

  end(): void {
    this.#take(this.#decoder.end());
    this.#emit(this.#rest);
    this.#rest = '';
  }

  #take(text: string): void {
    const lines = text.split('\n');
    lines[0] = this.#rest + (lines[0] ?? '');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#emit(line);
    while (this.#rest.length > this.#maximumLength) {
      this.#emit(this.#rest.slice(0, this.#maximumLength));
      this.#rest = this.#rest.slice(this.#maximumLength);
    }
  }

  #emit(line: string): void {
    const text = cleanLine(line);
    if (text !== '') this.#onLine(text);
  }
}

/** Removes colours and trailing white space. The log handles other control characters. */
function cleanLine(line: string): string {
  return withoutTerminalColours(line).trimEnd();
}

/** Keeps the last part of a text that arrives line by line. */
export class OutputTail {
  readonly #limit: number;
  #text = '';

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The last characters up to the limit; lines are joined by line feeds. */
  get text(): string {
    return this.#text.slice(-this.#limit);
  }

  add(line: string): void {
    this.#text = this.#text === '' ? line : `${this.#text}\n${line}`;
    // Cut rarely, so that many short lines stay cheap.
    if (this.#text.length > this.#limit * 4) this.#text = this.text;
  }
}
