import { Uri, window, workspace } from 'vscode';
import { readableText } from '../../base/visibleText.ts';
import type { AuditRecord } from '../../client/auditLog.ts';
import type { AuditFile } from './auditFile.ts';

/** Asks for a file, and writes all records to it as JSON. */
export async function exportAuditLog(audit: AuditFile): Promise<void> {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const target = await window.showSaveDialog({
    title: 'Export Audit Log',
    filters: { JSON: ['json'] },
    ...(folder && { defaultUri: Uri.joinPath(folder, 'patchbay-audit.json') }),
  });
  if (target === undefined) return;
  const records = await audit.read();
  await workspace.fs.writeFile(target, new TextEncoder().encode(`${JSON.stringify(records, undefined, 2)}\n`));
  void window.showInformationMessage(`Exported ${records.length} records to ${target.fsPath}.`);
}

/** The records as a text to read, newest first. */
export function renderAuditLog(records: readonly AuditRecord[]): string {
  if (records.length === 0)
    return 'Nothing yet. Requests for a model, questions, roots given, calls and reads appear here.\n';
  const lines = records.toReversed().map(renderRecord);
  return `${records.length} records, newest first. Export them with "Patchbay: Export Audit Log…".\n\n${lines.join('\n')}\n`;
}

function renderRecord({ time, server, action, outcome, detail }: AuditRecord): string {
  const facts = Object.entries(detail).map(([name, value]) => `    ${name}: ${inline(String(value))}`);
  return [`${time}  ${inline(server)}  ${action}: ${inline(outcome)}`, ...facts].join('\n');
}

/** A server's text stays on its line, so that it cannot pass for a record of its own. */
function inline(text: string): string {
  return readableText(text.replace(/[\r\n\u2028\u2029]+/g, ' ⏎ '));
}
