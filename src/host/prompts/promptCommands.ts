import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { PromptCommandId } from '../commandIds.ts';
import type { ContentTarget } from '../invocation/contentTarget.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { type ActingCommandContext, registerActingCommand } from '../platform/registerCommand.ts';
import { shownList } from '../servers/serverStatus.ts';

/** What the commands of prompts need: the servers that list them, and how one is run. */
export interface PromptCommandsOptions extends ActingCommandContext {
  readonly registry: ServerRegistry;
  /** @param argument of the command, unchecked */
  readonly run: (target: ContentTarget, argument: unknown) => Promise<unknown>;
  readonly clock: Clock;
}

/** Servers may say many times a second that their prompts have changed. */
const settleMs = 200;
/** Commands are cheap but not free. Further prompts can only be run through the quick pick. */
const maximumPerServer = 1_000;

/** Keeps one command registered for each known prompt, of stopped servers too. */
export function registerPromptCommands(options: PromptCommandsOptions): Disposable {
  const { registry, run, clock } = options;
  const disposables = new DisposableStore();
  const registered = new Map<PromptCommandId, Disposable>();
  let pause: Disposable | undefined;

  function update(): void {
    const wanted = wantedCommands(registry);
    for (const [id, command] of registered) {
      if (wanted.has(id)) continue;
      registered.delete(id);
      command.dispose();
    }
    for (const [id, target] of wanted) {
      if (registered.has(id)) continue;
      registered.set(
        id,
        registerActingCommand(options, id, (argument) => run(target, argument)),
      );
    }
  }

  function updateSoon(): void {
    pause ??= clock.after(settleMs, () => {
      pause = undefined;
      update();
    });
  }

  update();
  disposables.add(registry.onDidChangeServers(updateSoon));
  disposables.add(registry.onDidChangeAny(updateSoon));
  return {
    dispose() {
      disposables.dispose();
      pause?.dispose();
      for (const command of registered.values()) command.dispose();
      registered.clear();
    },
  };
}

/** What should be registered now, by command id. */
function wantedCommands(registry: Pick<ServerRegistry, 'servers'>): ReadonlyMap<PromptCommandId, ContentTarget> {
  return new Map(
    registry.servers.flatMap(({ label, server }) =>
      shownList(server, 'prompts')
        .slice(0, maximumPerServer)
        .map(({ name }) => [promptCommandId(label, name), { server: label, name }] as const),
    ),
  );
}

/**
 * The id of a prompt's own command: `patchbay.prompt.<server>.<prompt>`. Dots and percent signs in the server's label are
 * percent-encoded, so that no two prompts share an id.
 */
export function promptCommandId(server: string, prompt: string): PromptCommandId {
  const label = server.replace(/[%.]/g, (character) => (character === '%' ? '%25' : '%2E'));
  return `patchbay.prompt.${label}.${prompt}`;
}
