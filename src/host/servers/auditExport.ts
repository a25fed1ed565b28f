import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { Uri, window, workspace } from 'vscode';
import { formatCount } from '../../base/truncate.ts';
import { escapeHidden } from '../../base/visibleText.ts';
import { type AuditFilter, type AuditRow, filterAudit } from '../../shared/auditView.ts';
import { countOf, notificationText } from '../platform/displayText.ts';
import { replaceFile } from '../platform/plainFiles.ts';
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
  await writeWhole(target, toJsonLines(records));
  const what =
    filter === undefined
      ? `all ${countOf(records.length, 'record')}`
      : `the ${formatCount(records.length)} of ${countOf(all.length, 'record')} that match the filters`;
  void window.showInformationMessage(notificationText(`Exported ${what} to ${target.fsPath}.`, 1_000));
}

/** One record a line. Characters that an editor may take for the end of a line, or not show, are escaped. */
export function toJsonLines(records: readonly AuditRow[]): string {
  return records.map((record) => `${escapeHidden(JSON.stringify(record))}\n`).join('');
}

/** Writes a file as a whole or not at all, for the user alone to read, as the log is. A link stays one. */
async function writeWhole(target: Uri, text: string): Promise<void> {
  if (target.scheme !== 'file') return await workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const path = await realpath(target.fsPath).catch(() => target.fsPath);
  await replaceFile(path, text, { temporary: `${path}.${randomUUID()}.tmp`, isSynced: true });
}
