import { limits } from '../../base/limits.ts';
import { formatCount } from '../../base/truncate.ts';
import type { ContentKind } from '../../client/contents.ts';
import type { BaseMetadata } from '../../protocol/mcp/base.ts';
import { CommandIds } from '../commandIds.ts';
import { countOf } from '../platform/displayText.ts';
import type { HostServer, ServerRegistry } from '../servers/serverRegistry.ts';
import { contentKinds, shownList } from '../servers/serverStatus.ts';
import { LookAlikes } from './lookAlikes.ts';
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

/** What is where in the servers view. The same server or group is the same object each time, so that it can be refreshed. */
export class ServersTree {
  readonly #input: ServersTreeInput;
  readonly #branches = new ServerBranches();
  readonly #problems: ServersNode = { kind: 'problems' };
  readonly #lookAlikes = new LookAlikes();
  #filter = new ContentFilter('');

  constructor(input: ServersTreeInput) {
    this.#input = input;
  }

  get filter(): ContentFilter {
    return this.#filter;
  }

  setFilter(query: string): void {
    this.#filter = new ContentFilter(query);
  }

  roots(): readonly ServersNode[] {
    const { registry, problemCount } = this.#input;
    this.#branches.keepOnly(new Set(registry.servers.map(({ label }) => label)));
    const servers = registry.servers.map(({ label }) => this.#branches.of(label).server);
    if (this.#filter.query !== '') return servers.filter(({ server }) => this.#groupsOf(server).length > 0);
    return problemCount() > 0 ? [this.#problems, ...servers] : servers;
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
      const items = withinBounds(node, this.#branches.items(node, hostServer.server, this.#filter));
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
    if (node.kind === 'note' && node.group !== undefined) return this.#branches.of(node.server).groups.get(node.group);
    if (isItemNode(node)) return this.#branches.of(node.server).groups.get(contentKindOf(node));
    return this.#branches.of(node.server).server;
  }

  /** The row of a configured server. */
  serverNode(label: string): ServerNode | undefined {
    return this.#input.registry.get(label) === undefined ? undefined : this.#branches.of(label).server;
  }

  /** How many items of a group pass the filter. */
  countIn({ server, contents }: GroupNode): number {
    const found = this.#input.registry.get(server);
    return found === undefined ? 0 : this.#filter.apply<Searchable>(shownList(found.server, contents)).length;
  }

  /** How many items of all servers pass the filter. */
  countAll(): number {
    const groups = this.#input.registry.servers.flatMap(({ label }) => this.#groupsOf(label));
    return groups.reduce((sum, group) => sum + this.countIn(group), 0);
  }

  /** How an item could be taken for another of its list, in a few words; `undefined` for nearly all. */
  lookAlike(node: ItemNode): string | undefined {
    const found = this.#input.registry.get(node.server);
    return found && this.#lookAlikes.of(node, shownList(found.server, contentKindOf(node)));
  }

  #groupsOf(label: string): readonly GroupNode[] {
    const noted = this.#filter.query === '' ? notedLists(this.#input.registry.get(label)) : [];
    return [...this.#branches.of(label).groups.values()].filter(
      (group) => this.countIn(group) > 0 || noted.includes(group.contents),
    );
  }
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

type ListingServer = Parameters<typeof shownList>[0];

interface Branch {
  readonly server: ServerNode;
  readonly groups: ReadonlyMap<ContentKind, GroupNode>;
  readonly items: Map<ContentKind, { readonly list: readonly unknown[]; readonly nodes: readonly ItemNode[] }>;
}

/** Remembers the nodes handed out: VS Code knows a row by its object. */
class ServerBranches {
  readonly #branches = new Map<string, Branch>();

  of(label: string): Branch {
    const known = this.#branches.get(label);
    if (known !== undefined) return known;
    const groups = contentKinds.map(({ kind }) => [kind, { kind: 'group', server: label, contents: kind }] as const);
    const made: Branch = { server: { kind: 'server', server: label }, groups: new Map(groups), items: new Map() };
    this.#branches.set(label, made);
    return made;
  }

  /** Yields the same nodes for the same list. */
  items(group: GroupNode, server: ListingServer, filter: ContentFilter): readonly ItemNode[] {
    const { items } = this.of(group.server);
    const list = filter.apply<Searchable>(shownList(server, group.contents));
    const known = items.get(group.contents);
    if (known?.list === list) return known.nodes;
    const nodes = createItems(group, list);
    items.set(group.contents, { list, nodes });
    return nodes;
  }

  /** Forgets every server that is not in `labels`. */
  keepOnly(labels: ReadonlySet<string>): void {
    for (const label of this.#branches.keys()) if (!labels.has(label)) this.#branches.delete(label);
  }
}

/** For each list what its rows are called, in which member they have their key, and where the listed item has it. */
const itemShapes = {
  tools: { kind: 'tool', member: 'tool', key: 'name' },
  resources: { kind: 'resource', member: 'uri', key: 'uri' },
  resourceTemplates: { kind: 'template', member: 'uriTemplate', key: 'uriTemplate' },
  prompts: { kind: 'prompt', member: 'prompt', key: 'name' },
  skills: { kind: 'skill', member: 'skill', key: 'uri' },
} as const satisfies Record<ContentKind, { kind: ItemNode['kind']; member: string; key: keyof Searchable }>;

function createItems({ server, contents }: GroupNode, list: readonly Searchable[]): readonly ItemNode[] {
  const { kind, member, key } = itemShapes[contents];
  const occurrenceOf = createOccurrenceCounter();
  return list.map((item) => {
    const name = item[key] ?? '';
    return { kind, server, [member]: name, item, occurrence: occurrenceOf(name) } as unknown as ItemNode;
  });
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

interface Searchable extends BaseMetadata {
  readonly uri?: string;
  readonly uriTemplate?: string;
}

/** Every word of `query` must occur in the name, title, description or URI, ignoring case. */
class ContentFilter {
  /** What was typed, trimmed; empty when everything passes. */
  readonly query: string;
  readonly #words: readonly string[];
  readonly #answers = new WeakMap<object, unknown>();

  constructor(query: string) {
    this.query = query.trim();
    this.#words = query.toLowerCase().split(/\s+/).filter(Boolean);
  }

  /** Yields the same array for the same list: it is searched once. */
  apply<Item extends Searchable>(list: readonly Item[]): readonly Item[] {
    if (this.#words.length === 0) return list;
    const known = this.#answers.get(list) as readonly Item[] | undefined;
    if (known !== undefined) return known;
    const matching = list.filter((item) => matches(item, this.#words));
    this.#answers.set(list, matching);
    return matching;
  }
}

function matches(item: Searchable, words: readonly string[]): boolean {
  const text = [item.name, item.title, item.description, item.uri, item.uriTemplate].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}
