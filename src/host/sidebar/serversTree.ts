import { limits } from '../../base/limits.ts';
import { areDistinct, describeLookAlikes } from '../../base/lookAlike.ts';
import { getOrMake } from '../../base/memoize.ts';
import { formatCount } from '../../base/truncate.ts';
import type { ContentKind, Contents } from '../../client/contents.ts';
import type { BaseMetadata } from '../../protocol/mcp/base.ts';
import { displayName, toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { SavedCallRows } from '../calls/savedCallRows.ts';
import { CommandIds } from '../commandIds.ts';
import { countOf } from '../platform/displayText.ts';
import {
  contentKindOf,
  createItemNodes,
  isItemNode,
  type ItemNode,
  type ListedItem,
  type NodeOf,
  type ProblemPlace,
  type ServersNode,
} from '../servers/serverNodes.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { contentKinds, shownList } from '../servers/serverStatus.ts';
import { groupNotes, notedLists, notesOf } from './serverNotes.ts';

/** What the tree is computed from. All of it is read again each time children are asked for. */
interface ServersTreeInput {
  readonly registry: Pick<ServerRegistry, 'servers' | 'get'>;
  readonly problemCount: (place: ProblemPlace) => number;
  /** False in Restricted Mode, for a server the workspace configures. */
  readonly canStart: (server: HostServer) => boolean;
  /** The calls of a tool that were saved. Asked for tools that are drawn, and not before. */
  readonly savedCalls?: Pick<SavedCallRows, 'of'>;
}

interface Branch {
  readonly server: NodeOf<'server'>;
  readonly groups: ReadonlyMap<ContentKind, NodeOf<'group'>>;
  readonly items: Map<ContentKind, { readonly list: readonly unknown[]; readonly nodes: readonly ItemNode[] }>;
}

/** What is where in the servers view. The same server or group is the same object each time, so that it can be refreshed. */
export class ServersTree {
  readonly #input: ServersTreeInput;
  /** The nodes handed out, by label: VS Code knows a row by its object. */
  readonly #branches = new Map<string, Branch>();
  readonly #problems = (['files', 'settings'] as const).map((place) => ({ kind: 'problems', place }) as const);
  /** By list, which is examined once. */
  readonly #lookAlikes = new WeakMap<object, ReadonlyMap<object, string>>();
  #filter = createContentFilter('');

  constructor(input: ServersTreeInput) {
    this.#input = input;
  }

  /** What the tree is narrowed to, trimmed; empty when everything passes. */
  get query(): string {
    return this.#filter.query;
  }

  setFilter(query: string): void {
    this.#filter = createContentFilter(query);
  }

  roots(): readonly ServersNode[] {
    const { registry, problemCount } = this.#input;
    for (const label of this.#branches.keys()) if (registry.get(label) === undefined) this.#branches.delete(label);
    const servers = registry.servers.map(({ label }) => this.#branchOf(label).server);
    if (this.#filter.query !== '') return servers.filter(({ server }) => this.#groupsOf(server).length > 0);
    return [...this.#problems.filter(({ place }) => problemCount(place) > 0), ...servers];
  }

  children(node: ServersNode): readonly ServersNode[] {
    if (node.kind === 'skill') return filesOf(node);
    if (node.kind === 'tool') return callsOf(node, this.#input);
    if (node.kind !== 'server' && node.kind !== 'group' && node.kind !== 'tasks') return [];
    const hostServer = this.#input.registry.get(node.server);
    if (hostServer === undefined) return [];
    if (node.kind === 'tasks') return tasksOf(hostServer);
    const isFiltered = this.#filter.query !== '';
    if (node.kind === 'group') {
      const items = withinBounds(node, this.#itemsOf(node, hostServer));
      const notes = isFiltered ? [] : groupNotes(hostServer, node.contents, items.length);
      return notes.length === 0 ? items : [...notes, ...items];
    }
    const groups = this.#groupsOf(node.server);
    if (isFiltered) return groups;
    const tasks: readonly ServersNode[] = hostServer.server.tasks.length > 0 ? [tasksNode(node.server)] : [];
    return [...notesOf(hostServer, this.#input.canStart(hostServer)), ...tasks, ...groups];
  }

  parent(node: ServersNode): ServersNode | undefined {
    if (node.kind === 'problems' || node.kind === 'server') return undefined;
    if (node.kind === 'skillFile' || node.kind === 'savedCall') return node.parent;
    if (node.kind === 'task') return tasksNode(node.server);
    if (node.kind === 'note' && node.group !== undefined) return this.#branchOf(node.server).groups.get(node.group);
    if (isItemNode(node)) return this.#branchOf(node.server).groups.get(contentKindOf(node));
    return this.#branchOf(node.server).server;
  }

  serverNode(label: string): NodeOf<'server'> | undefined {
    return this.#input.registry.get(label) === undefined ? undefined : this.#branchOf(label).server;
  }

  countIn({ server, contents }: NodeOf<'group'>): number {
    const found = this.#input.registry.get(server);
    return found === undefined ? 0 : this.#filter.apply(shownList(found.server, contents)).length;
  }

  countAll(): number {
    const groups = this.#input.registry.servers.flatMap(({ label }) => this.#groupsOf(label));
    return groups.reduce((sum, group) => sum + this.countIn(group), 0);
  }

  /** Where a filtered row has what is searched for, as VS Code marks it: from and to. */
  highlights(text: string): readonly [number, number][] {
    return this.#filter.highlights(text);
  }

  /** How an item could be taken for another of its list, in a few words; `undefined` for nearly all. */
  lookAlike(node: ItemNode): string | undefined {
    const found = this.#input.registry.get(node.server);
    const list = found && shownList(found.server, contentKindOf(node));
    // Longer lists are not shown whole, and no one compares their rows by eye.
    if (list === undefined || list.length > limits.shown.rows) return undefined;
    return getOrMake(this.#lookAlikes, list, () => lookAlikesIn(node.kind, list)).get(node.item);
  }

  #groupsOf(label: string): readonly NodeOf<'group'>[] {
    const noted = this.#filter.query === '' ? notedLists(this.#input.registry.get(label)) : [];
    return [...this.#branchOf(label).groups.values()].filter(
      (group) => this.countIn(group) > 0 || noted.includes(group.contents),
    );
  }

  #branchOf(label: string): Branch {
    return getOrMake(this.#branches, label, () => {
      const groups = contentKinds.map(({ kind }) => [kind, { kind: 'group', server: label, contents: kind }] as const);
      return { server: { kind: 'server', server: label }, groups: new Map(groups), items: new Map() };
    });
  }

  /** Yields the same nodes for the same list. */
  #itemsOf(group: NodeOf<'group'>, { server }: HostServer): readonly ItemNode[] {
    const { items } = this.#branchOf(group.server);
    const list = this.#filter.apply(shownList(server, group.contents));
    const known = items.get(group.contents);
    if (known?.list === list) return known.nodes;
    const nodes = createItemNodes(group, list);
    items.set(group.contents, { list, nodes });
    return nodes;
  }
}

/** As many rows as a tree can take, and where there are more, a way to them. */
function withinBounds({ server, contents }: NodeOf<'group'>, items: readonly ItemNode[]): readonly ServersNode[] {
  const left = items.length - limits.shown.rows;
  if (left <= 0) return items;
  const text = `… ${formatCount(left)} more. Filter to see them`;
  const command = CommandIds.filterServers;
  return [...items.slice(0, limits.shown.rows), { kind: 'note', server, note: 'more', group: contents, text, command }];
}

/** What a skill has beside its SKILL.md, which the row of the skill itself opens. */
function filesOf(parent: NodeOf<'skill'>): readonly NodeOf<'skillFile'>[] {
  const { server, skill, item } = parent;
  if (item.files === 'dynamic') return [];
  return item.files
    .slice(0, limits.shown.rows)
    .flatMap(({ uri, path }) => (uri === skill ? [] : { kind: 'skillFile', parent, server, skill, file: uri, path }));
}

function callsOf(parent: NodeOf<'tool'>, { savedCalls }: ServersTreeInput): readonly NodeOf<'savedCall'>[] {
  const { server, tool } = parent;
  return savedCalls?.of(server, tool).map(({ name }) => ({ kind: 'savedCall', parent, server, tool, name })) ?? [];
}

export function describeFilter(tree: ServersTree): string {
  return `Filtered by “${tree.query}”: ${countOf(tree.countAll(), 'match', 'matches')}`;
}

function tasksNode(server: string): NodeOf<'tasks'> {
  return { kind: 'tasks', server };
}

/** The newest first. */
function tasksOf({ label, server }: HostServer): readonly NodeOf<'task'>[] {
  const titleOfTool = (name: string): string => {
    const tool = server.contents.tools.find((candidate) => candidate.name === name);
    return tool === undefined ? name : toolDisplayName(tool);
  };
  return server.tasks
    .map((item): NodeOf<'task'> => ({
      kind: 'task',
      server: label,
      task: item.id,
      item,
      title: titleOfTool(item.tool),
    }))
    .toReversed();
}

/** What there is to say of items whose names or titles look alike, or are equal: of none in nearly all lists. */
function lookAlikesIn(kind: ItemNode['kind'], list: Contents[ContentKind]): ReadonlyMap<object, string> {
  const names = list.map(({ name }) => name);
  const titles = list.map(titleOf);
  if (new Set(names).size === list.length && areDistinct(titles)) return new Map();
  const looks = describeLookAlikes([...new Set(titles)]);
  const isCalled = kind === 'tool' || kind === 'prompt';
  const namesOf = new Map(titles.map((title) => [title, new Set<string>()]));
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [index, name] of names.entries()) {
    namesOf.get(titles[index] ?? '')?.add(name);
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }
  return new Map(
    list.flatMap((item, index): readonly [object, string][] => {
      const title = titles[index] ?? '';
      const notes = [
        isCalled && (namesOf.get(title)?.size ?? 0) > 1 && `named “${item.name}”`,
        // A call sends the name alone.
        isCalled && repeated.has(item.name) && 'one of several with this name',
        looks.get(title),
      ].filter(Boolean);
      return notes.length === 0 ? [] : [[item, notes.join(', ')]];
    }),
  );
}

function titleOf(item: BaseMetadata): string {
  return 'inputSchema' in item ? toolDisplayName(item as Parameters<typeof toolDisplayName>[0]) : displayName(item);
}

/** Every word of `query` must occur in the name, title, description or URI, ignoring case. */
function createContentFilter(query: string) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const answers = new WeakMap<object, readonly ListedItem[]>();
  return {
    query: query.trim(),
    highlights: (text: string) => highlightsOf(text, words),
    /** Yields the same array for the same list: it is searched once. */
    apply(list: readonly ListedItem[]): readonly ListedItem[] {
      if (words.length === 0) return list;
      return getOrMake(answers, list, () => list.filter((item) => matches(item, words)));
    },
  };
}

function matches(item: ListedItem, words: readonly string[]): boolean {
  const text = [item.name, item.title, item.description, item.uri, item.uriTemplate].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

function highlightsOf(text: string, words: readonly string[]): readonly [number, number][] {
  const searched = text.toLowerCase();
  // Letters that grow in lower case move what follows.
  if (searched.length !== text.length) return [];
  const found = words.flatMap((word): readonly [number, number][] => {
    const start = searched.indexOf(word);
    return start < 0 ? [] : [[start, start + word.length]];
  });
  const sorted = found.toSorted(([first], [second]) => first - second);
  return sorted.filter(([start], index) => start >= (sorted[index - 1]?.[1] ?? 0));
}
