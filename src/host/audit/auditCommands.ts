import { EventEmitter, Uri, window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { CommandIds } from '../commands/commandIds.ts';
import { registerCommand } from '../commands/registerCommand.ts';
import type { AuditFile } from './auditFile.ts';

const scheme = 'patchbay-audit';
const uri = Uri.from({ scheme, path: '/Patchbay Audit Log.log' });

/** Registers the commands that show and export what servers made the host do. */
export function registerAuditCommands(audit: AuditFile, logger: Logger): Disposable {
  const store = new DisposableStore();
  const changes = store.add(new EventEmitter<Uri>());
  store.add(
    workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changes.event,
      async provideTextDocumentContent() {
        const { renderAuditLog } = await import('./auditText.ts');
        return renderAuditLog(await audit.read());
      },
    }),
  );
  store.add(
    registerCommand({ logger }, CommandIds.showAuditLog, async () => {
      changes.fire(uri);
      await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
    }),
  );
  store.add(registerCommand({ logger }, CommandIds.exportAuditLog, () => exportAuditLog(audit)));
  return store;
}

async function exportAuditLog(audit: AuditFile): Promise<void> {
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
