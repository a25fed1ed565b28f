import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { CommandIds } from '../commandIds.ts';
import { type CommandContext, registerCommand } from '../platform/registerCommand.ts';
import type { TaskFeatureOptions } from './taskFeature.ts';

/** *Cancel Task*, *Show Task Result* and *Dismiss Task*. */
export function registerTasks(options: TaskFeatureOptions & CommandContext): Disposable {
  const store = new DisposableStore();
  const load = memoizeAsync(async () => (await import('./taskFeature.ts')).createTaskFeature(options));
  store.add(registerCommand(options, CommandIds.cancelTask, async (argument) => (await load()).cancel(argument)));
  store.add(
    registerCommand(options, CommandIds.showTaskResult, async (argument) => (await load()).showResult(argument)),
  );
  store.add(registerCommand(options, CommandIds.dismissTask, async (argument) => (await load()).dismiss(argument)));
  return store;
}
