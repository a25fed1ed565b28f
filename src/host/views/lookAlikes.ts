import { limits } from '../../base/limits.ts';
import { describeLookAlikes } from '../../base/lookAlike.ts';
import type { Contents } from '../../client/server.ts';
import type { BaseMetadata } from '../../protocol/mcp/base.ts';
import { displayName, toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { ItemNode } from './serverNodes.ts';

/** How things a server offers could be taken for one another. */
export interface LookAlikes {
  /** A few words on the item with this title; `undefined` for nearly all. Looks through a list once. */
  of(node: ItemNode, list: Contents[keyof Contents]): string | undefined;
}

interface Titles {
  readonly notes: ReadonlyMap<string, string>;
  /** Titles that stand over several names. */
  readonly shared: ReadonlySet<string>;
}

export function createLookAlikes(): LookAlikes {
  const known = new WeakMap<object, Titles>();
  return {
    of({ kind, item }, list) {
      // Longer lists are not shown whole, and nobody tells their rows apart by eye.
      if (list.length > limits.shown.rows) return undefined;
      const titles = known.get(list) ?? readTitles(list);
      known.set(list, titles);
      const title = titleOf(item);
      const note = titles.notes.get(title);
      const isNamed = (kind === 'tool' || kind === 'prompt') && titles.shared.has(title);
      return isNamed ? [`named “${item.name}”`, note].filter((text) => text !== undefined).join(', ') : note;
    },
  };
}

function readTitles(list: readonly BaseMetadata[]): Titles {
  const names = new Map<string, string>();
  const shared = new Set<string>();
  for (const item of list) {
    const title = titleOf(item);
    if ((names.get(title) ?? item.name) !== item.name) shared.add(title);
    names.set(title, item.name);
  }
  return { notes: describeLookAlikes([...names.keys()]), shared };
}

function titleOf(item: BaseMetadata): string {
  return 'inputSchema' in item ? toolDisplayName(item as Parameters<typeof toolDisplayName>[0]) : displayName(item);
}
