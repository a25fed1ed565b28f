import type { Uri } from 'vscode';
import type { DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { commandGroups } from '../commandIds.ts';
import { registerCommands } from '../platform/registerCommand.ts';
import type { WholeValue } from '../results/wholeDocuments.ts';
import type { Core } from './composeCore.ts';

/** What is for those who build a server: each part is loaded with its first use. @returns what its tab in front shows */
export function registerWorkshop(extensionUri: Uri, core: Core, store: DisposableStore) {
  const { registry, clock, logger } = core;
  let active: () => WholeValue | undefined = () => undefined;
  const compatibility = memoizeAsync(async () => {
    const { createCompatibilityPages } = await import('../diagnosis/compatibilityPages.ts');
    const pages = store.add(createCompatibilityPages(extensionUri, registry, clock, logger));
    active = () => pages.active;
    return pages;
  });
  store.add(registerCommands(core, commandGroups.workshop, async () => (await compatibility()).commands));
  return { active: (): WholeValue | undefined => active() };
}
