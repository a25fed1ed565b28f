import { workspace } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { limits } from '../../base/limits.ts';
import { fetchIcon } from './fetchIcon.ts';
import type { ServerIconsOptions } from './serverIcons.ts';

/** A `data:` URI of ours; `null` while it is fetched; `undefined` where it cannot be had. */
export type FetchedIcon = string | null | undefined;

/** Icons that servers have at https addresses of their own. Each is fetched once in a window, when a row first shows it. */
export interface FetchedIcons extends Disposable {
  of(server: string, src: string): FetchedIcon;
  /** The label of a server whose icon has arrived. */
  readonly onDidFetch: Event<string>;
}

export function createFetchedIcons({ registry, ...ports }: ServerIconsOptions): FetchedIcons {
  const fetched = new Emitter<string>();
  /** By server and origin, then by address. */
  const known = new Map<string, Map<string, FetchedIcon>>();
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;

  function next(): void {
    if (running >= limits.icon.atOnce) return;
    const task = waiting.shift();
    if (task === undefined) return;
    running += 1;
    void task().finally(() => {
      running -= 1;
      next();
    });
  }

  function of(server: string, src: string): FetchedIcon {
    const origin = registry.get(server)?.server.session?.origin;
    if (origin === undefined || !src.startsWith(`${origin}/`) || !origin.startsWith('https:')) return undefined;
    const key = `${server} ${origin}`;
    const icons = known.get(key) ?? new Map<string, FetchedIcon>();
    known.set(key, icons);
    if (icons.has(src)) return icons.get(src);
    if (icons.size >= limits.icon.ofServer || !workspace.getConfiguration('patchbay').get('icons.fetch', true))
      return undefined;
    icons.set(src, null);
    waiting.push(async () => {
      const icon = await fetchIcon(src, origin, ports);
      icons.set(src, icon);
      if (icon !== undefined) fetched.fire(server);
    });
    next();
    return null;
  }

  return {
    of,
    onDidFetch: fetched.event,
    dispose() {
      waiting.length = 0;
      fetched.dispose();
    },
  };
}
