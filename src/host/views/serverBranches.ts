import type { ContentKind, Contents } from '../../client/server.ts';
import type { ContentFilter, Searchable } from './contentFilter.ts';
import type { GroupNode, ItemNode, ServerNode } from './serverNodes.ts';

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
