import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import { CommandIds } from '../commandIds.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import { registerPromptCommands } from './promptCommands.ts';
import type { PromptsOptions } from './promptFeature.ts';

/** *Run Prompt…*, *Copy Keybinding* and a command for each prompt. */
export function registerPrompts(options: PromptsOptions): Disposable {
  const { registry, clock, logger } = options;
  const load = memoizeAsync(async () => (await import('./promptFeature.ts')).createPromptFeature(options));
  const disposables = new DisposableStore();
  disposables.add(registerCommand({ logger }, CommandIds.runPrompt, async (argument) => (await load()).run(argument)));
  disposables.add(
    registerCommand({ logger }, CommandIds.copyKeybinding, async (argument) => (await load()).copyKeybinding(argument)),
  );
  disposables.add(
    registerPromptCommands({
      registry,
      run: async (target, argument) => (await load()).runTarget(target, argument),
      clock,
      logger,
    }),
  );
  return disposables;
}
