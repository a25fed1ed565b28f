import { readableText } from '../../base/visibleText.ts';
import type { AuditRecord } from '../../client/auditLog.ts';

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
