import { commands, Uri } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { shownName, visibleText } from '../../base/visibleText.ts';
import { type RecordedSession, readSession } from '../../transport/replay/recordedSession.ts';
import { changeKinds, type SessionChangeKind } from '../../workshop/sessions/compareSchemas.ts';
import { compareSessions, type SessionChange } from '../../workshop/sessions/compareSessions.ts';
import { CommandIds } from '../commandIds.ts';
import { chooseRecording } from '../configuration/chooseRecording.ts';
import { countOf } from '../platform/displayText.ts';
import { readTextFile } from '../platform/readTextFile.ts';

const headings: Readonly<Record<SessionChangeKind, string>> = {
  breaking: 'What broke',
  added: 'What was added',
  wording: 'Only wording',
};

/**
 * *Compare Recorded Sessions…*: asks for two recordings, and shows what the newer one changes for a client.
 * @param given the address of the older one, from the menu of the explorer
 */
export async function showSessionDifference(given: unknown): Promise<void> {
  const older = given instanceof Uri ? given : await chooseRecording('Choose the Older Recording');
  if (older === undefined) return;
  const newer = await chooseRecording('Choose the Newer Recording');
  if (newer === undefined) return;
  const [before, after] = [await readRecording(older), await readRecording(newer)];
  const { changes, compared } = compareSessions(before, after);
  const lines = [
    `Older: ${visibleText(older.fsPath)}`,
    `Newer: ${visibleText(newer.fsPath)}`,
    `${countOf(compared, 'request')} compared beside the lists.`,
    ...changeKinds.flatMap((kind) => sectionOf(kind, changes)),
  ];
  const value = Buffer.from(`${lines.join('\n')}\n`);
  await commands.executeCommand(CommandIds.openWhole, { title: 'Recorded Sessions Compared.txt', value });
}

function sectionOf(kind: SessionChangeKind, changes: readonly SessionChange[]): readonly string[] {
  const own = changes.filter((change) => change.kind === kind);
  return ['', headings[kind], ...(own.length === 0 ? ['  Nothing.'] : own.map((change) => `  ${lineOf(change)}`))];
}

function lineOf({ subject, message }: SessionChange): string {
  const about = subject.name === undefined ? 'server' : `${subject.kind} ${shownName(subject.name)}`;
  return `${about}: ${message}`;
}

/** @throws {PatchbayError} for a file that is no recording, or has a line that cannot be read */
async function readRecording(uri: Uri): Promise<RecordedSession> {
  const text = await readTextFile(uri, limits.session.bytes);
  if (text === undefined) throw new PatchbayError('notFound', `There is no file ${visibleText(uri.fsPath)}.`);
  const session = await readSession(text, () => new Promise((resolve) => void setImmediate(resolve)));
  const { problem } = session;
  // A comparison of a part would report what is missing as gone.
  if (problem !== undefined)
    throw new PatchbayError('configuration', `${visibleText(uri.fsPath)}, line ${problem.line}: ${problem.message}`);
  return session;
}
