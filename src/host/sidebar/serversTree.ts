import { limits } from '../../base/limits.ts';
import { formatCount } from '../../base/truncate.ts';
import { CommandIds } from '../commandIds.ts';
import { countOf } from '../platform/displayText.ts';
import type { ServerViewModel, ServerViewModels } from '../servers/serverViewModels.ts';
import { contentKinds, shownContents } from '../servers/serverStatus.ts';
import { type ContentFilter, createContentFilter, createServerBranches, type Searchable } from './serverBranches.ts';
import { createLookAlikes } from './lookAlikes.ts';
import {
  contentKindOf,
  type GroupNode,
  isItemNode,
  type ItemNode,
  type ServerNode,
  type ServersNode,
  type SkillFileNode,
  type SkillNode,
  type TaskNode,
  type TasksNode,
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
  /** True for the very row of an item: nobody but the view has it. */
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

export interface ServersTreeInput {
  readonly registry: Pick<ServerViewModels, 'servers' | 'get'>;
  /** Problems found in configuration files. */
  readonly problemCount: () => number;
  /** False in Restricted Mode, for a server the workspace configures. */
  readonly canStart: (server: ServerViewModel) => boolean;
}

export function createServersTree({ registry, problemCount, canStart }: ServersTreeInput): ServersTree {
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
      if (node.kind !== 'server' && node.kind !== 'group' && node.kind !== 'tasks') return [];
      const hostServer = registry.get(node.server);
      if (hostServer === undefined) return [];
      if (node.kind === 'tasks') return tasksOf(hostServer);
      if (node.kind === 'group') {
        const items = withinBounds(node, branches.items(node, shownContents(hostServer.server), filter));
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
      if (node.kind === 'skillFile') return node.parent;
      if (node.kind === 'task') return tasksNode(node.server);
      if (node.kind === 'note' && node.group !== undefined) return branches.group(node.server, node.group);
      return isItemNode(node) ? branches.group(node.server, contentKindOf(node)) : branches.server(node.server);
    },
    serverNode: (label) => (registry.get(label) === undefined ? undefined : branches.server(label)),
    lookAlike(node) {
      const found = registry.get(node.server);
      return found && lookAlikes.of(node, shownContents(found.server)[contentKindOf(node)]);
    },
    isRow: (node) => branches.has(node),
    countIn,
    countAll: () =>
      registry.servers.flatMap(({ label }) => groupsOf(label)).reduce((sum, group) => sum + countIn(group), 0),
  };
}

function countShown(
  found: ServerViewModel | undefined,
  contents: GroupNode['contents'],
  filter: ContentFilter,
): number {
  return found === undefined ? 0 : filter.apply<Searchable>(shownContents(found.server)[contents]).length;
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

/** The line above a filtered tree. */
export function describeFilter(tree: ServersTree): string {
  return `Filtered by “${tree.filter.query}”: ${countOf(tree.countAll(), 'match', 'matches')}`;
}

function tasksNode(server: string): TasksNode {
  return { kind: 'tasks', server };
}

/** The newest first. */
function tasksOf({ label, server }: ServerViewModel): readonly TaskNode[] {
  const titleOf = (name: string): string => {
    const tool = server.contents.tools.find((candidate) => candidate.name === name);
    return tool === undefined ? name : toolDisplayName(tool);
  };
  return server.tasks
    .map((item): TaskNode => ({ kind: 'task', server: label, task: item.id, item, title: titleOf(item.tool) }))
    .toReversed();
}
