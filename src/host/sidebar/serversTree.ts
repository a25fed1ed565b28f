import { limits } from '../../base/limits.ts';
import { formatCount } from '../../base/truncate.ts';
import type { ContentKind } from '../../client/contents.ts';
import type { BaseMetadata } from '../../protocol/mcp/base.ts';
import { CommandIds } from '../commandIds.ts';
import { countOf } from '../platform/displayText.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { contentKinds, shownList } from '../servers/serverStatus.ts';
import { createLookAlikes } from './lookAlikes.ts';
import {
  contentKindOf,
  type GroupNode,
  isItemNode,
  type ItemNode,
  type SavedCallNode,
  type ServerNode,
  type ServersNode,
  type SkillFileNode,
  type SkillNode,
  type TaskNode,
  type TasksNode,
  type ToolNode,
} from '../servers/serverNodes.ts';
import { groupNotes, notedLists, notesOf } from './serverNotes.ts';
import { toolDisplayName } from '../../protocol/mcp/displayName.ts';

/** What is where in the servers view. The same server or group is the same object each time, so that it can be refreshed. */
export interface ServersTree {
  roots(): readonly ServersNode[];
  children(node: ServersNode): readonly ServersNode[];
  parent(node: ServersNode): ServersNode | undefined;
  /** The row of a configured server. */
  serverNode(label: string): ServerNode | undefined;
  /** True for the row object of an item itself: only the view has it. */
  isRow(node: unknown): boolean;
  /** How many items of a group pass the filter. */
  countIn(group: GroupNode): number;
  /** How many items of all servers pass the filter. */
  countAll(): number;
  /** How an item could be taken for another of its list, in a few words; `undefined` for nearly all. */
  lookAlike(node: ItemNode): string | undefined;
  readonly filter: ContentFilter;
  setFilter(query: string): void;
}

/** What the tree is computed from. All of it is read again each time children are asked for. */
export interface ServersTreeInput {
  readonly registry: Pick<ServerRegistry, 'servers' | 'get'>;
  /** Problems found in configuration files. */
  readonly problemCount: () => number;
  /** False in Restricted Mode, for a server the workspace configures. */
  readonly canStart: (server: HostServer) => boolean;
  /** The calls of a tool that were saved. Asked for tools that are drawn, and not before. */
  readonly savedCalls?: (server: string, tool: string) => readonly { readonly name: string }[];
}

/** The tree of the servers view without VS Code: children and parents of nodes, and the filter. */
export function createServersTree(input: ServersTreeInput): ServersTree {
  const { registry, problemCount, canStart } = input;
  const branches = createServerBranches();
  const problems: ServersNode = { kind: 'problems' };
  const lookAlikes = createLookAlikes();
  let filter = createContentFilter('');

  const countIn = ({ server, contents }: GroupNode): number => countShown(registry.get(server), contents, filter);

  function groupsOf(label: string): readonly GroupNode[] {
    const noted = filter.query === '' ? notedLists(registry.get(label)) : [];
    const groups = contentKinds.map(({ kind }) => branches.group(label, kind));
    return groups.filter((group) => countIn(group) > 0 || noted.includes(group.contents));
  }

  return {
    get filter() {
      return filter;
    },
    setFilter(query) {
      filter = createContentFilter(query);
    },
    roots() {
      branches.keepOnly(new Set(registry.servers.map(({ label }) => label)));
      const servers = registry.servers.map(({ label }) => branches.server(label));
      if (filter.query !== '') return servers.filter(({ server }) => groupsOf(server).length > 0);
      return problemCount() > 0 ? [problems, ...servers] : servers;
    },
    children(node) {
      if (node.kind === 'skill') return filesOf(node);
      if (node.kind === 'tool') return callsOf(node, input);
      if (node.kind !== 'server' && node.kind !== 'group' && node.kind !== 'tasks') return [];
      const hostServer = registry.get(node.server);
      if (hostServer === undefined) return [];
      if (node.kind === 'tasks') return tasksOf(hostServer);
      if (node.kind === 'group') {
        const items = withinBounds(node, branches.items(node, hostServer.server, filter));
        const notes = filter.query === '' ? groupNotes(hostServer, node.contents, items.length) : [];
        return notes.length === 0 ? items : [...notes, ...items];
      }
      const groups = groupsOf(node.server);
      if (filter.query !== '') return groups;
      const tasks: readonly ServersNode[] = hostServer.server.tasks.length > 0 ? [tasksNode(node.server)] : [];
      return [...notesOf(hostServer, canStart(hostServer)), ...tasks, ...groups];
    },
    parent(node) {
      if (node.kind === 'problems' || node.kind === 'server') return undefined;
      if (node.kind === 'skillFile' || node.kind === 'savedCall') return node.parent;
      if (node.kind === 'task') return tasksNode(node.server);
      if (node.kind === 'note' && node.group !== undefined) return branches.group(node.server, node.group);
      return isItemNode(node) ? branches.group(node.server, contentKindOf(node)) : branches.server(node.server);
    },
    serverNode: (label) => (registry.get(label) === undefined ? undefined : branches.server(label)),
    lookAlike(node) {
      const found = registry.get(node.server);
      return found && lookAlikes.of(node, shownList(found.server, contentKindOf(node)));
    },
    isRow: (node) => branches.has(node),
    countIn,
    countAll: () =>
      registry.servers.flatMap(({ label }) => groupsOf(label)).reduce((sum, group) => sum + countIn(group), 0),
  };
}

