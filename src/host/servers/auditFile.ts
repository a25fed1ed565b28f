import type { AsyncDisposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { AuditLog, AuditRecord } from '../../client/auditLog.ts';
import type { AuditQueue, AuditQueueOptions } from './auditQueue.ts';

/** The audit log on disk: one JSON object a line, the current file and the one before it. */
export interface AuditFile extends AuditLog, AsyncDisposable {
  /**
   * All records, oldest first, those not yet on disk included.
   * @param atSnapshot called in the turn in which the last record is taken: later ones come by `onDidRecord`
   */
  read(atSnapshot?: () => void): Promise<readonly AuditRecord[]>;
  /** A record of this window, as it will be read. */
  readonly onDidRecord: Event<AuditRecord>;
}

/**
 * Loads what writes the file with the first record.
 * @param now the time in milliseconds since the epoch
 * @param loadRedact loads what hides secrets in the texts of a record
 */
export function createAuditFile(
  path: string,
  now: () => number,
  logger: Logger,
  loadRedact?: () => Promise<AuditQueueOptions['redact']>,
): AuditFile {
  const didRecord = new Emitter<AuditRecord>();
  let early: AuditRecord[] = [];
  let loaded: AuditQueue | undefined;
  const load = memoizeAsync(async () => {
    const [{ AuditQueue: Queue }, redact] = await Promise.all([import('./auditQueue.ts'), loadRedact?.()]);
    const queue = new Queue({ path, now, logger, didRecord, redact });
    loaded = queue;
    for (const record of early.splice(0)) queue.record(record);
    return queue;
  });
  return {
    onDidRecord: didRecord.event,
    record(entry) {
      const record: AuditRecord = Object.assign({ time: new Date(now()).toISOString() }, entry);
      if (loaded !== undefined) return loaded.record(record);
      if (early.push(record) > 1) return;
      load().catch((error: unknown) => {
        // The extension was removed while it ran.
        early = [];
        logger.error(`The audit log could not be loaded: ${messageOf(error)}`);
      });
    },
    read: async (atSnapshot) => (await load()).read(atSnapshot),
    async dispose() {
      if (loaded !== undefined || early.length > 0) await (await load()).flush();
    },
  };
}
