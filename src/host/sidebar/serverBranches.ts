import type { ContentKind, Contents } from '../../client/contents.ts';
import type { BaseMetadata } from '../../protocol/mcp/base.ts';
import type { GroupNode, ItemNode, ServerNode } from '../servers/serverNodes.ts';

/** Remembers the nodes handed out: VS Code knows a row by its object. */
export interface ServerBranches {
  server(label: string): ServerNode;
  group(label: string, contents: ContentKind): GroupNode;
  /** Yields the same nodes for the same list. */
  items(group: GroupNode, contents: Contents, filter: ContentFilter): readonly ItemNode[];
  /** True for a node of an item that was handed out, and is still of the list. */
  has(node: unknown): boolean;
  /** Forgets every server that is not in `labels`. */
  keepOnly(labels: ReadonlySet<string>): void;
}

interface Branch {
  readonly server: ServerNode;
  readonly groups: Map<ContentKind, GroupNode>;
  readonly items: Map<ContentKind, { readonly list: readonly unknown[]; readonly nodes: readonly ItemNode[] }>;
}

export function createServerBranches(): ServerBranches {
  const branches = new Map<string, Branch>();

  function branch(label: string): Branch {
    let found = branches.get(label);
    if (found === undefined) {
      found = { server: { kind: 'server', server: label }, groups: new Map(), items: new Map() };
      branches.set(label, found);
    }
    return found;
  }

  return {
    server: (label) => branch(label).server,
    group(label, contents) {
      const { groups } = branch(label);
      const group = groups.get(contents) ?? { kind: 'group', server: label, contents };
      groups.set(contents, group);
      return group;
    },
    items(group, contents, filter) {
      const { items } = branch(group.server);
      const list: readonly unknown[] = filter.apply<Searchable>(contents[group.contents]);
      const known = items.get(group.contents);
      if (known?.list === list) return known.nodes;
      const nodes = createItems(group, contents, filter);
      items.set(group.contents, { list, nodes });
      return nodes;
    },
    has: (node) =>
      [...branches.values()].some(({ items }) =>
        [...items.values()].some(({ nodes }) => nodes.includes(node as ItemNode)),
      ),
    keepOnly(labels) {
      for (const label of branches.keys()) if (!labels.has(label)) branches.delete(label);
    },
  };
}

function createItems(group: GroupNode, contents: Contents, filter: ContentFilter): readonly ItemNode[] {
  const { server } = group;
  const occurrenceOf = createOccurrenceCounter();
  switch (group.contents) {
    case 'tools':
      return filter
        .apply(contents.tools)
        .map((item) => ({ kind: 'tool', server, tool: item.name, item, occurrence: occurrenceOf(item.name) }));
    case 'resources':
      return filter
        .apply(contents.resources)
        .map((item) => ({ kind: 'resource', server, uri: item.uri, item, occurrence: occurrenceOf(item.uri) }));
    case 'resourceTemplates':
      return filter.apply(contents.resourceTemplates).map((item) => {
        const { uriTemplate } = item;
        return { kind: 'template', server, uriTemplate, item, occurrence: occurrenceOf(uriTemplate) };
      });
    case 'prompts':
      return filter
        .apply(contents.prompts)
        .map((item) => ({ kind: 'prompt', server, prompt: item.name, item, occurrence: occurrenceOf(item.name) }));
    case 'skills':
      return filter
        .apply(contents.skills)
        .map((item) => ({ kind: 'skill', server, skill: item.uri, item, occurrence: occurrenceOf(item.uri) }));
  }
}

/** Counts from 0 for each key: a server may list one name twice, a tree may not. */
function createOccurrenceCounter(): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count;
  };
}

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
