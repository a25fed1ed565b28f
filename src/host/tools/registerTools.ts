import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { CommandIds } from '../commands/commandIds.ts';
import { registerCommand } from '../commands/registerCommand.ts';
import type { ToolsOptions } from './toolCommand.ts';

/**
 * *Call Tool…*: from the palette, from a row of the tree, or as `{ server, tool, arguments? }`. Arguments are asked one
 * after the other where each fits a line, and written as JSON in an editor where they do not.
 */
export function registerTools(options: ToolsOptions): Disposable {
  const disposables = new DisposableStore();
  const load = lazy(async () => {
    const { createToolCommand } = await import('./toolCommand.ts');
    return disposables.add(createToolCommand(options));
  });
  disposables.add(registerCommand(options, CommandIds.callTool, async (argument) => (await load()).run(argument)));
  return disposables;
}
