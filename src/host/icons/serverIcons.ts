import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { HttpClient } from '../../base/httpClient.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { ItemImage } from './itemImage.ts';

/** The pictures of servers and what they list, as far as they are at hand. */
export interface ServerIcons extends Disposable {
  /** @param icons unchecked */
  of(server: string, icons: unknown): ItemImage | undefined;
  /** Resolves when pictures inside lists are at hand at once. */
  readonly load: () => Promise<void>;
  /** The label of a server of which a picture has arrived. */
  readonly onDidArrive: Event<string>;
}

/** The servers whose icons are loaded, and how. */
export interface ServerIconsOptions {
  readonly registry: Pick<ServerRegistry, 'get'>;
  readonly http: HttpClient;
  readonly clock: Clock;
}

/** Loads what makes pictures of icons with the first row that has an icon. */
export function createServerIcons(options: ServerIconsOptions): ServerIcons {
  const store = new DisposableStore();
  const arrived = store.add(new Emitter<string>());
  const waiting = new Set<string>();
  let read: ServerIcons['of'] | undefined;
  const load = memoizeAsync(async () => {
    const { createFetchedIcons, itemImage } = await import('./fetchedIcons.ts');
    const fetched = store.add(createFetchedIcons(options));
    fetched.onDidFetch((server) => arrived.fire(server));
    read = (server, icons) => itemImage(icons, (src) => fetched.of(server, src));
    for (const server of waiting) arrived.fire(server);
  });
  return {
    of(server, icons) {
      if (icons === undefined || read !== undefined) return read?.(server, icons);
      waiting.add(server);
      void load();
      return undefined;
    },
    load,
    onDidArrive: arrived.event,
    dispose: () => store.dispose(),
  };
}
