import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { CommandIds } from '../commandIds.ts';
import { type ActingCommandContext, registerActingCommand } from '../platform/registerCommand.ts';
import type { TaskFeatureOptions } from './taskFeature.ts';

/** *Cancel Task*, *Show Task Result* and *Dismiss Task*. */
export function registerTasks(options: TaskFeatureOptions & ActingCommandContext): Disposable {
  const store = new DisposableStore();
  const load = memoizeAsync(async () => (await import('./taskFeature.ts')).createTaskFeature(options));
  store.add(registerActingCommand(options, CommandIds.cancelTask, async (argument) => (await load()).cancel(argument)));
  store.add(
    registerActingCommand(options, CommandIds.showTaskResult, async (argument) => (await load()).showResult(argument)),
  );
  store.add(
    registerActingCommand(options, CommandIds.dismissTask, async (argument) => (await load()).dismiss(argument)),
  );
  return store;
}
