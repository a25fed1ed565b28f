import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { PatchbayError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { tryLenientJson } from '../../base/lenientJson.ts';
import { JsonScanner, truncateDepth } from '../../base/jsonScanner.ts';
import { limits as allLimits, type MessageLimits } from '../../base/limits.ts';
import { truncateWithEllipsis } from '../../base/truncate.ts';
import { withoutTerminalColours } from '../../base/visibleText.ts';
import { ownId } from '../../protocol/jsonRpc.ts';
import type { DroppedAnswer } from '../../protocol/messageChannel.ts';
import type { BaseTransport } from '../baseTransport.ts';
import { findAnswerId, messageTooLargeError, unreadableAnswerError } from '../messageLimits.ts';
import { LineDecoder } from './lineDecoder.ts';

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
  return new Promise((resolve) => {
    /** More than one only if the stream continued although it was paused, as at the end of its process. */
    const waiting: Buffer[] = [];
    let isClosed = false;
    const finish = (): void => {
      reader.end();
      resolve();
    };
    const take = (chunk: Buffer): void => {
      const rest = reader.write(chunk);
      if (rest !== undefined) waiting.unshift(rest);
      if (waiting.length === 0) return;
      stream.pause();
      setImmediate(takeNext);
    };
    const takeNext = (): void => {
      const next = waiting.shift();
      if (next !== undefined) take(next);
      if (waiting.length > 0) return;
      if (isClosed) finish();
      else stream.resume();
    };
    stream.on('data', (chunk: Buffer) => {
      if (waiting.length > 0) waiting.push(chunk);
      else take(chunk);
    });
    stream.on('close', () => {
      isClosed = true;
      if (waiting.length === 0) finish();
    });
  });
}

const maximumShownLength = 500;

/** Milliseconds that an answer behind words waits for another one to the same request. */
const heldMs = 1_000;
/** Of answers that wait at the same time, and of characters of each. */
const maximumHeld = 100;
const maximumHeldLength = 1_000_000;
/** Of a message that is written over several. */
const maximumLines = 10_000;

/**
 * @param onDropped called with a response that exceeded a limit and was not read
 * @param onNoise called with a line that is not a message, truncated
 */
export function createStdoutReader(
  transport: BaseTransport,
  onDropped: (answer: DroppedAnswer) => void,
  onNoise: (line: string) => void,
  limits: MessageLimits,
  clock: Clock,
): LineDecoder {
  /** A dropped message whose request id is not known so far: its start and its error. */
  let unread: { readonly head: string; readonly error: PatchbayError } | undefined;
  const drop = (head: string, error: PatchbayError, tail?: string): void => {
    const id = findAnswerId(head, tail);
    unread = id === undefined ? { head, error } : undefined;
    if (id !== undefined) onDropped({ id, error });
  };
  /**
   * Answers behind words, by the id of their request. `INFO sent {"jsonrpc":"2.0",…}` is a line of a log, and the answer comes after it;
   * `Loading… {"jsonrpc":"2.0",…}` is the answer. Most servers need no map.
   */
  let held: Map<unknown, Disposable> | undefined;
  const hold = (id: unknown, length: number, receive: () => void): void => {
    held ??= new Map();
    if (typeof id !== 'number' || held.size >= maximumHeld) return;
    if (length > maximumHeldLength) return receive();
    held.get(id)?.dispose();
    const deliver = (): void => {
      held?.delete(id);
      receive();
    };
    held.set(id, clock.after(heldMs, deliver, { isBackground: true }));
  };
  const indented = new IndentedMessages(limits);
  const readOne = (text: string, isPart: boolean): void => {
    const found = readLine(text);
    const parts = isPart || found.kind === 'message' ? [] : messagesIn(text);
    if (parts.length > 1) return parts.forEach((part) => readOne(part, true));
    const shown = cleanLine(truncateWithEllipsis(found.noise, maximumShownLength));
    if (shown !== '') onNoise(shown);
    if (found.kind === 'unreadable') onDropped({ id: found.id, error: unreadableAnswerError(found.noise) });
    if (found.kind !== 'message') return;
    const mayBeDeep = decoder.hasSeenDeep || text.includes('\n');
    if (mayBeDeep) truncateDepth(found.value, limits.keptDepth ?? limits.depth);
    const id = isRecord(found.value) && !('method' in found.value) ? ownId(found.value['id']) : undefined;
    if (found.isBehindWords) return hold(id, text.length, () => transport.receive(found.value));
    held?.get(id)?.dispose();
    held?.delete(id);
    transport.receive(found.value, mayBeDeep || !found.isWhole ? undefined : text);
  };
  const decoder = new LineDecoder(
    {
      line(text) {
        for (const whole of indented.add(text)) readOne(whole, false);
      },
      tooLarge(excess, head) {
        const error = messageTooLargeError('The server', excess, limits);
        transport.note(`A message was skipped: ${error.message}`);
        drop(head, error);
      },
      skipped(tail) {
        if (unread !== undefined) drop(unread.head, unread.error, tail);
      },
    },
    limits,
  );
  return decoder;
}

/** Puts messages together that a server writes over several lines, with an indent. They have the limits of any message. */
class IndentedMessages {
  readonly #maximumBytes: number;
  readonly #scan: JsonScanner;
  #lines: string[] = [];
  #bytes = 0;

