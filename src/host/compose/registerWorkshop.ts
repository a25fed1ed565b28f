import { randomUUID } from 'node:crypto';
import { type ExtensionContext, Uri, workspace } from 'vscode';
import type { DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { SavedCalls } from '../calls/savedCallStore.ts';
import { commandGroups } from '../commandIds.ts';
import { registerCommands } from '../platform/registerCommand.ts';
import type { Core } from './composeCore.ts';

/** What those use who build a server. The code of each feature is loaded with its first use. */
export function registerWorkshop(
  context: ExtensionContext,
  core: Core,
  savedCalls: () => Promise<SavedCalls>,
  ready: Promise<void>,
  store: DisposableStore,
): { readonly showSavedCallTests: () => Promise<unknown> } {
  const { registry, clock, logger, diagnosis, environment } = core;
  const testing = memoizeAsync(async () => {
    const [{ createTestFeature }, { createWindowProbe }] = await Promise.all([
      import('../testing/testFeature.ts'),
      import('../platform/fileLock.ts'),
    ]);
    const lock = { clock, owner: randomUUID(), reachWindow: createWindowProbe(context.secrets) };
    const { prepare, createTransport } = diagnosis;
    return store.add(
      createTestFeature({ context, registry, prepare, createTransport, environment, lock, clock, logger }),
    );
  });
  store.add(registerCommands(core, commandGroups.testing, async () => (await testing()).commands));
  const savedCallTests = memoizeAsync(async () => {
    const { createSavedCallTests } = await import('../testing/savedCallTests.ts');
    return store.add(createSavedCallTests(core, await savedCalls(), (await testing()).tree));
  });
  store.add(registerCommands(core, commandGroups.savedCallTests, async () => (await savedCallTests()).commands));
  // Test Explorer asks for its items only where there is a controller; a window without servers needs none.
  const show = (): void => void (registry.servers.length > 0 && testing());
  void ready.then(() => {
    show();
    store.add(registry.onDidChangeServers(show));
  });
  void ready.then(async () => {
    if (await hasSavedCalls()) await savedCallTests();
  });
  return { showSavedCallTests: savedCallTests };
}

/** The gutter of a file has its tests from the start. */
async function hasSavedCalls(): Promise<boolean> {
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => Uri.joinPath(uri, '.vscode', 'mcp-calls.json'));
  const found = await Promise.allSettled(folders.map((uri) => workspace.fs.stat(uri)));
  return found.some(({ status }) => status === 'fulfilled');
}
