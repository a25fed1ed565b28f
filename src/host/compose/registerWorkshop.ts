import type { DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { commandGroups } from '../commandIds.ts';
import { registerCommands } from '../platform/registerCommand.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import type { Core } from './composeCore.ts';

/** What those need who build a server. The code of each feature is loaded with its first use. */
export function registerWorkshop(core: Core, actions: ServerActions, store: DisposableStore): void {
  const debugging = memoizeAsync(async () => (await core.debugging()).commands(actions));
  store.add(registerCommands(core, commandGroups.workshop, debugging));
}
