import type { Uri } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { CommandIds } from '../commandIds.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import type { AuditFile } from './auditFile.ts';

/** The log, and what its panel needs. */
export interface AuditCommandsOptions {
  readonly extensionUri: Uri;
  readonly audit: AuditFile;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Registers the commands that show what servers made the host do. */
export function registerAudit({ extensionUri, audit, clock, logger }: AuditCommandsOptions): Disposable {
  const store = new DisposableStore();
  const panel = memoizeAsync(async () => {
    const { createAuditPanel } = await import('./auditPanel.ts');
    return store.add(createAuditPanel({ extensionUri, audit, clock, logger }));
  });
  store.add(registerCommand({ logger }, CommandIds.showAuditLog, async () => (await panel()).show()));
  return store;
}
