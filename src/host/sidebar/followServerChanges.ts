import { workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { SavedCallRows } from '../calls/savedCallRows.ts';
import type { ItemMarks } from '../definitions/itemMarks.ts';
import type { ServerIcons } from '../icons/serverIcons.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { contentKinds } from '../servers/serverStatus.ts';
import type { DrawnServers } from './drawnServers.ts';
import type { ServersTree } from './serversTree.ts';

interface Changing {
  readonly registry: ServerRegistry;
  readonly marks: ItemMarks;
  readonly icons: ServerIcons;
  readonly savedCalls: SavedCallRows;
  readonly clock: Clock;
  readonly drawnServers: DrawnServers;
}

/**
 * Calls `refresh` with the labels of what changed, `undefined` for the whole tree. VS Code shows the first event of a turn at once,
 * and holds back those that follow: all that changes in one turn is one event.
 */
export function followServerChanges(
  { registry, marks, icons, savedCalls, clock, drawnServers }: Changing,
  tree: ServersTree,
  refresh: (labels: readonly (string | undefined)[]) => void,
): Disposable {
  const store = new DisposableStore();
  const interval = (label: string | undefined): number =>
    refreshInterval(label === undefined ? undefined : registry.get(label));
  const refreshes = store.add(new Coalescer<string | undefined>(clock, interval, refresh));
  const refreshAll = (): void => refreshes.request(undefined);
  const listing = new Map<string, Disposable>();

  function refreshServer(label: string): void {
    drawnServers.changed(label);
    const isListing = contentKinds.some(({ kind }) => registry.get(label)?.server.listState(kind).isLoading);
    if (isListing && listing.has(label)) return;
    listing.get(label)?.dispose();
    listing.delete(label);
    if (isListing)
      listing.set(
        label,
        clock.after(listingMs, () => endListing(label)),
      );
    else refreshes.request(label);
  }

  function endListing(label: string): void {
    listing.delete(label);
    refreshes.request(label);
  }

  store.add({ dispose: () => listing.forEach((timer) => timer.dispose()) });
  store.add(registry.onDidChangeServers(refreshAll));
  // In a filtered tree a change of contents may bring a server in or take it out.
  store.add(registry.onDidChangeAny(({ label }) => (tree.query === '' ? refreshServer(label) : refreshAll())));
  store.add(marks.onDidChange(refreshServer));
  store.add(icons.onDidArrive(refreshServer));
  store.add(savedCalls.onDidChange(refreshAll));
  store.add(workspace.onDidGrantWorkspaceTrust(refreshAll));
  return store;
}

/** Milliseconds that a server has to list what it offers: until then, its rows are drawn once, with all of it. */
const listingMs = 100;

/**
 * Milliseconds between two refreshes. VS Code holds back a refresh that comes within 200 ms of another, and then waits for
 * 200 ms without any: a shorter interval would show changes later, and none while they keep coming.
 */
const refreshIntervalMs = 250;

/** At most four refreshes a second; a server with 10,000 items, which cost more to draw, gets one. */
function refreshInterval(hostServer: HostServer | undefined): number {
  return Math.max(refreshIntervalMs, countItems(hostServer) / 10);
}

export function countItems(hostServer: HostServer | undefined): number {
  const contents = hostServer?.server.contents;
  return contents === undefined ? 0 : contentKinds.reduce((sum, { kind }) => sum + contents[kind].length, 0);
}
