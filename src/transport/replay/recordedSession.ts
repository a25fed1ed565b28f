import { PatchbayError } from '../../base/errors.ts';
import { isRecord, isString, parseJson, toJsonText, type UnknownRecord } from '../../base/json.ts';
import { JsonScanner } from '../../base/jsonScanner.ts';
import { limits } from '../../base/limits.ts';
import { visibleText } from '../../base/visibleText.ts';

/** The first line of a recording. It says nothing of command lines, addresses or environments. */
export interface SessionHeader {
  readonly label: string;
  /** `stdio`, `http`, `sse` or `replay`. */
  readonly transport: string;
  /** ISO 8601. */
  readonly created: string;
  /** The version of Patchbay that wrote it. */
  readonly writer: string;
}

/** One message, or one batch, as it was on the wire, without secrets. */
export interface RecordedMessage {
  readonly kind: 'message';
  /** Of the file, from 1. */
  readonly line: number;
  /** Milliseconds since the connection was opened. */
  readonly t: number;
  readonly from: 'client' | 'server';
  readonly message: unknown;
}

export interface RecordedNote {
  /** `log`: a line of the server's stderr; `end`: the connection has ended; `cut`: the recording ended before the connection. */
  readonly kind: 'note' | 'log' | 'end' | 'cut';
  readonly line: number;
  readonly t: number;
  readonly text: string;
}

export type RecordedEntry = RecordedMessage | RecordedNote;

export interface RecordedSession {
  readonly header: SessionHeader;
  readonly entries: readonly RecordedEntry[];
  /** The line that could not be read: it and all after it are left out. `message` is a sentence. */
  readonly problem?: { readonly line: number; readonly message: string };
}

/** How the names of recordings end. */
export const sessionExtension = '.mcp-session.jsonl';

export const sessionFormat = { name: 'mcp-session', version: 1 };

/** A recorder writes none that is longer: see `limits.session.bytes`. */
const maximumLineLength = 44_000_000;
const linesPerTurn = 500;
const charactersPerTurn = 1_000_000;

/**
 * Reads a recording, line by line. It ends at the first line that is not one of a recording: see `problem`.
 * @param pause ends in a later turn of the event loop
 * @throws {PatchbayError} `configuration` for a text that is no recording, or one of a newer format
 */
export async function readSession(text: string, pause: () => Promise<void>): Promise<RecordedSession> {
  const lines = linesOf(text);
  const first = lines.next();
  const header = first.done === true ? undefined : readHeader(first.value);
  if (header === undefined) throw notSession('it does not begin with the header of a recorded session');
  // One scanner for all lines: their members count together.
  const scanner = new JsonScanner({ members: limits.session.members, depth: limits.message.keptDepth });
  const encoder = new TextEncoder();
  const entries: RecordedEntry[] = [];
  let [number, sinceTurn] = [1, 0];
  for (const line of lines) {
    number += 1;
    sinceTurn += line.length;
    if (number % linesPerTurn === 0 || sinceTurn > charactersPerTurn) {
      sinceTurn = 0;
      await pause();
    }
    const problem = (message: string): RecordedSession => ({ header, entries, problem: { line: number, message } });
    if (number > limits.session.entries)
      return problem(`The recording has more than ${limits.session.entries} lines. Record a shorter session.`);
    if (line.length > maximumLineLength)
      return problem(`The line has more than ${maximumLineLength} characters. Record a session without it.`);
    if (line.trim() === '') continue;
    const excess = scanner.scan(encoder.encode(line));
    if (excess !== undefined)
      return problem(excess === 'depth' ? 'The line is nested too deep.' : 'The recording has too many values.');
    const value = parseJson(line);
    const entry = isRecord(value) ? readEntry(value, number) : undefined;
    if (entry === undefined)
      return problem('The line is not a message or a note of a recorded session. Correct it, or record it again.');
    if (entry !== 'other') entries.push(entry);
  }
  return { header, entries };
}

function* linesOf(text: string): Generator<string, undefined> {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end === -1 ? text.length : end);
    if (end === -1) return undefined;
    start = end + 1;
  }
  return undefined;
}

const maximumHeaderLength = 10_000;

function readHeader(line: string): SessionHeader | undefined {
  const value = line.length > maximumHeaderLength ? undefined : parseJson(line);
  if (!isRecord(value) || value['format'] !== sessionFormat.name) return undefined;
  const { version } = value;
  if (version !== sessionFormat.version) {
    const isNewer = typeof version === 'number' && version > sessionFormat.version;
    const advice = isNewer
      ? 'it was written by a newer Patchbay. Update Patchbay'
      : 'it must be 1. Record the session again';
    throw notSession(`its version is ${shortJson(version)}, and ${advice}`);
  }
  const text = (name: string): string => (isString(value[name]) ? value[name] : '');
  return { label: text('label'), transport: text('transport'), created: text('created'), writer: text('writer') };
}

/** @returns `other` for a line of a kind that is not known here: it says nothing that is needed */
function readEntry(value: UnknownRecord, line: number): RecordedEntry | 'other' | undefined {
  const { t, from, message } = value;
  if (typeof t !== 'number') return undefined;
  if (from === 'client' || from === 'server')
    return Object.hasOwn(value, 'message') ? { kind: 'message', line, t, from, message } : undefined;
  for (const kind of ['note', 'log', 'end', 'cut'] as const) {
    const text = value[kind];
    if (isString(text)) return { kind, line, t, text };
  }
  return 'from' in value || 'message' in value ? undefined : 'other';
}

function shortJson(value: unknown): string {
  return visibleText(toJsonText(value, 20));
}

function notSession(why: string): PatchbayError {
  return new PatchbayError('configuration', `The recorded session cannot be read: ${why}.`);
}
