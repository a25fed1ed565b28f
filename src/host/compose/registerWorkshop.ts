import { Uri, workspace } from 'vscode';
import type { DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import { commandGroups } from '../commandIds.ts';
import { registerCommands } from '../platform/registerCommand.ts';
import type { Core } from './composeCore.ts';

/** What is for those who build a server: nothing of it is loaded before it is used, or there is something to show. */
export function registerWorkshop(
  core: Core,
  savedCalls: () => Promise<SavedCalls>,
  ready: Promise<void>,
  store: DisposableStore,
): { readonly showSavedCallTests: () => Promise<unknown> } {
  const tree = memoizeAsync(async () =>
    store.add((await import('../testing/testTree.ts')).createTestTree(core.logger)),
  );
  const tests = memoizeAsync(async () => {
    const { createSavedCallTests } = await import('../testing/savedCallTests.ts');
    return store.add(createSavedCallTests(core, await savedCalls(), await tree()));
  });
  store.add(registerCommands(core, commandGroups.savedCallTests, async () => (await tests()).commands));
  void ready.then(async () => {
    if (await hasSavedCalls()) await tests();
  });
  return { showSavedCallTests: tests };
}

/** The gutter of a file has its tests from the start. */
async function hasSavedCalls(): Promise<boolean> {
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => Uri.joinPath(uri, '.vscode', 'mcp-calls.json'));
  const found = await Promise.allSettled(folders.map((uri) => workspace.fs.stat(uri)));
  return found.some(({ status }) => status === 'fulfilled');
}
