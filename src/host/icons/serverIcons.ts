import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { HttpClient } from '../../base/httpClient.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { ItemImage } from './itemImage.ts';

export interface ServerIconsOptions {
  readonly registry: Pick<ServerRegistry, 'get'>;
  readonly http: HttpClient;
  readonly clock: Clock;
}

/** The pictures of servers and what they list. What makes them is loaded with the first row that has an icon. */
export class ServerIcons implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidArrive = this.#store.add(new Emitter<string>());
  readonly #waiting = new Set<string>();
  #read: ((server: string, icons: unknown) => ItemImage | undefined) | undefined;

  /** The label of a server of which a picture has arrived. */
  readonly onDidArrive = this.#onDidArrive.event;
  /** Resolves when pictures inside lists are at hand at once. */
  readonly load: () => Promise<void>;

  constructor(options: ServerIconsOptions) {
    this.load = memoizeAsync(async () => {
      const { FetchedIcons, itemImage } = await import('./fetchedIcons.ts');
      const fetched = this.#store.add(new FetchedIcons(options, (server) => this.#onDidArrive.fire(server)));
      this.#read = (server, icons) => itemImage(icons, (src) => fetched.of(server, src));
      for (const server of this.#waiting) this.#onDidArrive.fire(server);
    });
  }

  /** @param icons unchecked. @returns `undefined` while the picture is not at hand */
  of(server: string, icons: unknown): ItemImage | undefined {
    if (icons === undefined || this.#read !== undefined) return this.#read?.(server, icons);
    this.#waiting.add(server);
    void this.load();
    return undefined;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
