import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { Uri, window, workspace } from 'vscode';
import { formatCount } from '../../base/truncate.ts';
import { escapeHidden } from '../../base/visibleText.ts';
import { type AuditFilter, type AuditRow, filterAudit } from '../../shared/auditView.ts';
import { countOf, notificationText } from '../platform/displayText.ts';
import type { AuditFile } from './auditFile.ts';

/**
 * Asks for a file, and writes records to it as JSON Lines.
 * @param filter of the records; without it, all are written
 */
export async function exportAuditLog(audit: Pick<AuditFile, 'read'>, filter?: AuditFilter): Promise<void> {
  const folder = workspace.workspaceFolders?.[0]?.uri ?? Uri.file(homedir());
  const target = await window.showSaveDialog({
    title: 'Export Audit Log',
    filters: { 'JSON Lines': ['jsonl'] },
    defaultUri: Uri.joinPath(folder, 'patchbay-audit.jsonl'),
  });
  if (target === undefined) return;
  const all = await audit.read();
  const records = filter === undefined ? all : filterAudit(all, filter);
  await writeWhole(target, new TextEncoder().encode(toJsonLines(records)));
  const what =
    filter === undefined
      ? `all ${countOf(records.length, 'record')}`
      : `the ${formatCount(records.length)} of ${countOf(all.length, 'record')} that the filters let through`;
  void window.showInformationMessage(notificationText(`Exported ${what} to ${target.fsPath}.`, 1_000));
}

/** One record a line. Characters that an editor may take for the end of a line, or not show, are escaped. */
export function toJsonLines(records: readonly AuditRow[]): string {
  return records.map((record) => `${escapeHidden(JSON.stringify(record))}\n`).join('');
}

/** Writes a file as a whole or not at all, where it is on this machine. */
async function writeWhole(target: Uri, bytes: Uint8Array): Promise<void> {
  if (target.scheme !== 'file') return await workspace.fs.writeFile(target, bytes);
  await replaceFile(target.fsPath, bytes);
}

/**
 * Writes a file beside `path` and puts it in its place: what was there stays until all is written. It is for the user alone to
 * read, as the log is.
 */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  // A link stays one: what it leads to is replaced.
  const real = await realpath(path).catch(() => path);
  const temporary = `${real}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, real);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
