import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { ChangedDefinition, PinnedServer } from '../../client/definitions/ports.ts';
import type { ContentKind, Contents } from '../../client/contents.ts';
import type { ServerUse, UseGuard } from '../../client/useDispatcher.ts';
import { CommandIds } from '../commandIds.ts';
import { type CommandContext, registerCommand } from '../platform/registerCommand.ts';
import { labelFromArgument } from '../servers/serverArgument.ts';
import type { DefinitionHost, DefinitionHostOptions } from './definitionHost.ts';
import type { FollowDefinitionsOptions } from './followDefinitions.ts';

const code = () => import('./definitionHost.ts');

/** The pins of used definitions, loaded when a server is first used or listed. */
export class Definitions implements UseGuard, Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<PinnedServer>());
  readonly #load;
  #loaded: DefinitionHost | undefined;

  /** See `DefinitionPins.onDidChange`. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(options: DefinitionHostOptions) {
    this.#load = memoizeAsync(async () => {
      const { DefinitionHost: Host } = await code();
      const loaded = this.#store.add(new Host(options));
      this.#store.add(loaded.pins.onDidChange((server) => this.#onDidChange.fire(server)));
      this.#loaded = loaded;
      return loaded;
    });
  }

  check(use: ServerUse): Promise<void> | undefined {
    // Not loaded yet: the caller checks again after loading.
    return this.#loaded === undefined ? this.#load().then(() => {}) : this.#loaded.pins.check(use);
  }

  /** See `DefinitionPins.changesIn`. */
  async changesIn(server: PinnedServer, contents: Contents): Promise<readonly ChangedDefinition[]> {
    return (await this.#load()).pins.changesIn(server, contents);
  }

  /** See `DefinitionPins.reset`. */
  async reset(): Promise<void> {
    await (await this.#load()).pins.reset();
  }

  /** *Show Definition Changes*: opens the earlier and the current definition side by side. */
  async showChanges(argument: unknown, marks: FollowDefinitionsOptions['marks']): Promise<void> {
    const changed = await (await code()).chooseChange(argument, marks);
    if (changed !== undefined) await (await this.#load()).show(changed);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/**
 * Marks in the tree what is new or has changed, and registers the commands about it.
 * @param ready settles after the first reading of the configuration: no server runs before
 * @returns what to call when the person sees a list
 */
export function followMarks(
  options: FollowDefinitionsOptions & CommandContext & { readonly definitions: Definitions },
  ready: Promise<void>,
  store: DisposableStore,
): (server: string, kind: ContentKind) => void {
  const { definitions, marks } = options;
  const follow = memoizeAsync(async () => store.add(new (await code()).DefinitionFollower(options)));
  void ready.then(follow);
  store.add(
    registerCommand(options, CommandIds.showDefinitionChanges, (argument) => definitions.showChanges(argument, marks)),
  );
  store.add(
    registerCommand(options, CommandIds.markAllSeen, async (argument) =>
      (await follow()).markAllSeen(labelFromArgument(argument)),
    ),
  );
  return (server, kind) => void follow().then((follower) => follower.markViewed(server, kind));
}
