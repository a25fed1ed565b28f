import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { CommandIds } from '../commandIds.ts';
import { type ActingCommandContext, registerActingCommand, registerCommand } from '../platform/registerCommand.ts';
import { registerPromptCommands } from './promptCommands.ts';
import type { PromptFeature, PromptFeatureOptions } from './promptFeature.ts';

/** *Run Prompt…*, *Ask a Model With Prompt…*, *Copy Keybinding* and a command for each prompt. */
export function registerPrompts(options: PromptFeatureOptions & ActingCommandContext): Disposable {
  const store = new DisposableStore();
  const load = memoizeAsync(async () => (await import('./promptFeature.ts')).createPromptFeature(options));
  store.add(registerActingCommand(options, CommandIds.runPrompt, async (argument) => (await load()).run(argument)));
  store.add(
    registerActingCommand(options, CommandIds.askModelWithPrompt, async (argument) =>
      (await load()).askModel(argument),
    ),
  );
  store.add(
    registerCommand(options, CommandIds.copyKeybinding, async (argument) => (await load()).copyKeybinding(argument)),
  );
  const run = async (...call: Parameters<PromptFeature['runTarget']>): Promise<unknown> =>
    (await load()).runTarget(...call);
  store.add(registerPromptCommands({ ...options, run }));
  return store;
}
