import type { Event as VSCodeEvent, TreeDataProvider } from 'vscode';
import type { ContentKind } from '../../client/server.ts';
import type { ServerRegistry } from '../serverRegistry.ts';
import type { ExpansionMemory } from './expansionMemory.ts';
import type { ItemMark, ItemMarks, ListMarks } from './itemMarks.ts';
import { isItemNode, type ServersNode } from './serverNodes.ts';
import type { ServerIcons } from './serverIcons.ts';
import { type Row, rowOf } from './serverRows.ts';
import type { ServersTree } from './serversTree.ts';
import { addCommand, createTreeItem } from './treeItems.ts';

export interface ServersProviderOptions {
  readonly tree: ServersTree;
  readonly registry: Pick<ServerRegistry, 'get'>;
  readonly problemCount: () => number;
  readonly expansion: Pick<ExpansionMemory, 'has' | 'add'>;
  readonly marks: ItemMarks;
  readonly icons: Pick<ServerIcons, 'of' | 'load'>;
  /** A list is drawn whole: somebody has it before their eyes. */
  readonly look: (server: string, contents: ContentKind) => void;
  readonly onDidChangeTreeData: VSCodeEvent<ServersNode | undefined>;
}

/** Feeds the tree to VS Code. All but the tooltips is at hand. */
export function createServersProvider(options: ServersProviderOptions): TreeDataProvider<ServersNode> {
  const { tree, registry, expansion, marks, onDidChangeTreeData } = options;
  function drawn(node: ServersNode): Row {
    const isFiltered = tree.filter.query !== '';
    return rowOf(node, {
      hostServer: node.kind === 'problems' ? undefined : registry.get(node.server),
      count: node.kind === 'group' ? tree.countIn(node) : 0,
      problemCount: options.problemCount(),
      isFiltered,
      lookAlike: isItemNode(node) ? tree.lookAlike(node) : undefined,
      isExpanded: isFiltered ? isWorthOpening(node, tree) : canOpen(node) && expansion.has(node),
      ...(isItemNode(node) && { mark: marks.of(node), image: () => options.icons.of(node.server, node.item.icons) }),
      ...(node.kind === 'group' && { marked: countsOf(marks.list(node)) }),
    });
  }
  return {
    onDidChangeTreeData,
    getChildren(node) {
      // VS Code asks only for rows that are open in a visible view. Its own event for a row that opens can get lost while the
      // tree is being refreshed.
      if (node !== undefined && tree.filter.query === '') expansion.add(node);
      if (node?.kind === 'group' && tree.filter.query === '') options.look(node.server, node.contents);
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
