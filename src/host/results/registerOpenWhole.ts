import { window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isRecord, isString } from '../../base/json.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { CommandIds } from '../commandIds.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import type { WholeValue } from './wholeDocuments.ts';

/**
 * *Open Full Content*; the argument may name what to open.
 * @param active what the active editor shows in part
 */
export function registerOpenWhole(
  logger: Logger,
  clock: Clock,
  active: () => Promise<WholeValue | undefined>,
): Disposable {
  const store = new DisposableStore();
  const documents = memoizeAsync(async () =>
    store.add((await import('./wholeDocuments.ts')).createWholeDocuments(() => clock.now())),
  );
  store.add(
    registerCommand({ logger }, CommandIds.openWhole, async (given) => {
      const shown = readWhole(given) ?? (await active());
      if (shown !== undefined) return (await documents()).open(shown);
      return window.showInformationMessage('Open a result, or the details of something a server offers, first.');
    }),
  );
  return store;
}

function readWhole(given: unknown): WholeValue | undefined {
  if (!isRecord(given) || !isString(given['title']) || given['value'] === undefined) return undefined;
  return { title: given['title'], value: given['value'] };
}
