import {
  commands,
  type Event as VSCodeEvent,
  EventEmitter,
  ThemeColor,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeView,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { memoizeAsync } from '../../base/sharedPromise.ts';
import type { ContentKind } from '../../client/contents.ts';
import { isPersonal } from '../../config/configuredServer.ts';
import type { SavedCallRows } from '../calls/savedCallRows.ts';
import type { ItemMarks } from '../definitions/itemMarks.ts';
import type { LazyIcons } from '../icons/lazyIcons.ts';
import { countOf } from '../platform/displayText.ts';
import { followFocusedRow } from '../platform/focusedRow.ts';
import { byPerson } from '../platform/personArguments.ts';
import { toThemeIcon } from '../platform/themeIcon.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import { isItemNode, type ProblemPlace, type ServersNode } from '../servers/serverNodes.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { contentKinds, createSeenFailures, serversToWarnOf } from '../servers/serverStatus.ts';
import { createDrawnServers, type DrawnServers } from './drawnServers.ts';
import { countItems, followServerChanges } from './followServerChanges.ts';
import { type Row, rowId, rowOf } from './serverRows.ts';
import { describeFilter, ServersTree } from './serversTree.ts';
import { followSlowStarts } from './slowStarts.ts';

export const serversViewId = 'patchbay.servers';

interface ServersViewOptions {
  readonly registry: ServerRegistry;
  readonly actions: ServerActions;
  readonly problemCount: (place: ProblemPlace) => number;
  readonly marks: ItemMarks;
  readonly icons: LazyIcons;
  readonly savedCalls: SavedCallRows;
  readonly clock: Clock;
  /** Called after a list was drawn whole, so that the person sees it. */
  readonly look: (server: string, contents: ContentKind) => void;
  /** Settled when the configuration was read once: an empty view is then truly empty. */
  readonly ready: Promise<unknown>;
}

/** Registers the servers view. Refreshes are collected: one for each turn, at most one in each interval. */
export function createServersView(options: ServersViewOptions) {
  const { registry, problemCount, savedCalls } = options;
  const store = new DisposableStore();
  const expansion = new Set<string>();
  const tree = new ServersTree({ registry, problemCount, canStart, savedCalls });
  const changes = store.add(new EventEmitter<ServersNode | ServersNode[] | undefined>());
  const slowStarts = store.add(followSlowStarts(registry, options.clock, (label) => refresh([label])));
  const drawnServers = createDrawnServers();
  const shown = { ...options, drawnServers, startingFor: (label: string) => slowStarts.seconds(label) };
  const treeDataProvider = createServersProvider(shown, tree, expansion, changes.event);
  const view = store.add(window.createTreeView(serversViewId, { treeDataProvider, showCollapseAll: true }));
  store.add(greyRemembered());
  const isSeen = createSeenFailures(() => view.visible);
  const summarize = (): void => showSummary(view, tree, registry, serversToWarnOf(registry.servers, isSeen).length);
  const refresh = (labels: readonly (string | undefined)[]): void => {
    const nodes = labels.flatMap((label) => (label === undefined ? [] : (tree.serverNode(label) ?? [])));
    const outdated = nodes.filter((node) => !treeDataProvider.isCurrent(node));
    if (nodes.length < labels.length) changes.fire(undefined);
    else if (outdated.length > 0) changes.fire(outdated);
    summarize();
  };
  store.add(followServerChanges(shown, tree, refresh));
  store.add(view.onDidChangeVisibility(summarize));
  // Failing to read the configuration has its own message; the view is as complete as it gets either way.
  const isRead = Promise.allSettled([options.ready]);
  void isRead.then(summarize).then(() => setContext('patchbay.ready', true));

  store.add(view.onDidCollapseElement(({ element }) => expansion.delete(rowId(element, false))));
  store.add(
    view.onDidExpandElement(({ element }) => {
      expansion.add(rowId(element, false));
      // In a later turn, as the rows come first: to read a long list again takes longer than to show it.
      setImmediate(refreshStale, element, registry);
    }),
  );
  function setFilter(query: string): void {
    if (query.trim() === tree.query) return;
    tree.setFilter(query);
    setContext('patchbay.filtered', tree.query !== '');
    // At once, as `reveal` has to come after it. VS Code itself waits until no more is typed.
    refresh([undefined]);
  }

  const movements = memoizeAsync(async () => {
    const { createMovements } = await import('./movements.ts');
    const isOpen = (node: ServersNode): boolean => startsOpen(node, tree, expansion);
    const { actions, clock } = options;
    return createMovements({ view, tree, registry, actions, clock, setFilter, startsOpen: isOpen });
  });

  const focused = followFocusedRow(view, (node) => rowId(node, false));
  return {
    /** The row that a key of this view was pressed on. */
    focused,
    /** The command of a row. */
    commandOf: treeDataProvider.commandOf,
    /** What the tree is narrowed to, empty for nothing. */
    get filter(): string {
      return tree.query;
    },
    setFilter,
    /** The person has seen that the server failed. */
    isSeen,
    onDidChangeVisibility: view.onDidChangeVisibility,
    showMatch: async (how: 'select' | 'focus'): Promise<void> => (await movements()).showMatch(how),
    start: async (label: string): Promise<void> => (await movements()).start(label),
    reveal: async (label: string): Promise<void> => (await movements()).reveal(label),
    dispose: (): void => store.dispose(),
  };
}

export type ServersView = ReturnType<typeof createServersView>;

/** Rows of what a stopped server had are grey. */
function greyRemembered(): Disposable {
  const remembered = { color: new ThemeColor('disabledForeground') };
  const provideFileDecoration = ({ scheme }: Uri) => (scheme === rememberedUri.scheme ? remembered : undefined);
  return window.registerFileDecorationProvider({ provideFileDecoration });
}

/** Restricted Mode holds back what the workspace configures, not what the user did. */
function canStart({ configured }: HostServer): boolean {
  return workspace.isTrusted || isPersonal(configured.source);
}

/** The items of a server whose rows get their commands late. */
const longList = 500;

function showSummary(view: TreeView<ServersNode>, tree: ServersTree, registry: ServerRegistry, waiting: number): void {
  const tooltip = `${countOf(waiting, 'MCP server needs', 'MCP servers need')} attention`;
  view.badge = waiting === 0 ? undefined : { value: waiting, tooltip };
  const message = tree.query === '' ? '' : describeFilter(tree);
  // Setting it again, even to the same text, holds back the next refresh by 200 ms.
  if ((view.message ?? '') !== message) view.message = message;
  setContext('patchbay.hasServers', registry.servers.length > 0);
}

function setContext(key: string, value: boolean): void {
  void commands.executeCommand('setContext', key, value);
}

function refreshStale(node: ServersNode, registry: ServerRegistry): void {
  if (node.kind !== 'server' && node.kind !== 'group') return;
  const opened = node.kind === 'server' ? contentKinds.map(({ kind }) => kind) : [node.contents];
  const owners = opened.map((kind) => (kind === 'resourceTemplates' ? 'resources' : kind));
  for (const owner of new Set(owners)) registry.get(node.server)?.server.refreshStale(owner);
}

/** Until the rows have left: VS Code makes their message in the turn that asks for them, and sends it with a timer of its own. */
const lookDelayMs = 100;

/**
 * Feeds the tree to VS Code. All but the tooltips is at hand.
 * @param expansion the ids of the rows of the unfiltered tree that are open, for when they come back after a filter
 */
export function createServersProvider(
  options: Pick<ServersViewOptions, 'registry' | 'problemCount' | 'marks' | 'icons' | 'clock' | 'look'> & {
    readonly drawnServers: DrawnServers;
    readonly startingFor?: (label: string) => number | undefined;
  },
  tree: ServersTree,
  expansion: Set<string>,
  onDidChangeTreeData: VSCodeEvent<ServersNode | ServersNode[] | undefined>,
): TreeDataProvider<ServersNode> & {
  readonly commandOf: (node: ServersNode) => string | undefined;
  /** VS Code has drawn the server as it is now. */
  readonly isCurrent: (node: ServersNode & { readonly kind: 'server' }) => boolean;
} {
  const { registry, marks, drawnServers } = options;
  function drawn(node: ServersNode): Row {
    const isFiltered = tree.query !== '';
    const item = isItemNode(node) ? node : undefined;
    // No spreads: this is made for each row of a long list.
    return rowOf(node, {
      hostServer: node.kind === 'problems' ? undefined : registry.get(node.server),
      count: node.kind === 'group' ? tree.countIn(node) : 0,
      problemCount: node.kind === 'problems' ? options.problemCount(node.place) : 0,
      isFiltered,
      lookAlike: item && tree.lookAlike(item),
      hasCalls: node.kind === 'tool' && tree.children(node).length > 0,
      isExpanded: startsOpen(node, tree, expansion),
      startingFor: node.kind === 'server' ? options.startingFor?.(node.server) : undefined,
      mark: item && marks.of(item),
      image: item && (() => options.icons.of(item.server, item.item.icons)),
      marked: node.kind === 'group' ? marks.list(node) : undefined,
    });
  }
  return {
    onDidChangeTreeData,
    getChildren(node) {
      // VS Code asks only for rows that are open in a visible view. Its own event for a row that opens can get lost while the
      // tree is being refreshed.
      if (node !== undefined && tree.query === '') expansion.add(rowId(node, false));
      if (node?.kind === 'group' && tree.query === '')
        options.clock.after(lookDelayMs, () => options.look(node.server, node.contents), { isBackground: true });
      if (node?.kind === 'server') drawnServers.drewChildren(node.server);
      return [...(node === undefined ? tree.roots() : tree.children(node))];
    },
    getParent: (node) => tree.parent(node),
    commandOf: (node) => drawn(node).command,
    isCurrent: (node) => drawnServers.isCurrent(node.server, drawn(node)),
    getTreeItem: (node) => {
      const row = drawn(node);
      if (node.kind === 'server') drawnServers.drewRow(node.server, row);
      const item = createTreeItem(row, node, tree);
      if (!isItemNode(node) || countItems(registry.get(node.server)) <= longList) addCommand(item, row, node);
      return item;
    },
    async resolveTreeItem(item, node) {
      addCommand(item, drawn(node), node);
      // VS Code keeps the first tooltip that it gets for a row.
      const [{ tooltipOf }] = await Promise.all([import('./tooltips.ts'), options.icons.load()]);
      item.tooltip = tooltipOf(node, registry, marks, options.icons);
      return item;
    },
  };
}

function startsOpen(node: ServersNode, tree: ServersTree, expansion: ReadonlySet<string>): boolean {
  if (node.kind !== 'server' && node.kind !== 'group') return false;
  if (tree.query === '') return expansion.has(rowId(node, false));
  // A filtered tree opens by itself, but for groups that are still too long to look through.
  return node.kind === 'server' || tree.countIn(node) <= 100;
}

const collapsibleStates = {
  none: TreeItemCollapsibleState.None,
  collapsed: TreeItemCollapsibleState.Collapsed,
  expanded: TreeItemCollapsibleState.Expanded,
} as const satisfies Record<Row['children'], TreeItemCollapsibleState>;

/**
 * Makes what VS Code draws for a row. The tooltip, and the commands of long lists, are left for `resolveTreeItem`: 10,000 commands to
 * make and send were a quarter of the time in which as long a list appears. A click while VS Code draws the view again may find a
 * command missing that is made so late.
 */
function createTreeItem(row: Row, node: ServersNode, tree: ServersTree): TreeItem {
  const highlights = tree.query !== '' && isItemNode(node) ? tree.highlights(row.label) : [];
  const label = highlights.length === 0 ? row.label : { label: row.label, highlights: [...highlights] };
  const item = new TreeItem(label, collapsibleStates[row.children]);
  // Menus and clicks pass the row.
  byPerson(node);
  item.id = row.id;
  item.contextValue = row.contextValue;
  item.iconPath = iconOf(row);
  if (row.spoken !== undefined) item.accessibilityInformation = { label: row.spoken };
  if (row.description !== undefined && row.description !== '') item.description = row.description;
  if (row.isDimmed) item.resourceUri = rememberedUri;
  return item;
}

function addCommand(item: TreeItem, { command }: Row, node: ServersNode): void {
  if (command !== undefined) item.command = { command, title: '', arguments: [node] };
}

function iconOf({ icon, image }: Row): TreeItem['iconPath'] & {} {
  if (image !== undefined) return { light: Uri.parse(image.light, true), dark: Uri.parse(image.dark, true) };
  return toThemeIcon(icon);
}

/** The resource of every row that shows what was seen last time, to draw it in the colour of disabled text; it has no other use. */
const rememberedUri = Uri.from({ scheme: 'patchbay-remembered', path: '/contents' });
