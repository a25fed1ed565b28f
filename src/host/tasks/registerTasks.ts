import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { CommandIds } from '../commands/commandIds.ts';
import { registerCommand } from '../commands/registerCommand.ts';
import type { ServerActions } from '../commands/serverActions.ts';
import { offerResume } from './offerResume.ts';
import type { TaskCommandOptions } from './taskCommands.ts';
import { tellOfEndedTasks } from './tellOfEndedTasks.ts';

export interface TasksOptions extends TaskCommandOptions {
  readonly actions: ServerActions;
}

/** Tasks of servers: their commands, which take a row of the tree or `{ server, task }`, and what a person is told of them. */
export function registerTasks(options: TasksOptions): Disposable {
  const store = new DisposableStore();
  const load = () => import('./taskCommands.ts');
  store.add(
    registerCommand(options, CommandIds.cancelTask, async (argument) => (await load()).cancelTask(argument, options)),
  );
  store.add(
    registerCommand(options, CommandIds.showTaskResult, async (argument) =>
      (await load()).showTaskResult(argument, options),
    ),
  );
  store.add(
    registerCommand(options, CommandIds.dismissTask, async (argument) => (await load()).dismissTask(argument, options)),
  );
  store.add(tellOfEndedTasks(options.registry));
  store.add(offerResume(options.registry, options.actions));
  return store;
}
