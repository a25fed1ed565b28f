import type { BaseMetadata } from '../../protocol/mcp/base.ts';

/** Something a server lists, as far as it can be searched. */
export interface Searchable extends BaseMetadata {
  readonly uri?: string;
  readonly uriTemplate?: string;
}

/** Narrows lists to what a person typed. */
export interface ContentFilter {
  /** What was typed, trimmed; empty when everything passes. */
  readonly query: string;
  /** Yields the same array for the same list: it is searched once. */
  apply<Item extends Searchable>(list: readonly Item[]): readonly Item[];
}

/** Every word of `query` must occur in the name, title, description or URI, upper and lower case alike. */
export function createContentFilter(query: string): ContentFilter {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const answers = new WeakMap<object, unknown>();
  return {
    query: query.trim(),
    apply<Item extends Searchable>(list: readonly Item[]): readonly Item[] {
      if (words.length === 0) return list;
      const known = answers.get(list) as readonly Item[] | undefined;
      if (known !== undefined) return known;
      const matching = list.filter((item) => matches(item, words));
      answers.set(list, matching);
      return matching;
    },
  };
}

function matches(item: Searchable, words: readonly string[]): boolean {
  const text = [item.name, item.title, item.description, item.uri, item.uriTemplate].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}
