import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { CommandIds } from '../commandIds.ts';
import type { Development } from '../development/developServers.ts';
import { registerCommands } from '../platform/registerCommand.ts';
import type { Core } from './composeCore.ts';

/** What is for those who build a server. Nothing of it is loaded before it is used, or before a server runs. */
export function registerWorkshop(core: Core): Disposable & { readonly development: () => Promise<Development> } {
  const store = new DisposableStore();
  const { registry, configuration, trust, log, clock } = core;
  const development = memoizeAsync(async () => {
    const { Development: Loaded } = await import('../development/developServers.ts');
    const [states, choices] = [core.development, core.restartChoices];
    return store.add(new Loaded({ registry, configuration, trust, states, choices, log, clock }));
  });
  store.add(
    registry.onDidChangeState(({ state: { kind } }) => {
      if (kind === 'running' || kind === 'failed') void development();
    }),
  );
  const developing = memoizeAsync(async () => {
    const { createDevelopmentCommands } = await import('../development/developmentCommands.ts');
    return createDevelopmentCommands(registry, await development());
  });
  const ids = [CommandIds.restartOnSave, CommandIds.stopRestartingOnSave] as const;
  store.add(registerCommands(core, ids, developing));
  return { development, dispose: () => store.dispose() };
}
