import { resolve } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { readOrdinaryFile } from '../transport/stdio/ordinaryFile.ts';
import { type RecordedSession, readSession } from '../transport/replay/recordedSession.ts';
import { compareSessions, type SessionChange, type SessionChangeKind } from '../workshop/sessions/compareSessions.ts';
import type { Invocation } from './arguments.ts';
import { exitCodes, UsageError } from './exitCodes.ts';
import type { Output } from './output.ts';
import { safeName, safeText } from './reports/shownText.ts';
import { jsonLine } from './reports/jsonReport.ts';
import { writeLines } from './writeReport.ts';
import type { Surroundings } from './targets.ts';

/** From the most to the least severe: each fails with those before it. */
const kinds: readonly SessionChangeKind[] = ['breaking', 'added', 'wording'];

export async function diffCommand(
  { positionals, options }: Invocation,
  { cwd, output }: Surroundings,
): Promise<number> {
  const failing = failingKinds(options.failOn);
  const before = await readRecording(resolve(cwd, positionals.old ?? ''), output);
  const after = await readRecording(resolve(cwd, positionals.new ?? ''), output);
  const { changes, compared } = compareSessions(before, after);
  const lines =
    options.format === 'json'
      ? [...changes.map((change) => jsonLine({ type: 'change', ...change })), jsonLine(summary(changes, compared))]
      : [...changes.map(changeLine), textSummary(changes, compared)];
  await writeLines(lines, options, output);
  return changes.some(({ kind }) => failing.includes(kind)) ? exitCodes.findings : exitCodes.fine;
}

function failingKinds(text = 'breaking'): readonly SessionChangeKind[] {
  if (text === 'never') return [];
  const index = kinds.findIndex((kind) => kind === text);
  if (index < 0) throw new UsageError(`"--fail-on" is one of ${kinds.join(', ')} and never.`);
  return kinds.slice(0, index + 1);
}

/** Reads a recorded session. @throws {UsageError} */
async function readRecording(path: string, { note }: Output): Promise<RecordedSession> {
  let text: string;
  try {
    text = await readOrdinaryFile(path, limits.session.bytes);
  } catch (error) {
    throw new UsageError(`The recorded session ${path} ${messageOf(error)}.`);
  }
  const session = await readSession(text, () => new Promise((turn) => setImmediate(turn)));
  const { problem } = session;
  if (problem !== undefined) note(`${path}:${problem.line}: ${problem.message} The rest is left out.`);
  return session;
}

function countsOf(changes: readonly SessionChange[]) {
  const count = (wanted: SessionChangeKind): number => changes.filter(({ kind }) => kind === wanted).length;
  return { breaking: count('breaking'), added: count('added'), wording: count('wording') };
}

function summary(changes: readonly SessionChange[], compared: number): object {
  return { type: 'summary', compared, counts: countsOf(changes) };
}

function textSummary(changes: readonly SessionChange[], compared: number): string {
  const { breaking, added, wording } = countsOf(changes);
  return `${breaking} breaking, ${added} added, ${wording} only wording; ${compared} requests compared`;
}

function changeLine({ kind, subject, message }: SessionChange): string {
  const about = subject.name === undefined ? 'server' : `${subject.kind} ${safeName(subject.name)}`;
  return `${kind}: ${about}: ${safeText(message)}`;
}
