import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { ChangedDefinition, PinnedServer } from '../../client/definitions/ports.ts';
import type { Contents } from '../../client/contents.ts';
import type { UseGuard } from '../../client/useDispatcher.ts';
import type { DefinitionHost, DefinitionHostOptions } from './definitionHost.ts';

/** The pins of used definitions, loaded when a server is first used or listed. */
export interface LazyDefinitions extends UseGuard, Disposable {
  /** See `DefinitionPins.onDidChange`. */
  readonly onDidChange: Event<PinnedServer>;
  /** See `DefinitionPins.changesIn`. */
  changesIn(server: PinnedServer, contents: Contents): Promise<readonly ChangedDefinition[]>;
  /** Opens the earlier and the current definition side by side. */
  showChange(changed: ChangedDefinition): Promise<void>;
  /** See `DefinitionPins.reset`. */
  reset(): Promise<void>;
}

/** Loads the pins with the first use or list. */
export function createLazyDefinitions(options: DefinitionHostOptions): LazyDefinitions {
  const store = new DisposableStore();
  const onDidChange = store.add(new Emitter<PinnedServer>());
  let loaded: DefinitionHost | undefined;
  const load = memoizeAsync(async () => {
    const { createDefinitionHost } = await import('./definitionHost.ts');
    loaded = store.add(createDefinitionHost(options));
    store.add(loaded.pins.onDidChange((server) => onDidChange.fire(server)));
    return loaded;
  });
  return {
    onDidChange: onDidChange.event,
    // Not loaded yet: the caller checks again after loading.
    check: (use) => (loaded === undefined ? load().then(() => {}) : loaded.pins.check(use)),
    changesIn: async (server, contents) => (await load()).pins.changesIn(server, contents),
    showChange: async (changed) => (await load()).documents.show(changed),
    reset: async () => (await load()).pins.reset(),
    dispose: () => store.dispose(),
  };
}
