import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { CommandIds } from '../commandIds.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import type { ToolsOptions } from './toolFeature.ts';

/**
 * *Call Tool…*: from the palette, from a row of the tree, or as `{ server, tool, arguments? }`. Arguments are asked one
 * after the other where each fits a line, and written as JSON in an editor where they do not.
 */
export function registerTools(options: ToolsOptions): Disposable {
  const disposables = new DisposableStore();
  const load = memoizeAsync(async () => {
    const { createToolFeature: createToolCommand } = await import('./toolFeature.ts');
    return disposables.add(createToolCommand(options));
  });
  disposables.add(registerCommand(options, CommandIds.callTool, async (argument) => (await load()).run(argument)));
  return disposables;
}
