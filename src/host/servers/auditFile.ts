import { messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { AuditEntry, AuditRecord } from '../../client/auditLog.ts';
import type { AuditQueue, AuditQueueOptions } from './auditQueue.ts';

/**
 * The audit log on disk: one JSON object a line, the current file and the one before it. What writes it is loaded with the first
 * record.
 * @param now the time in milliseconds since the epoch
 * @param loadRedact loads what hides secrets in the texts of a record
 */
export function createAuditFile(
  path: string,
  now: () => number,
  logger: Logger,
  loadRedact?: () => Promise<AuditQueueOptions['redact']>,
) {
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
    /** A record of this window, as it will be read. */
    onDidRecord: didRecord.event,
    record(entry: AuditEntry): void {
      const record: AuditRecord = Object.assign({ time: new Date(now()).toISOString() }, entry);
      if (loaded !== undefined) return loaded.record(record);
      if (early.push(record) > 1) return;
      load().catch((error: unknown) => {
        // The extension was removed while it ran.
        early = [];
        logger.error(`The audit log could not be loaded: ${messageOf(error)}`);
      });
    },
    /**
     * All records, oldest first, those not yet on disk included.
     * @param atSnapshot called in the turn in which the last record is taken: later ones come by `onDidRecord`
     */
    read: async (atSnapshot?: () => void) => (await load()).read(atSnapshot),
    async dispose(): Promise<void> {
      if (loaded !== undefined || early.length > 0) await (await load()).flush();
    },
  };
}

export type AuditFile = ReturnType<typeof createAuditFile>;
