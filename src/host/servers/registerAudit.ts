import { EventEmitter, Uri, window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { CommandIds } from '../commandIds.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import type { AuditFile } from './auditFile.ts';

const scheme = 'patchbay-audit';
const uri = Uri.from({ scheme, path: '/Patchbay Audit Log.log' });

/** Registers the commands that show and export what servers made the host do. */
export function registerAudit(audit: AuditFile, logger: Logger): Disposable {
  const store = new DisposableStore();
  const changes = store.add(new EventEmitter<Uri>());
  store.add(
    workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changes.event,
      async provideTextDocumentContent() {
        const { renderAuditLog } = await import('./auditDocument.ts');
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
  store.add(
    registerCommand({ logger }, CommandIds.exportAuditLog, async () => {
      const { exportAuditLog } = await import('./auditDocument.ts');
      await exportAuditLog(audit);
    }),
  );
  return store;
}
