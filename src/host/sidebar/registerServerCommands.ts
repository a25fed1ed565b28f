import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { serverCommandIds } from '../commandIds.ts';
import { registerActingCommand } from '../platform/registerCommand.ts';
import type { ServerCommandsOptions } from './serverCommands.ts';

/** Registers every command that is about a server or about the view. */
export function registerServerCommands(options: ServerCommandsOptions): Disposable {
  const store = new DisposableStore();
  for (const id of serverCommandIds)
    store.add(
      registerActingCommand(options, id, async (argument) => {
        const { serverCommands } = await import('./serverCommands.ts');
        return serverCommands[id](argument, options);
      }),
    );
  return store;
}
