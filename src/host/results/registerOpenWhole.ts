import { window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { Clock } from '../../base/clock.ts';
import { CommandIds } from '../commands/commandIds.ts';
import { type CommandContext, registerCommand } from '../commands/registerCommand.ts';
import type { WholeValue } from './wholeDocuments.ts';

export interface OpenWholeOptions extends CommandContext {
  readonly clock: Clock;
  /** What the active editor shows in part. */
  readonly active: () => Promise<WholeValue | undefined>;
}

/** *Open Whole as File*. */
export function registerOpenWhole({ logger, clock, active }: OpenWholeOptions): Disposable {
  const store = new DisposableStore();
  const documents = lazy(async () =>
    store.add((await import('./wholeDocuments.ts')).createWholeDocuments(() => clock.now())),
  );
  store.add(
    registerCommand({ logger }, CommandIds.openWhole, async () => {
      const shown = await active();
      if (shown !== undefined) return (await documents()).open(shown);
      return window.showInformationMessage('Open a result, or the details of something a server offers, first.');
    }),
  );
  return store;
}
