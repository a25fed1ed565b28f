import { randomUUID } from 'node:crypto';
import type { ExtensionContext } from 'vscode';
import type { DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { commandGroups } from '../commandIds.ts';
import { registerCommands } from '../platform/registerCommand.ts';
import type { Core } from './composeCore.ts';

/** What those use who build a server. The code of each feature is loaded with its first use. */
export function registerWorkshop(
  context: ExtensionContext,
  core: Core,
  ready: Promise<void>,
  store: DisposableStore,
): void {
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
  // Test Explorer asks for its items only where there is a controller; a window without servers needs none.
  const show = (): void => void (registry.servers.length > 0 && testing());
  void ready.then(() => {
    show();
    store.add(registry.onDidChangeServers(show));
  });
}
