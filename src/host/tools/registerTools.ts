import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { CommandIds } from '../commandIds.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import type { ToolFeatureOptions } from './toolFeature.ts';

/** *Call Tool…*. */
export function registerTools(options: ToolFeatureOptions): Disposable {
  const store = new DisposableStore();
  const load = memoizeAsync(async () => store.add((await import('./toolFeature.ts')).createToolFeature(options)));
  store.add(registerCommand(options, CommandIds.callTool, async (argument) => (await load()).call(argument)));
  return store;
}
