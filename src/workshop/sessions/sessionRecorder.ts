import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { jsonLength } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { ConnectionTap, OpenTap, TappedConnection } from '../../client/trace/connectionTap.ts';
import { redactedJson } from '../../client/trace/traceJson.ts';
import { sessionFormat, type SessionHeader } from '../../transport/replay/recordedSession.ts';

export interface SessionRecorderOptions {
  readonly clock: Clock;
  /** The version of Patchbay. */
  readonly writer: string;
  /** Replaces the file, or adds to it. Calls do not overlap. */
  readonly write: (text: string, isStart: boolean) => Promise<void>;
  /** Called once: the connection has ended, or the recording cannot continue. @param problem why, as a sentence */
  readonly onEnd?: (problem: string | undefined) => void;
}

export interface SessionRecorder {
  /** A tap for the connections of one server. A later attempt to connect begins the recording again until one has succeeded. */
  readonly open: OpenTap;
  /** Ends the recording. Resolves when all of it is written. @returns the number of messages */
  stop(): Promise<number>;
}

/** Milliseconds between bursts, messages that are made text in one turn. */
const burst = { everyMs: 25, messages: 200 };

type Line = { readonly t: number } & (
  | { readonly from: 'client' | 'server'; readonly message: unknown }
  | { readonly kind: 'note' | 'end' | 'cut'; readonly text: string }
);

/** Writes what goes over the connection of one server as a recorded session, in bursts. Secrets are hidden. */
export function createSessionRecorder(options: SessionRecorderOptions): SessionRecorder {
  const { clock, write } = options;
  let queue: Line[] = [];
  let [waiting, written, messages] = [0, 0, 0];
  let connection: TappedConnection | undefined;
  let [isStart, isOpened, isOver, startedAt] = [true, false, false, 0];
  let writing: Promise<void> | undefined;

  function add(line: Line, characters: number): void {
    if (isOver) return;
    waiting += characters;
    queue.push(line);
    if (waiting > limits.session.waiting) end('cut', 'The disk is too slow for the messages of this server.');
    writing ??= writeAll();
  }

  function end(kind: 'end' | 'cut', text: string): void {
    if (isOver) return;
    queue.push({ t: clock.now() - startedAt, kind, text });
    isOver = true;
    writing ??= writeAll();
    options.onEnd?.(kind === 'cut' ? text : undefined);
  }

  async function writeAll(): Promise<void> {
    try {
      while (queue.length > 0) {
        await new Promise<void>((resolve) => void clock.after(isOver ? 0 : burst.everyMs, resolve));
        while (queue.length > 0) {
          await writeSome(queue.splice(0, burst.messages));
          await new Promise<void>((resolve) => void clock.after(0, resolve));
        }
      }
    } catch (error) {
      queue = [];
      end('cut', `The recording could not be written: ${messageOf(error)}`);
      queue = [];
    } finally {
      writing = undefined;
    }
  }

  async function writeSome(lines: readonly Line[]): Promise<void> {
    if (connection === undefined) return;
    const isFirst = isStart;
    isStart = false;
    let text = isFirst ? `${headerLine(connection)}\n` : '';
    for (const line of lines) {
      const size = 'message' in line ? jsonLength(line.message) : line.text.length;
      waiting = Math.max(waiting - size, 0);
      if (written + text.length > limits.session.bytes / 4 || messages >= limits.session.entries - 2) {
        // UTF-8 has up to three bytes for a character.
        text += `${textOf({ t: line.t, kind: 'cut', text: 'The recording has its maximum size.' })}\n`;
        queue = [];
        if (!isOver) options.onEnd?.('The recording has its maximum size.');
        isOver = true;
        break;
      }
      messages += 1;
      text += `${textOf(line)}\n`;
    }
    written += text.length;
    await write(text, isFirst);
  }

  function textOf(line: Line): string {
    const redactor = connection?.redactor();
    if (redactor === undefined) return '';
    if (!('message' in line)) return JSON.stringify({ t: line.t, [line.kind]: redactor.text(line.text) });
    return `{"t":${line.t},"from":"${line.from}","message":${redactedJson(line.message, redactor)}}`;
  }

  function headerLine({ label, plan }: TappedConnection): string {
    const transport = plan.kind === 'stdio' && plan.replay !== undefined ? 'replay' : plan.kind;
    const created = new Date(startedAt).toISOString();
    const header: SessionHeader = { label, transport, created, writer: options.writer };
    return JSON.stringify({ format: sessionFormat.name, version: sessionFormat.version, ...header });
  }

  return {
    open(next) {
      if (isOver) return undefined;
      if (isOpened) {
        end('cut', 'The server was started again.');
        return undefined;
      }
      queue = [];
      [connection, startedAt, isStart, written, waiting, messages] = [next, clock.now(), true, 0, 0, 0];
      const isCurrent = (): boolean => connection === next;
      const now = (): number => clock.now() - startedAt;
      const tap: ConnectionTap = {
        message(direction, message) {
          if (!isCurrent()) return;
          // Past the handshake: only then there is something to play.
          isOpened ||= direction === 'sent' && opensSession(message);
          add({ t: now(), from: direction === 'sent' ? 'client' : 'server', message }, jsonLength(message));
        },
        failed: (_, error) => isCurrent() && add({ t: now(), kind: 'note', text: messageOf(error) }, 100),
        note: (text) =>
          isCurrent() && add({ t: now(), kind: 'note', text: text.slice(0, limits.log.characters) }, text.length),
        end(reason) {
          if (!isCurrent() || !isOpened) return;
          const text = reason.kind === 'exited' ? `exited with code ${reason.code}` : reason.kind;
          end('end', text);
        },
      };
      return tap;
    },
    async stop() {
      end('end', 'The recording was stopped.');
      await writing;
      return messages;
    },
  };
}

/** The first message after the opening of a session, in any revision. */
function opensSession(message: unknown): boolean {
  const method = (message as { readonly method?: unknown } | null)?.method;
  return typeof method === 'string' && !['initialize', 'server/discover', 'ping'].includes(method);
}
