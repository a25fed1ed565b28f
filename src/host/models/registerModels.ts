import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { CommandIds } from '../commandIds.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import type { ModelCommandsOptions } from './modelCommands.ts';

const ids = [CommandIds.addModel, CommandIds.manageModels] as const;

/** A command about models. */
export type ModelCommandId = (typeof ids)[number];

/** Registers *Add Model…* and *Manage Models…*. */
export function registerModels(options: ModelCommandsOptions & { readonly logger: Logger }): Disposable {
  const store = new DisposableStore();
  for (const id of ids)
    store.add(
      registerCommand(options, id, async () => (await import('./modelCommands.ts')).modelCommands[id](options)),
    );
  return store;
}
