import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { type PromptCommandId, promptCommandId } from '../commandIds.ts';
import type { ContentTarget } from '../invocation/contentTarget.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { type ActingCommandContext, registerActingCommand } from '../platform/registerCommand.ts';
import { shownList } from '../servers/serverStatus.ts';

/** Servers may say many times a second that their prompts have changed. */
const settleMs = 200;
/** Commands are cheap but not free. Further prompts can only be run through the quick pick. */
const maximumPerServer = 1_000;

/**
 * Keeps one command registered for each known prompt, of stopped servers too.
 * @param run gets the argument of the command unchecked
 */
export function registerPromptCommands(
  context: ActingCommandContext & { readonly registry: ServerRegistry; readonly clock: Clock },
  run: (target: ContentTarget, argument: unknown) => Promise<unknown>,
): Disposable {
  const { registry, clock } = context;
  const store = new DisposableStore();
  const registered = new Map<PromptCommandId, Disposable>();

  function update(): void {
    const wanted = wantedCommands(registry);
    for (const [id, command] of registered) {
      if (wanted.has(id)) continue;
      registered.delete(id);
      command.dispose();
    }
    for (const [id, target] of wanted) {
      if (registered.has(id)) continue;
      const command = registerActingCommand(context, id, (argument) => run(target, argument));
      registered.set(id, command);
    }
  }

  update();
  store.add(toDisposable(() => registered.forEach((command) => command.dispose())));
  let pause: Disposable | undefined;
  // Not at once: a list that is empty for a moment must not take the commands away.
  const updateSoon = (): void => {
    pause ??= clock.after(settleMs, () => {
      pause = undefined;
      update();
    });
  };
  store.add(toDisposable(() => pause?.dispose()));
  store.add(registry.onDidChangeServers(updateSoon));
  store.add(registry.onDidChangeAny(updateSoon));
  return store;
}

function wantedCommands(registry: ServerRegistry): ReadonlyMap<PromptCommandId, ContentTarget> {
  return new Map(
    registry.servers.flatMap(({ label, server }) =>
      shownList(server, 'prompts')
        .slice(0, maximumPerServer)
        .map(({ name }) => [promptCommandId(label, name), { server: label, name }] as const),
    ),
  );
}
