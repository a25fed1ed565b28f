import { DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { ContentKind } from '../../client/contents.ts';
import type { ServerUse } from '../../client/useDispatcher.ts';
import { CommandIds } from '../commandIds.ts';
import { type CommandContext, registerCommand } from '../platform/registerCommand.ts';
import { labelFromArgument } from '../servers/serverArgument.ts';
import type { DefinitionHost, DefinitionHostOptions } from './definitionHost.ts';
import type { FollowDefinitionsOptions } from './followDefinitions.ts';

export type Definitions = ReturnType<typeof createDefinitions>;

/** The pins of used definitions, loaded when the configuration was read or a server is first used. */
export function createDefinitions(options: DefinitionHostOptions) {
  const store = new DisposableStore();
  let loaded: DefinitionHost | undefined;
  const load = memoizeAsync(async () => {
    const { createDefinitionHost } = await import('./definitionHost.ts');
    return (loaded = store.add(createDefinitionHost(options)));
  });
  return {
    load,
    // Not loaded yet: the caller checks again after loading.
    check: (use: ServerUse) => (loaded === undefined ? load().then(() => {}) : loaded.pins.check(use)),
    reset: async () => (await load()).pins.reset(),
    dispose: () => store.dispose(),
  };
}

/**
 * Marks in the tree what is new or has changed, and registers the commands about it.
 * @param ready settles after the first reading of the configuration: no server runs before
 * @returns what to call when the person sees a list
 */
export function followMarks(
  options: Omit<FollowDefinitionsOptions, 'pins'> & CommandContext & { readonly definitions: Definitions },
  ready: Promise<void>,
  store: DisposableStore,
): (server: string, kind: ContentKind) => void {
  const { definitions, marks } = options;
  const follow = memoizeAsync(async () => {
    const [{ DefinitionFollower }, { pins }] = await Promise.all([
      import('./followDefinitions.ts'),
      definitions.load(),
    ]);
    return store.add(new DefinitionFollower({ ...options, pins }));
  });
  void ready.then(follow);
  store.add(
    registerCommand(options, CommandIds.showDefinitionChanges, async (argument) =>
      (await definitions.load()).showChosen(argument, marks),
    ),
  );
  store.add(
    registerCommand(options, CommandIds.markAllSeen, async (argument) =>
      (await follow()).markAllSeen(labelFromArgument(argument)),
    ),
  );
  return (server, kind) => void follow().then((follower) => follower.markViewed(server, kind));
}
