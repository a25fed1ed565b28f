import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { CommandIds } from '../commandIds.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import type { TaskCommandOptions } from './taskFeature.ts';

/** The commands for tasks of servers: they take a row of the tree or `{ server, task }`. */
export function registerTasks(options: TaskCommandOptions): Disposable {
  const store = new DisposableStore();
  const load = () => import('./taskFeature.ts');
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
  return store;
}