  constructor(limits: MessageLimits) {
    this.#maximumBytes = limits.bytes;
    this.#scan = new JsonScanner(limits);
  }

  /** @returns what is complete: lines, or the text of such a message */
  add(line: string): readonly string[] {
    const isFirst = this.#lines.length === 0;
    const text = line.trimEnd();
    if (isFirst && text !== '{') return [line];
    this.#lines.push(line);
    const bytes = Buffer.from(`${line}\n`);
    this.#bytes += bytes.length;
    const isTooLarge = this.#bytes > this.#maximumBytes || this.#scan.scan(bytes) !== undefined;
    const hasRoom = !isTooLarge && this.#lines.length < maximumLines;
    // A line without an indent is the last one, or shows that what was before it is no message.
    if (hasRoom && (isFirst || /^\s/.test(line))) return [];
    const lines = this.#lines;
    this.#lines = [];
    this.#bytes = 0;
    this.#scan.reset();
    const whole = lines.join('\n');
    const value = text === '}' && !isTooLarge ? tryLenientJson(whole) : undefined;
    return isRecord(value) && value['jsonrpc'] === '2.0' ? [whole] : lines;
  }
}

/** Some servers write messages without a line end between them. @returns the messages, up to a limit, and what follows them */
function messagesIn(line: string): readonly string[] {
  const found: string[] = [];
  for (let rest = line; ;) {
    const end = rest.startsWith('{') ? rest.search(nextMessage) + 1 : 0;
    const message = rest.slice(0, end);
    const isLast = end === 0 || found.length === allLimits.batch.entries || tryLenientJson(message) === undefined;
    if (isLast) return [...found, rest];
    found.push(message);
    rest = rest.slice(end).trim();
  }
}

/** Inside of a text, the quotes would be escaped. */
const nextMessage = /\}\s{0,9}\{"(?:jsonrpc|id|result|error|method)"\s{0,9}:/;

/** Where a message starts in a line, as in `⠋ working {"jsonrpc":"2.0",…}`: after colours, a spinner or words that have no line end. */
const messageStart = /\{\s{0,9}"(?:jsonrpc|id|result|error|method)"\s{0,9}:/;

/** In characters. */
const maximumNoiseBefore = 300;

/** Escape sequences of terminals, and the titles that programs give them. */
const sequences = /\u001b(?:\[[\d;:?]*[A-Za-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;

/** What programs draw, and write over: a carriage return, a sequence that moves or erases, a spinner, a bar, as in `45%|████▌ |`. */
const drawn = /[\r\u2580-\u259f\u2800-\u28ff]|\u001b\[[\d;?]*[A-HJK]/;

/** `noise` is what is shown in the log. */
type Line =
  | {
      readonly kind: 'message';
      readonly noise: string;
      readonly value: unknown;
      readonly isBehindWords: boolean;
      readonly isWhole: boolean;
    }
  | { readonly kind: 'noise'; readonly noise: string }
  /** An answer to the request `id`. */
  | { readonly kind: 'unreadable'; readonly noise: string; readonly id: number };

/** Takes the message out of a line: an object or array, alone or with noise before or after it. */
function readLine(text: string): Line {
  // Checking the first character avoids an exception for each line of plain text.
  const value = text.startsWith('{') || /^\s*[[{]/.test(text) ? tryLenientJson(text) : undefined;
  if (value !== undefined) return { kind: 'message', noise: '', value, isBehindWords: false, isWhole: true };
  const noise = { kind: 'noise', noise: text } as const;
  const start = text.slice(0, maximumNoiseBefore).search(messageStart);
  if (start === -1) return noise;
  const end = text.lastIndexOf('}') + 1;
  const before = text.slice(0, start);
  const shown = before.replace(sequences, '').trim();
  const isBehindWords = shown !== '' && !drawn.test(before);
  const found = tryLenientJson(text.slice(start, end));
  if (found === undefined) {
    const id = isBehindWords ? undefined : findAnswerId(text.slice(start), text);
    return id === undefined ? noise : { kind: 'unreadable', noise: text, id };
  }
  if (!isRecord(found) || found['jsonrpc'] !== '2.0') return noise;
  // Servers log the requests that they get and send. What is only drawn is no log.
  if ('method' in found && (isBehindWords || /[\p{L}\p{N}<>]/u.test(shown))) return noise;
  return { kind: 'message', noise: cleanLine(before) + text.slice(end), value: found, isBehindWords, isWhole: false };
}

const maximumLineLength = 8_192;
/** Each byte may be a line, and a server must not block the event loop. */
const maximumBytesPerTurn = 8_192;

/**
 * Splits a text stream, such as standard error, into lines. A line longer than `maximumLength` is delivered in parts.
 * @param onLine called with each non-blank line, without line end and colours
 */
export class TextLines implements ChunkReader {
  readonly #onLine: (text: string) => void;
  readonly #maximumLength: number;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  constructor(onLine: (text: string) => void, maximumLength = maximumLineLength) {
    this.#onLine = onLine;
    this.#maximumLength = maximumLength;
  }

  write(chunk: Buffer): Buffer | undefined {
    this.#take(this.#decoder.write(chunk.subarray(0, maximumBytesPerTurn)));
    return chunk.length > maximumBytesPerTurn ? chunk.subarray(maximumBytesPerTurn) : undefined;
  }

  /** What was written of a line that has no end. */
  get rest(): string {
    return this.#rest;
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
