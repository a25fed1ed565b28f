import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord, jsonLength } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { RateLimiter } from '../../base/rateLimiter.ts';
import type { ConnectionTap, OpenTap, TappedConnection } from '../../client/trace/connectionTap.ts';
import { redactedJson, redactedJsonSteps, redactedText } from '../../client/trace/traceJson.ts';
import { valueOf } from '../../client/trace/trafficMessage.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { runPaused } from '../../secrets/steps.ts';
import { type RecordedNote, sessionFormat, type SessionHeader } from '../../transport/replay/recordedSession.ts';

export interface SessionRecorderOptions {
  readonly clock: Clock;
  /** The version of Patchbay. */
  readonly writer: string;
  /** Replaces the file, or adds to it. Calls do not overlap. */
  readonly write: (text: string, isStart: boolean) => Promise<void>;
  /** Called once: the connection has ended, or the recording cannot continue. @param problem why, as a sentence */
  readonly onEnd?: (problem: string | undefined) => void;
}

/**
 * Text is made in a pause between messages, and after `latestMs` without one. `messages` and `characters` of them in one turn;
 * `written`: characters that are written at once; `large`: of a message that is searched for secrets in several turns.
 */
const burst = { pauseMs: 25, latestMs: 250, messages: 200, characters: 250_000, large: 100_000, written: 1_000_000 };
/** Characters that wait for the disk. */
const maximumWaiting = 64_000_000;
/** Characters of a file: in UTF-8 one has up to three bytes. */
const maximumCharacters = limits.session.bytes / 3;

/** A message is kept as its text where that is known: many parsed values that live for a while cost more than all the rest. */
interface MessageLine {
  readonly t: number;
  readonly from: 'client' | 'server';
  readonly text: string | undefined;
  readonly message: unknown;
  readonly size: number;
}

type Line = MessageLine | { readonly t: number; readonly kind: RecordedNote['kind']; readonly text: string };

/**
 * Writes what goes over the connection of one server as a recorded session, in bursts; secrets are hidden. An attempt to connect
 * that failed is replaced by the next one. After that, the recording ends with the connection.
 */
export class SessionRecorder {
  readonly #options: SessionRecorderOptions;
  #queue: Line[] = [];
  #waiting = 0;
  #written = 0;
  #lines = 0;
  #connection: TappedConnection | undefined;
  #startedAt = 0;
  #isFileEmpty = true;
  /** Without one there is nothing to play: an earlier recording stays. */
  #hasMessage = false;
  #isOpened = false;
  #isOver = false;
  #writing: Promise<void> | undefined;

  constructor(options: SessionRecorderOptions) {
    this.#options = options;
  }

  /** For the connections of the server. */
  readonly open: OpenTap = (connection) => {
    if (this.#isOver) return undefined;
    if (this.#isOpened) {
      this.#end('cut', 'The server was started again.');
      return undefined;
    }
    [this.#queue, this.#waiting, this.#written, this.#lines] = [[], 0, 0, 0];
    [this.#connection, this.#startedAt] = [connection, this.#options.clock.now()];
    [this.#isFileEmpty, this.#hasMessage] = [true, false];
    return this.#tapOf(connection);
  };

  /** Ends the recording. Resolves when all of it is written. @returns the number of lines; 0: no message came, and nothing was written */
  async stop(): Promise<number> {
    this.#end('end', 'The recording was stopped.');
    await this.#writing;
    return this.#lines;
  }

  #tapOf(connection: TappedConnection): ConnectionTap {
    const isCurrent = (): boolean => this.#connection === connection && !this.#isOver;
    const add = (kind: 'note' | 'log', text: string): void => {
      if (isCurrent()) this.#add({ t: this.#now(), kind, text });
    };
    const note = (text: string): void => add('note', text);
    const leftOut = (count: number): void =>
      note(`${count} more lines of the log were left out: too many in one second.`);
    const gate = new RateLimiter(this.#options.clock, { count: limits.log.lines, periodMs: 1_000 }, leftOut);
    return {
      message: (direction, message, text) => {
        if (!isCurrent()) return;
        this.#isOpened ||= direction === 'sent' && isAfterOpening(message);
        const from = direction === 'sent' ? 'client' : 'server';
        const kept = text === undefined ? message : undefined;
        this.#add({ t: this.#now(), from, text, message: kept, size: text?.length ?? jsonLength(message) });
      },
      failed: (_, error) => note(messageOf(error)),
      note,
      log: (text) => gate.run(() => add('log', text)),
      end: (reason) => {
        gate.dispose();
        if (!isCurrent() || !this.#isOpened) return;
        this.#end(
          'end',
          reason.kind === 'exited' ? `The server exited with code ${reason.code}.` : 'The server was stopped.',
        );
      },
    };
  }

  #now(): number {
    return this.#options.clock.now() - this.#startedAt;
  }

  #add(line: Line): void {
    this.#waiting += sizeOf(line);
    this.#queue.push(line);
    this.#hasMessage ||= 'message' in line;
    if (this.#waiting > maximumWaiting) this.#end('cut', 'The disk is too slow for the messages of this server.');
    if (this.#hasMessage) this.#writing ??= this.#writeAll();
  }

  #end(kind: 'end' | 'cut', text: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#hasMessage) {
      this.#queue.push({ t: this.#now(), kind, text });
      this.#writing ??= this.#writeAll();
    } else this.#queue = [];
    this.#options.onEnd?.(kind === 'cut' ? text : undefined);
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        await this.#untilQuiet();
        await this.#writeSome();
      }
    } catch (error) {
      this.#queue = [];
      this.#end('cut', `The recording could not be written: ${messageOf(error)}`);
      this.#queue = [];
    } finally {
      this.#writing = undefined;
    }
  }

