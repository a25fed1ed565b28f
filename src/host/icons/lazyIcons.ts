import { Emitter } from '../../base/event.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { ServerIcons, ServerIconsOptions } from './serverIcons.ts';

export interface LazyIcons extends ServerIcons {
  /** Resolves once all pictures that need no request are at hand. */
  readonly load: () => Promise<void>;
}

/** The pictures of servers and what they list. Their code is loaded with the first row that has one, which is then drawn again. */
export function createLazyIcons(options: ServerIconsOptions): LazyIcons {
  const didArrive = new Emitter<string>();
  const waiting = new Set<string>();
  let loaded: ServerIcons | undefined;
  const load = memoizeAsync(async () => {
    const { createServerIcons } = await import('./serverIcons.ts');
    loaded = createServerIcons(options);
    loaded.onDidArrive((server) => didArrive.fire(server));
    for (const server of waiting) didArrive.fire(server);
  });
  return {
    load,
    onDidArrive: didArrive.event,
    of(server, icons) {
      if (loaded !== undefined) return loaded.of(server, icons);
      if (!Array.isArray(icons)) return undefined;
      waiting.add(server);
      void load();
      return undefined;
    },
    dispose(): void {
      loaded?.dispose();
      didArrive.dispose();
    },
  };
}
