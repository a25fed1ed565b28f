import {
  type Disposable,
  type Event as VSCodeEvent,
  type FileDecoration,
  ThemeColor,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
} from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { ContentKind } from '../../client/contents.ts';
import type { ItemMark, ItemMarks, ListMarks } from '../definitions/itemMarks.ts';
import type { ServerIcons } from '../icons/serverIcons.ts';
import { toThemeIcon } from '../platform/themeIcon.ts';
import { byPerson } from '../platform/personArguments.ts';
import { isItemNode, type ServersNode } from '../servers/serverNodes.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { type Row, rowId, rowOf } from './serverRows.ts';
import type { ServersTree } from './serversTree.ts';

export interface ServersProviderOptions {
  readonly registry: Pick<ServerRegistry, 'get'>;
  readonly problemCount: () => number;
  readonly marks: ItemMarks;
  readonly icons: Pick<ServerIcons, 'of' | 'load'>;
  readonly clock: Clock;
  /** Called after a list was drawn whole, so that the person sees it. */
  readonly look: (server: string, contents: ContentKind) => void;
}

/** Until the rows have left: VS Code makes their message in the turn that asks for them, and sends it with a timer of its own. */
const lookDelayMs = 100;

/**
 * Feeds the tree to VS Code. All but the tooltips is at hand.
 * @param expansion the ids of the rows of the unfiltered tree that are open, for when they come back after a filter
 */
export function createServersProvider(
  options: ServersProviderOptions,
  tree: ServersTree,
  expansion: Set<string>,
  onDidChangeTreeData: VSCodeEvent<ServersNode | ServersNode[] | undefined>,
): TreeDataProvider<ServersNode> {
  const { registry, marks } = options;
  function drawn(node: ServersNode): Row {
    const isFiltered = tree.filter.query !== '';
    const item = isItemNode(node) ? node : undefined;
    // No spreads: this is made for each row of a long list.
    return rowOf(node, {
      hostServer: node.kind === 'problems' ? undefined : registry.get(node.server),
      count: node.kind === 'group' ? tree.countIn(node) : 0,
      problemCount: options.problemCount(),
      isFiltered,
      lookAlike: item && tree.lookAlike(item),
      hasCalls: node.kind === 'tool' && tree.children(node).length > 0,
      isExpanded: isFiltered ? isWorthOpening(node, tree) : canOpen(node) && expansion.has(rowId(node, false)),
      mark: item && marks.of(item),
      image: item && (() => options.icons.of(item.server, item.item.icons)),
      marked: node.kind === 'group' ? countsOf(marks.list(node)) : undefined,
    });
  }
  return {
    onDidChangeTreeData,
    getChildren(node) {
      // VS Code asks only for rows that are open in a visible view. Its own event for a row that opens can get lost while the
      // tree is being refreshed.
      if (node !== undefined && tree.filter.query === '') expansion.add(rowId(node, false));
      if (node?.kind === 'group' && tree.filter.query === '')
        options.clock.after(lookDelayMs, () => options.look(node.server, node.contents), { isBackground: true });
      return [...(node === undefined ? tree.roots() : tree.children(node))];
    },
    getParent: (node) => tree.parent(node),
    getTreeItem: (node) => createTreeItem(drawn(node), node),
    async resolveTreeItem(item, node) {
      addCommand(item, drawn(node), node);
      // A hover is made once: its picture has to be there by then.
      const [{ tooltipOf }] = await Promise.all([import('./tooltips.ts'), options.icons.load()]);
      item.tooltip = tooltipOf(node, registry, marks, options.icons);
      return item;
    },
  };
}

function canOpen(node: ServersNode): boolean {
  return node.kind === 'server' || node.kind === 'group';
}

/** A filtered tree opens by itself, but for groups that are still too long to look through. */
function isWorthOpening(node: ServersNode, tree: ServersTree): boolean {
  return node.kind === 'server' || (node.kind === 'group' && tree.countIn(node) <= 100);
}

function countsOf({ changed, fresh }: ListMarks): Readonly<Record<ItemMark, number>> {
  return { changed: changed.size, new: fresh.size };
}

const collapsibleStates = {
  none: TreeItemCollapsibleState.None,
  collapsed: TreeItemCollapsibleState.Collapsed,
  expanded: TreeItemCollapsibleState.Expanded,
} as const satisfies Record<Row['children'], TreeItemCollapsibleState>;

/**
 * Makes what VS Code draws for a row. The tooltip, and the command of a row that does not open, are left for
 * `resolveTreeItem`: 10,000 commands to make and send were a quarter of the time in which as long a list appears.
 */
function createTreeItem(row: Row, node: ServersNode): TreeItem {
  const item = new TreeItem(row.label, collapsibleStates[row.children]);
  // Menus and clicks pass the row.
  byPerson(node);
  item.id = row.id;
  item.contextValue = row.contextValue;
  item.iconPath = iconOf(row);
  if (row.spoken !== undefined) item.accessibilityInformation = { label: row.spoken };
  if (row.description !== undefined && row.description !== '') item.description = row.description;
  if (row.isDimmed) item.resourceUri = rememberedUri;
  // With its command at hand, VS Code keeps a click on such a row from opening it.
  if (row.children !== 'none') addCommand(item, row, node);
  return item;
}

function addCommand(item: TreeItem, { command }: Row, node: ServersNode): void {
  if (command !== undefined) item.command = { command, title: '', arguments: [node] };
}

function iconOf({ icon, image }: Row): TreeItem['iconPath'] & {} {
  if (image !== undefined) return { light: Uri.parse(image.light, true), dark: Uri.parse(image.dark, true) };
  return toThemeIcon(icon);
}

const scheme = 'patchbay-remembered';

/** The resource of every row that shows what was seen last time; it stands for nothing else. */
const rememberedUri = Uri.from({ scheme, path: '/contents' });

/** Draws rows with {@link rememberedUri} in the colour of disabled text. */
export function registerRememberedDecorations(): Disposable {
  const decoration: FileDecoration = { color: new ThemeColor('disabledForeground') };
  return window.registerFileDecorationProvider({
    provideFileDecoration: (uri) => (uri.scheme === scheme ? decoration : undefined),
  });
}