function countShown(found: HostServer | undefined, contents: GroupNode['contents'], filter: ContentFilter): number {
  return found === undefined ? 0 : filter.apply<Searchable>(shownList(found.server, contents)).length;
}

/** As many rows as a tree can take, and where there are more, a way to them. */
function withinBounds({ server, contents }: GroupNode, items: readonly ItemNode[]): readonly ServersNode[] {
  const left = items.length - limits.shown.rows;
  if (left <= 0) return items;
  const text = `… ${formatCount(left)} more. Filter to see them`;
  const more = {
    kind: 'note',
    server,
    note: 'more',
    group: contents,
    text,
    command: CommandIds.filterServers,
  } as const;
  return [...items.slice(0, limits.shown.rows), more];
}

/** What a skill has beside its SKILL.md, which the row of the skill itself opens. */
function filesOf(parent: SkillNode): readonly SkillFileNode[] {
  const { server, skill, item } = parent;
  if (item.files === 'dynamic') return [];
  return item.files
    .slice(0, limits.shown.rows)
    .flatMap(({ uri, path }) => (uri === skill ? [] : { kind: 'skillFile', parent, server, skill, file: uri, path }));
}

function callsOf(parent: ToolNode, { savedCalls }: ServersTreeInput): readonly SavedCallNode[] {
  const { server, tool } = parent;
  return savedCalls?.(server, tool).map(({ name }) => ({ kind: 'savedCall', parent, server, tool, name })) ?? [];
}

/** The line above a filtered tree. */
export function describeFilter(tree: ServersTree): string {
  return `Filtered by “${tree.filter.query}”: ${countOf(tree.countAll(), 'match', 'matches')}`;
}

function tasksNode(server: string): TasksNode {
  return { kind: 'tasks', server };
}

/** The newest first. */
function tasksOf({ label, server }: HostServer): readonly TaskNode[] {
  const titleOf = (name: string): string => {
    const tool = server.contents.tools.find((candidate) => candidate.name === name);
    return tool === undefined ? name : toolDisplayName(tool);
  };
  return server.tasks
    .map((item): TaskNode => ({ kind: 'task', server: label, task: item.id, item, title: titleOf(item.tool) }))
    .toReversed();
}

/** A server with its lists. */
type ListingServer = Parameters<typeof shownList>[0];

/** Remembers the nodes handed out: VS Code knows a row by its object. */
interface ServerBranches {
  server(label: string): ServerNode;
  group(label: string, contents: ContentKind): GroupNode;
  /** Yields the same nodes for the same list. */
  items(group: GroupNode, server: ListingServer, filter: ContentFilter): readonly ItemNode[];
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

function createServerBranches(): ServerBranches {
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
    items(group, server, filter) {
      const { items } = branch(group.server);
      const list: readonly unknown[] = filter.apply<Searchable>(shownList(server, group.contents));
      const known = items.get(group.contents);
      if (known?.list === list) return known.nodes;
      const nodes = createItems(group, server, filter);
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

function createItems(group: GroupNode, listing: ListingServer, filter: ContentFilter): readonly ItemNode[] {
  const { server } = group;
  const occurrenceOf = createOccurrenceCounter();
  switch (group.contents) {
    case 'tools':
      return filter
        .apply(shownList(listing, 'tools'))
        .map((item) => ({ kind: 'tool', server, tool: item.name, item, occurrence: occurrenceOf(item.name) }));
    case 'resources':
      return filter
        .apply(shownList(listing, 'resources'))
        .map((item) => ({ kind: 'resource', server, uri: item.uri, item, occurrence: occurrenceOf(item.uri) }));
    case 'resourceTemplates':
      return filter.apply(shownList(listing, 'resourceTemplates')).map((item) => {
        const { uriTemplate } = item;
        return { kind: 'template', server, uriTemplate, item, occurrence: occurrenceOf(uriTemplate) };
      });
    case 'prompts':
      return filter
        .apply(shownList(listing, 'prompts'))
        .map((item) => ({ kind: 'prompt', server, prompt: item.name, item, occurrence: occurrenceOf(item.name) }));
    case 'skills':
      return filter
        .apply(shownList(listing, 'skills'))
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
interface Searchable extends BaseMetadata {
  readonly uri?: string;
  readonly uriTemplate?: string;
}

/** Narrows lists to what a person typed. */
interface ContentFilter {
  /** What was typed, trimmed; empty when everything passes. */
  readonly query: string;
  /** Yields the same array for the same list: it is searched once. */
  apply<Item extends Searchable>(list: readonly Item[]): readonly Item[];
}

/** Every word of `query` must occur in the name, title, description or URI, ignoring case. */
function createContentFilter(query: string): ContentFilter {
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
