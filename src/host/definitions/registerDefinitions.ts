import type { Memento } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { ContentKind } from '../../client/contents.ts';
import { CommandIds } from '../commandIds.ts';
import { registerCommand } from '../platform/registerCommand.ts';
import { labelFromArgument } from '../servers/serverArgument.ts';
import type { FollowDefinitionsOptions } from './followDefinitions.ts';
import type { LazyDefinitions } from './lazyDefinitions.ts';

/** What the marks and their commands need. */
export interface DefinitionFeaturesOptions extends Omit<FollowDefinitionsOptions, 'seen'> {
  readonly definitions: LazyDefinitions;
  /** Stores what the person has seen. */
  readonly storage: Memento;
  readonly random: () => number;
  /** Settles after the first reading of the configuration: no server runs before. */
  readonly ready: Promise<void>;
}

/** The marks in the tree, and the commands about them. */
export interface DefinitionFeatures extends Disposable {
  /** The person sees a list. */
  markViewed(server: string, kind: ContentKind): void;
}

/** Registers the commands, and follows the definitions after the first reading of the configuration. */
export function registerDefinitions(options: DefinitionFeaturesOptions): DefinitionFeatures {
  const { definitions, marks, storage, clock } = options;
  const store = new DisposableStore();
  const follow = memoizeAsync(async () => {
    const { followDefinitions } = await import('./followDefinitions.ts');
    const { createSeenContents } = await import('./seenContents.ts');
    const seen = store.add(createSeenContents(storage, clock, options.random));
    return store.add(followDefinitions({ ...options, seen }));
  });
  void options.ready.then(follow);
  store.add(
    registerCommand(options, CommandIds.showDefinitionChanges, async (argument) => {
      const { chooseChange } = await import('./definitionHost.ts');
      const changed = await chooseChange(argument, marks);
      if (changed !== undefined) await definitions.showChange(changed);
    }),
  );
  store.add(
    registerCommand(options, CommandIds.markAllSeen, async (argument) => {
      (await follow()).markAllSeen(labelFromArgument(argument));
    }),
  );
  return {
    markViewed: (server, kind) => void follow().then((follower) => follower.markViewed(server, kind)),
    dispose: () => store.dispose(),
  };
}
