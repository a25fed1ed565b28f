import { limits } from '../../base/limits.ts';
import { areDistinct, describeLookAlikes } from '../../base/lookAlike.ts';
import type { Contents } from '../../client/contents.ts';
import type { BaseMetadata } from '../../protocol/mcp/base.ts';
import { displayName, toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { ItemNode } from '../servers/serverNodes.ts';

interface Titles {
  /** True for nearly all lists: there is nothing to say of any item. */
  readonly isClear: boolean;
  readonly notes: ReadonlyMap<string, string>;
  /** Titles that stand over several names. */
  readonly shared: ReadonlySet<string>;
  /** Names that the list has more than once: a call sends the name alone. */
  readonly repeated: ReadonlySet<string>;
}

/** Finds names and titles within one list that look alike. Each list is examined once, and forgotten with it. */
export class LookAlikes {
  readonly #known = new WeakMap<object, Titles>();

  /** A few words on the item with this title; `undefined` for nearly all. */
  of({ kind, item }: ItemNode, list: Contents[keyof Contents]): string | undefined {
    // Longer lists are not shown whole, and no one compares their rows by eye.
    if (list.length > limits.shown.rows) return undefined;
    let titles = this.#known.get(list);
    if (titles === undefined) this.#known.set(list, (titles = readTitles(list)));
    if (titles.isClear) return undefined;
    const title = titleOf(item);
    const note = titles.notes.get(title);
    const isCalled = kind === 'tool' || kind === 'prompt';
    const notes = [
      isCalled && titles.shared.has(title) ? `named “${item.name}”` : undefined,
      isCalled && titles.repeated.has(item.name) ? 'one of several of this name' : undefined,
      note,
    ].filter((text) => text !== undefined);
    return notes.length === 0 ? undefined : notes.join(', ');
  }
}

const clear: Titles = { isClear: true, notes: new Map(), shared: new Set(), repeated: new Set() };

function readTitles(list: readonly BaseMetadata[]): Titles {
  if (new Set(list.map(({ name }) => name)).size === list.length && areDistinct(list.map(titleOf))) return clear;
  const names = new Map<string, string>();
  const shared = new Set<string>();
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const item of list) {
    const title = titleOf(item);
    if ((names.get(title) ?? item.name) !== item.name) shared.add(title);
    names.set(title, item.name);
    if (seen.has(item.name)) repeated.add(item.name);
    seen.add(item.name);
  }
  const notes = describeLookAlikes([...names.keys()]);
  return { isClear: notes.size + shared.size + repeated.size === 0, notes, shared, repeated };
}

function titleOf(item: BaseMetadata): string {
  return 'inputSchema' in item ? toolDisplayName(item as Parameters<typeof toolDisplayName>[0]) : displayName(item);
}
