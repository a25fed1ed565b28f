import { resolve } from 'node:path';
import { createSystemClock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { readOrdinaryFile } from '../transport/stdio/ordinaryFile.ts';
import { type RecordedSession, readSession, sessionExtension } from '../transport/replay/recordedSession.ts';
import { changeKinds, type SessionChangeKind } from '../workshop/sessions/compareSchemas.ts';
import { compareSessions, type SessionChange } from '../workshop/sessions/compareSessions.ts';
import { SessionRecorder } from '../workshop/sessions/sessionRecorder.ts';
import { version } from '../../package.json';
import type { Invocation } from './arguments.ts';
import { exitCodes, UsageError } from './exitCodes.ts';
import type { Output } from './output.ts';
import { safeName, safeText } from './reports/shownText.ts';
import { jsonLine } from './reports/jsonReport.ts';
import { writeLines } from './writeReport.ts';
import { openServers } from './serverHost.ts';
import { startServer } from './startServer.ts';
import { findTargets, type Surroundings } from './targets.ts';

export async function diffCommand(
  invocation: Invocation,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<number> {
  const { positionals, options } = invocation;
  const { cwd, output } = surroundings;
  const failing = failingKinds(options.failOn);
  const before = await readRecording(resolve(cwd, positionals.old ?? ''), output);
  const after = await readNewer(invocation, surroundings, signal);
  if (typeof after === 'number') return after;
  const { changes, compared } = compareSessions(before, after);
  const lines =
    options.format === 'json'
      ? [...changes.map((change) => jsonLine({ type: 'change', ...change })), jsonLine(summary(changes, compared))]
      : [...changes.map(changeLine), textSummary(changes, compared, !isRecording(positionals.new))];
  await writeLines(lines, options, output);
  return changes.some(({ kind }) => failing.includes(kind)) ? exitCodes.findings : exitCodes.fine;
}

/** Each fails with those that are more severe. */
function failingKinds(text = 'breaking'): readonly SessionChangeKind[] {
  if (text === 'never') return [];
  const index = changeKinds.findIndex((kind) => kind === text);
  if (index < 0) throw new UsageError(`"--fail-on" is one of ${changeKinds.join(', ')} and never.`);
  return changeKinds.slice(0, index + 1);
}

function isRecording(name = ''): boolean {
  return name.endsWith(sessionExtension);
}

/** @returns a recording, or one that is made of the start of a server; the exit code where it does not start */
async function readNewer(
  invocation: Invocation,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<RecordedSession | number> {
  const { cwd, output } = surroundings;
  const { new: newer } = invocation.positionals;
  if (newer !== undefined && isRecording(newer)) return readRecording(resolve(cwd, newer), output);
  const [target] = await findTargets(
    { ...invocation, positionals: newer === undefined ? {} : { server: newer } },
    surroundings,
  );
  if (target === undefined) return exitCodes.usage;
  let text = '';
  const recorder = new SessionRecorder({
    clock: createSystemClock(),
    writer: version,
    write: async (added, isStart) => void (text = isStart ? added : text + added),
  });
  await using host = openServers([target], output, { tap: recorder.open });
  const server = await startServer(host, target, output, signal);
  if (typeof server === 'number') return server;
  await recorder.stop();
  return await readSession(text, pause);
}

/** Reads a recorded session. @throws {UsageError} */
async function readRecording(path: string, { note }: Output): Promise<RecordedSession> {
  let text: string;
  try {
    text = await readOrdinaryFile(path, limits.session.bytes);
  } catch (error) {
    throw new UsageError(`The recorded session ${path} ${messageOf(error)}.`);
  }
  const session = await readSession(text, pause);
  const { problem } = session;
  if (problem !== undefined) note(`${path}:${problem.line}: ${problem.message} The rest is left out.`);
  return session;
}

function pause(): Promise<void> {
  return new Promise((turn) => void setImmediate(turn));
}

function countsOf(changes: readonly SessionChange[]) {
  const count = (wanted: SessionChangeKind): number => changes.filter(({ kind }) => kind === wanted).length;
  return { breaking: count('breaking'), added: count('added'), wording: count('wording') };
}

function summary(changes: readonly SessionChange[], compared: number): object {
  return { type: 'summary', compared, counts: countsOf(changes) };
}

function textSummary(changes: readonly SessionChange[], compared: number, isServer: boolean): string {
  const { breaking, added, wording } = countsOf(changes);
  const what = isServer ? 'of the server, only what it lists is compared' : `${compared} requests compared`;
  return `${breaking} breaking, ${added} added, ${wording} only wording; ${what}`;
}

function changeLine({ kind, subject, message }: SessionChange): string {
  const about = subject.name === undefined ? 'server' : `${subject.kind} ${safeName(subject.name)}`;
  return `${kind}: ${about}: ${safeText(message)}`;
}
