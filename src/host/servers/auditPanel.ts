import type { Uri } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isCancellation, messageOf } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { AuditRecord } from '../../client/auditLog.ts';
import { type AuditToPanel, readAuditMessage } from '../../shared/auditMessages.ts';
import { showError } from '../platform/showError.ts';
import { createSinglePanel } from '../platform/webviewPanel.ts';
import { exportAuditLog } from './auditExport.ts';
import type { AuditFile } from './auditFile.ts';

/** Shows the audit log in an editor tab. */
export function createAuditPanel(extensionUri: Uri, audit: AuditFile, clock: Clock, logger: Logger) {
  return createSinglePanel({ extensionUri, name: 'audit', title: 'Audit Log' }, ({ webview }) => {
    const post = (message: AuditToPanel) => void webview.postMessage(message);
    const onMessage = webview.onDidReceiveMessage as Event<unknown>;
    return connectAuditPage({ post, onMessage }, audit, clock, logger);
  });
}

const intervalMs = 500;
const partSize = 1_000;
/** New records that wait for the next message; of more than these, all are read again. */
const maximumPending = 5_000;

/** Sends the records to the page, all at first and new ones as they come, and does what its buttons ask for. */
export function connectAuditPage(
  page: { post(message: AuditToPanel): void; readonly onMessage: Event<unknown> },
  audit: Pick<AuditFile, 'read' | 'onDidRecord'>,
  clock: Clock,
  logger: Logger,
): Disposable {
  const store = new DisposableStore();
  let pending: AuditRecord[] = [];
  /** The page has what it needs to take new records: it is loaded, and not about to get all of them. */
  let isCurrent = false;
  let reads = 0;

  async function sendAll(): Promise<void> {
    const turn = (reads += 1);
    isCurrent = false;
    const records = await audit.read(() => (pending = []));
    // A later request has begun to read all of them again.
    if (turn !== reads) return;
    for (let from = 0; from === 0 || from < records.length; from += partSize) {
      const isLast = from + partSize >= records.length;
      page.post({ type: 'records', isFirst: from === 0, isLast, records: records.slice(from, from + partSize) });
    }
    isCurrent = true;
    sendNew();
  }

  function sendNew(): void {
    if (!isCurrent || pending.length === 0) return;
    if (pending.length > maximumPending) {
      pending = [];
      return report(sendAll());
    }
    page.post({ type: 'added', records: pending });
    pending = [];
  }

  function report(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (isCancellation(error)) return;
      logger.error(() => `The audit log: ${messageOf(error)}`);
      showError(error);
    });
  }

  const updates = store.add(new Coalescer(clock, intervalMs, sendNew));
  store.add(
    audit.onDidRecord((record) => {
      if (pending.length <= maximumPending) pending.push(record);
      updates.request();
    }),
  );
  store.add(
    page.onMessage((value) => {
      const message = readAuditMessage(value);
      if (message === undefined) return;
      if (message.type === 'export') return report(exportAuditLog(audit, message.filter));
      report(sendAll());
    }),
  );
  return store;
}
