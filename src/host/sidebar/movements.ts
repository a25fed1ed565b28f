import type { TreeView } from 'vscode';
import { delay } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { ServerActions } from '../servers/serverActions.ts';
import { isItemNode, type ItemNode, type ServersNode } from '../servers/serverNodes.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { itemTitle } from './serverRows.ts';
import type { ServersTree } from './serversTree.ts';

interface MovementsOptions {
  readonly view: TreeView<ServersNode>;
  readonly tree: ServersTree;
  readonly registry: Pick<ServerRegistry, 'get'>;
  readonly actions: Pick<ServerActions, 'start'>;
  readonly setFilter: (query: string) => void;
  readonly clock: Clock;
  /** Whether a group of the filtered tree is open by itself. */
  readonly startsOpen: (node: ServersNode) => boolean;
}

/** How often a row is looked for, and the milliseconds between two of these. */
const search = { times: 5, pauseMs: 100 };

/** What moves to a row of the servers view or opens one. Loaded with the first of these. */
export function createMovements({ view, tree, registry, actions, setFilter, clock, startsOpen }: MovementsOptions) {
  /** Opens a row where it is, if the view is shown. */
  async function unfold(node: ServersNode | undefined): Promise<void> {
    if (node === undefined) return;
    for (let left = search.times; view.visible && left > 0; left -= 1) {
      try {
        return await view.reveal(node, { select: false, focus: false, expand: true });
      } catch {
        // VS Code finds no row while the view is drawn again, as with each change of a server.
        await delay(clock, search.pauseMs);
      }
    }
  }

  /** Opens the first list of a server that runs. */
  async function unfoldList(label: string): Promise<void> {
    const node = registry.get(label)?.server.state.kind === 'running' ? tree.serverNode(label) : undefined;
    await unfold(node && tree.children(node).find(({ kind }) => kind === 'group'));
  }

  return {
    /** Selects what the filter has most likely found, or goes there. */
    async showMatch(how: 'select' | 'focus'): Promise<void> {
      const node = likelyMatch(tree);
      const group = node && tree.parent(node);
      if (node === undefined || group === undefined) return;
      // A long group stays closed while a person types.
      if (how === 'select' && !startsOpen(group)) return;
      try {
        await view.reveal(node, { select: true, focus: how === 'focus' });
      } catch {
        // More was typed meanwhile, and VS Code no longer knows the row.
      }
    },
    /** Starts a server for a person, and opens its row down to its first list. */
    async start(label: string): Promise<void> {
      await Promise.all([unfold(tree.serverNode(label)), actions.start(label)]);
      await unfoldList(label);
    },
    /** Shows the view with a server opened in it, as after its start. */
    async reveal(label: string): Promise<void> {
      const node = tree.serverNode(label);
      if (node === undefined) return;
      if (!tree.roots().includes(node)) setFilter('');
      await view.reveal(node, { focus: true, select: true, expand: true });
      await unfoldList(label);
    },
  };
}

/** An item with all that was typed in its title, else the first that passes the filter. */
function likelyMatch(tree: ServersTree): ItemNode | undefined {
  const query = tree.query.toLowerCase();
  let first: ItemNode | undefined;
  for (const server of query === '' ? [] : tree.roots()) {
    for (const group of tree.children(server)) {
      const items = tree.children(group).filter(isItemNode);
      const named = items.find((item) => itemTitle(item).toLowerCase().includes(query));
      if (named !== undefined) return named;
      first ??= items[0];
    }
  }
  return first;
}
