import { commands, EventEmitter, type TreeView, window, workspace } from 'vscode';
import { Coalescer } from '../../base/coalescer.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { ContentKind, ListOwner } from '../../client/contents.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import { countOf } from '../platform/displayText.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { contentKinds, needsAttention } from '../servers/serverStatus.ts';
import {
  createServersProvider,
  registerRememberedDecorations,
  type ServersProviderOptions,
} from './serversProvider.ts';
import { rowId } from './serverRows.ts';
import type { ServersNode } from '../servers/serverNodes.ts';
import type { ServerIcons } from '../icons/serverIcons.ts';
import type { SavedCallRows } from '../calls/savedCallRows.ts';
import { ServersTree, describeFilter } from './serversTree.ts';

export const serversViewId = 'patchbay.servers';

export interface ServersViewOptions extends ServersProviderOptions {
  readonly registry: ServerRegistry;
  readonly actions: ServerActions;
  readonly icons: ServerIcons;
  readonly savedCalls: SavedCallRows;
  /** Settled when the configuration was read once: an empty view is then truly empty. */
  readonly ready: Promise<unknown>;
}

/** Registers the servers view. Refreshes are collected: one for each turn, at most one in each interval. */
export function createServersView(options: ServersViewOptions) {
  const { registry, problemCount, savedCalls } = options;
  const store = new DisposableStore();
  const expansion = new Set<string>();
  const callsOf = (server: string, tool: string) => savedCalls.of(server, tool);
  const tree = new ServersTree({ registry, problemCount, canStart, savedCalls: callsOf });
  const changes = store.add(new EventEmitter<ServersNode | ServersNode[] | undefined>());
  const treeDataProvider = createServersProvider(options, tree, expansion, changes.event);
  const view = store.add(window.createTreeView(serversViewId, { treeDataProvider, showCollapseAll: true }));
  store.add(registerRememberedDecorations());
  const summarize = (): void => showSummary(view, tree, registry);
  const refresh = (labels: readonly (string | undefined)[]): void => {
    const nodes = labels.flatMap((label) => (label === undefined ? [] : (tree.serverNode(label) ?? [])));
    changes.fire(nodes.length < labels.length ? undefined : nodes);
    summarize();
  };
  followChanges(options, tree, store, refresh);
  void showReady(options.ready, summarize);

  let revealed: string | undefined;
  store.add(view.onDidCollapseElement(({ element }) => expansion.delete(rowId(element, false))));
  store.add(
    view.onDidExpandElement(({ element }) => {
      expansion.add(rowId(element, false));
      // In a later turn, as the rows come first: to read a long list again takes longer than to show it.
      setImmediate(refreshStale, element, registry);
      // Only a person's own opening of a server starts it, not ours, and not the tree that a filter opened.
      if (element.kind !== 'server' || element.server === revealed || tree.filter.query !== '') return;
      const hostServer = registry.get(element.server);
      if (hostServer?.server.state.kind !== 'stopped' || !canStart(hostServer)) return;
      void options.actions.start(element.server);
    }),
  );

  function setFilter(query: string): void {
    if (query.trim() === tree.filter.query) return;
    tree.setFilter(query);
    setContext('patchbay.filtered', tree.filter.query !== '');
    // At once, as `reveal` has to come after it. VS Code itself waits until no more is typed.
    refresh([undefined]);
  }

  return {
    /** The row the keyboard is on. */
    get selection(): ServersNode | undefined {
      return view.selection[0];
    },
    /** What the tree is narrowed to, empty for nothing. */
    get filter(): string {
      return tree.filter.query;
    },
    setFilter,
    /** Shows the view with a server opened in it, without starting the server. */
    async reveal(label: string): Promise<void> {
      const node = tree.serverNode(label);
      if (node === undefined) return;
      if (!tree.roots().includes(node)) setFilter('');
      revealed = label;
      try {
        await view.reveal(node, { focus: true, select: true, expand: true });
      } finally {
        revealed = undefined;
      }
    },
    dispose: (): void => store.dispose(),
  };
}

export type ServersView = ReturnType<typeof createServersView>;

/**
 * Calls `refresh` with the labels of what changed, `undefined` for the whole tree. VS Code shows the first event of a turn at once,
 * and holds back those that follow: all that changes in one turn is one event.
 */
function followChanges(
  { registry, marks, icons, savedCalls, clock }: ServersViewOptions,
  tree: ServersTree,
  store: DisposableStore,
  refresh: (labels: readonly (string | undefined)[]) => void,
): void {
  const refreshes = store.add(
    new Coalescer<string | undefined>(
      clock,
      (label) => refreshInterval(label === undefined ? undefined : registry.get(label)),
      refresh,
    ),
  );
  const refreshAll = (): void => refreshes.request(undefined);
  store.add(registry.onDidChangeServers(refreshAll));
  // In a filtered tree a change of contents may bring a server in or take it out.
  store.add(registry.onDidChangeAny(({ label }) => refreshes.request(tree.filter.query === '' ? label : undefined)));
  store.add(marks.onDidChange((label) => refreshes.request(label)));
  store.add(icons.onDidArrive((label) => refreshes.request(label)));
  store.add(savedCalls.onDidChange(refreshAll));
  store.add(workspace.onDidGrantWorkspaceTrust(refreshAll));
}

async function showReady(ready: Promise<unknown>, summarize: () => void): Promise<void> {
  // Failing to read the configuration has its own message; the view is as complete as it gets either way.
  await Promise.allSettled([ready]);
  summarize();
  setContext('patchbay.ready', true);
}

/** Restricted Mode holds back what the workspace configures, not what the user did. */
function canStart({ configured }: HostServer): boolean {
  return workspace.isTrusted || configured.source.folder === undefined;
}

/**
 * Milliseconds between two refreshes. VS Code holds back a refresh that comes within 200 ms of another, and then waits for
 * 200 ms without any: a shorter interval would show changes later, and none while they keep coming.
 */
const refreshIntervalMs = 250;

/** At most four refreshes a second; a server with 10,000 items, which cost more to draw, gets one. */
function refreshInterval(hostServer: HostServer | undefined): number {
  if (hostServer === undefined) return refreshIntervalMs;
  const { contents } = hostServer.server;
  const items = contentKinds.reduce((sum, { kind }) => sum + contents[kind].length, 0);
  return Math.max(refreshIntervalMs, items / 10);
}

function showSummary(view: TreeView<ServersNode>, tree: ServersTree, registry: ServerRegistry): void {
  const waiting = registry.servers.filter(needsAttention).length;
  const tooltip = `${countOf(waiting, 'MCP server needs', 'MCP servers need')} attention`;
  view.badge = waiting === 0 ? undefined : { value: waiting, tooltip };
  const message = tree.filter.query === '' ? '' : describeFilter(tree);
  // Setting it again, even to the same text, holds back the next refresh by 200 ms.
  if ((view.message ?? '') !== message) view.message = message;
  setContext('patchbay.hasServers', registry.servers.length > 0);
}

function setContext(key: string, value: boolean): void {
  void commands.executeCommand('setContext', key, value);
}

/** A branch that opens shows what is there now. */
function refreshStale(node: ServersNode, registry: ServerRegistry): void {
  if (node.kind !== 'server' && node.kind !== 'group') return;
  const opened = node.kind === 'server' ? contentKinds.map(({ kind }) => kind) : [node.contents];
  for (const owner of new Set(opened.map(ownerOf))) registry.get(node.server)?.server.refreshStale(owner);
}

function ownerOf(contents: ContentKind): ListOwner {
  return contents === 'resourceTemplates' ? 'resources' : contents;
}
