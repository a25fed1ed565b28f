import type { Event as VSCodeEvent, TreeDataProvider, TreeItem } from 'vscode';
import type { ServerRegistry } from '../serverRegistry.ts';
import type { ExpansionMemory } from './expansionMemory.ts';
import { itemFacts, serverFacts } from './rowFacts.ts';
import { isItemNode, type ServersNode } from './serverNodes.ts';
import { itemTitle, type Row, rowOf } from './serverRows.ts';
import type { ServersTree } from './serversTree.ts';
import { taskFacts } from './taskText.ts';
import { addCommand, createTooltip, createTreeItem } from './treeItems.ts';

export interface ServersProviderOptions {
  readonly tree: ServersTree;
  readonly registry: Pick<ServerRegistry, 'get'>;
  readonly problemCount: () => number;
  readonly expansion: Pick<ExpansionMemory, 'has'>;
  readonly onDidChangeTreeData: VSCodeEvent<ServersNode | undefined>;
}

/** Feeds the tree to VS Code. Everything is at hand: nothing here waits. */
export function createServersProvider(options: ServersProviderOptions): TreeDataProvider<ServersNode> {
  const { tree, registry, expansion, onDidChangeTreeData } = options;
  function drawn(node: ServersNode): Row {
    const isFiltered = tree.filter.query !== '';
    return rowOf(node, {
      hostServer: node.kind === 'problems' ? undefined : registry.get(node.server),
      count: node.kind === 'group' ? tree.countIn(node) : 0,
      problemCount: options.problemCount(),
      isFiltered,
      isExpanded: isFiltered ? isWorthOpening(node, tree) : canOpen(node) && expansion.has(node),
    });
  }
  return {
    onDidChangeTreeData,
    getChildren: (node) => [...(node === undefined ? tree.roots() : tree.children(node))],
    getParent: (node) => tree.parent(node),
    getTreeItem: (node) => createTreeItem(drawn(node), node),
    resolveTreeItem(item, node) {
      addCommand(item, drawn(node), node);
      return withTooltip(item, node, registry);
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

function withTooltip(item: TreeItem, node: ServersNode, registry: Pick<ServerRegistry, 'get'>): TreeItem {
  if (node.kind === 'task') item.tooltip = createTooltip(node.title, taskFacts(node));
  else if (isItemNode(node)) item.tooltip = createTooltip(itemTitle(node), itemFacts(node));
  else if (node.kind === 'note') item.tooltip = node.detail ?? node.text;
  else if (node.kind === 'server') {
    const hostServer = registry.get(node.server);
    if (hostServer === undefined) return item;
    const { session, problems } = hostServer.server;
    item.tooltip = createTooltip(node.server, [
      ...serverFacts(hostServer),
      ...(session?.instructions === undefined ? [] : [{ name: 'Instructions', text: session.instructions }]),
      ...problems.slice(0, 5).map((text) => ({ name: 'Problem', text })),
    ]);
  }
  return item;
}