  /** The turns of a call come before those of its recording. */
  async #untilQuiet(): Promise<void> {
    let before = 0;
    for (let waited = 0; waited < burst.latestMs && !this.#isOver; waited += burst.pauseMs) {
      if (this.#queue.length === before || this.#waiting > burst.written) return;
      before = this.#queue.length;
      await this.#pause(burst.pauseMs);
    }
  }

  async #writeSome(): Promise<void> {
    while (this.#queue.length > 0) {
      const connection = this.#connection;
      const isStart = this.#isFileEmpty;
      if (connection === undefined) return;
      this.#isFileEmpty = false;
      const text = isStart ? [this.#header(connection)] : [];
      let size = 0;
      while (this.#queue.length > 0 && size < burst.written && this.#connection === connection) {
        const large = await this.#makeLarge(connection);
        if (this.#connection !== connection) break;
        size += this.#makeText(connection, text, large);
        await this.#pause(0);
      }
      // Another attempt to connect replaces all of it.
      if (this.#connection === connection) await this.#options.write(`${text.join('\n')}\n`, isStart);
      if (this.#connection === connection) this.#waiting -= size;
    }
  }

  /** @returns the text of the next line, if it is large */
  async #makeLarge(connection: TappedConnection): Promise<string | undefined> {
    const [line] = this.#queue;
    if (line === undefined || !('message' in line) || line.size <= burst.large) return undefined;
    const json = await runPaused(redactedJsonSteps(valueIn(line), connection.redactor()), () => this.#pause(0));
    return textWith(line, json);
  }

  /** Makes text of some lines. @param large of the first one, if it is made @returns the characters that they were counted with */
  #makeText(connection: TappedConnection, text: string[], large: string | undefined): number {
    let size = 0;
    let count = 0;
    for (const line of this.#queue) {
      if (count === burst.messages || size > burst.characters) break;
      if (count > 0 && sizeOf(line) > burst.large) break;
      count += 1;
      size += sizeOf(line);
      const next = count === 1 && large !== undefined ? large : textOf(line, connection);
      this.#written += next.length + 1;
      this.#lines += 1;
      if (this.#written > maximumCharacters - 1_000 || this.#lines > limits.session.entries - 2) {
        const full = 'The recording has its maximum size.';
        this.#end('cut', full);
        this.#queue = [];
        text.push(textOf({ t: this.#now(), kind: 'cut', text: full }, connection));
        return size;
      }
      text.push(next);
    }
    this.#queue.splice(0, count);
    return size;
  }

  #header({ label, plan }: TappedConnection): string {
    const transport = plan.kind === 'stdio' && plan.replay !== undefined ? 'replay' : plan.kind;
    const created = new Date(this.#startedAt).toISOString();
    const header: SessionHeader = { label, transport, created, writer: this.#options.writer };
    return JSON.stringify({ format: sessionFormat.name, version: sessionFormat.version, ...header });
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.after(milliseconds, resolve));
  }
}

function sizeOf(line: Line): number {
  return 'from' in line ? line.size : line.text.length;
}

function textOf(line: Line, connection: TappedConnection): string {
  const redactor = connection.redactor();
  if (!('from' in line)) {
    // Cut after the search: no part of a secret is left at the end.
    return JSON.stringify({ t: line.t, [line.kind]: redactor.text(line.text, limits.log.characters) });
  }
  return textWith(line, messageOfLine(line, redactor));
}

function textWith({ t, from }: MessageLine, json: string): string {
  return `{"t":${t},"from":"${from}","message":${json}}`;
}

/** What a server wrote may have blanks and escapes that are not ours: it is read, and written anew. */
function messageOfLine(line: MessageLine, redactor: Redactor): string {
  const { from, text } = line;
  return text !== undefined && from === 'client' ? redactedText(text, redactor) : redactedJson(valueIn(line), redactor);
}

function valueIn({ text, message }: MessageLine): unknown {
  return text === undefined ? message : valueOf(text);
}

/** True for the first message after the opening of a session, in any revision: only then there is something to play. */
function isAfterOpening(message: unknown): boolean {
  const method = isRecord(message) ? message['method'] : undefined;
  return typeof method === 'string' && !['initialize', 'server/discover', 'ping'].includes(method);
}
