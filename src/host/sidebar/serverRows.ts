import { limits } from '../../base/limits.ts';
import { formatCount } from '../../base/truncate.ts';
import type { ContentKind } from '../../client/contents.ts';
import { hasTaskEnded } from '../../client/tasks/serverTask.ts';
import { isStdio } from '../../config/serverDefinition.ts';
import { type CommandId, CommandIds } from '../commandIds.ts';
import { countOf, singleLine } from '../platform/displayText.ts';
import type { IconId } from '../platform/themeIcon.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import {
  abilitiesOf,
  contentKinds,
  describeServer,
  runsWithoutSignIn,
  serverIcon,
  shownList,
  statusOf,
} from '../servers/serverStatus.ts';
import type { ItemImage } from '../icons/itemImage.ts';
import { fileIcon, groupIcon, itemIcon, noteIcon, tasksIcon } from './rowIcons.ts';
import type { ItemMark } from '../definitions/itemMarks.ts';
import {
  contentKindOf,
  type GroupNode,
  type ItemNode,
  itemKey,
  type NoteNode,
  type SavedCallNode,
  type ServersNode,
  type SkillFileNode,
  type TaskNode,
  type TasksNode,
} from '../servers/serverNodes.ts';
import { describeTask, taskIcon } from '../tasks/taskText.ts';
import { appUriOf, isForModels } from '../../protocol/mcp/apps.ts';
import { displayName, toolDisplayName } from '../../protocol/mcp/displayName.ts';

export interface Row {
  /** Unique in the view; VS Code keeps expansion and selection by it. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly icon: IconId;
  /** The server's own picture, in place of `icon`. */
  readonly image?: ItemImage;
  /** For the `viewItem` conditions of menus, for instance "server.running.stale". */
  readonly contextValue: string;
  readonly children: 'none' | 'collapsed' | 'expanded';
  /** Not from a running server: drawn in the colour of disabled text. */
  readonly isDimmed: boolean;
  /** What a click runs, the node as its argument. */
  readonly command?: CommandId | 'workbench.trust.manage' | 'workbench.actions.view.problems';
  /** What a screen reader says; label and description unless given. */
  readonly spoken?: string;
}

export interface RowContext {
  readonly hostServer: HostServer | undefined;
  /** Items in a group that pass the filter. */
  readonly count: number;
  readonly problemCount: number;
  readonly isFiltered: boolean;
  /** How an item could be taken for another. */
  readonly lookAlike?: string | undefined;
  /** Of a tool: whether calls of it were saved. */
  readonly hasCalls?: boolean;
  /** Whether a row that opens starts open. */
  readonly isExpanded: boolean;
  /** Of an item: the server's own picture. Asked for where a row has room for it. */
  readonly image?: (() => ItemImage | undefined) | undefined;
  /** Of an item. */
  readonly mark?: ItemMark | undefined;
  /** Of a group: how many of its items are marked in either way. */
  readonly marked?: Readonly<Record<ItemMark, number>> | undefined;
}

/** What the row of a node shows, independent of VS Code's classes. Texts are plain and truncated. */
export function rowOf(node: ServersNode, context: RowContext): Row {
  switch (node.kind) {
    case 'problems':
      return problemsRow(context);
    case 'server':
      return serverRow(node.server, context);
    case 'note':
      return noteRow(node);
    case 'tasks':
      return tasksRow(node, context);
    case 'task':
      return taskRow(node);
    case 'group':
      return groupRow(node, context);
    case 'tool':
    case 'resource':
    case 'template':
    case 'prompt':
    case 'skill':
      return itemRow(node, context);
    case 'savedCall':
    case 'skillFile':
      return partRow(node, context);
  }
}

/**
 * Every row carries its own and that of the row above it to the window, so it is short. Lengths keep apart what it is
 * made of, whichever names servers choose.
 * @param isFiltered rows of a filtered tree are rows of their own, so that each tree keeps what is open in it
 */
export function rowId(node: ServersNode, isFiltered: boolean): string {
  let id = isFiltered ? 'filtered' : '';
  for (const part of pathOf(node)) id += `${part.length}:${part}`;
  return id;
}

function pathOf(node: ServersNode): readonly string[] {
  switch (node.kind) {
    case 'problems':
      return [node.kind];
    case 'server':
      return [node.kind, node.server];
    case 'note':
      return [node.kind, node.server, node.note, ...(node.group === undefined ? [] : [node.group])];
    case 'tasks':
      return [node.kind, node.server];
    case 'task':
      return [node.kind, node.server, node.task];
    case 'group':
      return [node.kind, node.server, node.contents];
    case 'tool':
    case 'resource':
    case 'template':
    case 'prompt':
    case 'skill':
      return [node.kind, node.server, itemKey(node), String(node.occurrence)];
    case 'savedCall':
    case 'skillFile': {
      const { kind, server, parent } = node;
      return [kind, server, itemKey(parent), String(parent.occurrence), kind === 'skillFile' ? node.file : node.name];
    }
  }
}

function problemsRow({ problemCount }: RowContext): Row {
  const label = countOf(problemCount, 'configuration problem');
  return {
    id: rowId({ kind: 'problems' }, false),
    label,
    icon: { id: 'warning', color: 'problemsWarningIcon.foreground' },
    contextValue: 'problems',
    children: 'none',
    isDimmed: false,
    command: 'workbench.actions.view.problems',
    spoken: `${label}, show them in the Problems view`,
  };
}

function serverRow(label: string, context: RowContext): Row {
  const { hostServer, isFiltered } = context;
  const description = hostServer === undefined ? '' : describeServer(hostServer);
  return {
    id: rowId({ kind: 'server', server: label }, isFiltered),
    label: singleLine(label),
    description,
    icon: hostServer === undefined ? { id: 'circle-outline' } : serverIcon(hostServer),
    contextValue: hostServer === undefined ? 'server' : serverContext(hostServer),
    children: context.isExpanded ? 'expanded' : 'collapsed',
    isDimmed: false,
    // Others see the state of a running server in its icon alone.
    spoken: `Server ${singleLine(label)}, ${hostServer?.server.state.kind === 'running' ? 'running, ' : ''}${description}`,
  };
}

function serverContext(hostServer: HostServer): string {
  const { configured, server, isStale, isTraced, isAsking, isMuted, authorization } = hostServer;
  const flags = [
    isStale && 'stale',
    isTraced && 'traced',
    isAsking && 'asking',
    isMuted && 'muted',
    runsWithoutSignIn(hostServer) && 'signIn',
    authorization !== undefined && 'signedIn',
    configured.withheld !== undefined && 'withheld',
    !isStdio(configured.definition) && 'remote',
    abilitiesOf(server).setLogLevel && 'logging',
    server.session?.instructions !== undefined && 'instructions',
    configured.source.kind === 'demo' && 'demo',
  ];
  return ['server', statusOf(server.state), ...flags.filter((flag) => flag !== false)].join('.');
}

function noteRow(node: NoteNode): Row {
  return {
    id: rowId(node, false),
    label: node.text,
    icon: noteIcon(node),
    contextValue: 'note',
    children: 'none',
    isDimmed: false,
    ...(node.command !== undefined && { command: node.command }),
    spoken: `${node.detail ?? node.text}, server ${singleLine(node.server)}`,
  };
}

function groupRow(node: GroupNode, { hostServer, count, isFiltered, isExpanded, marked }: RowContext): Row {
  const { title, noun } = contentKinds.find(({ kind }) => kind === node.contents) ?? {
    title: node.contents,
    noun: 'item',
  };
  const total = hostServer === undefined ? count : shownList(hostServer.server, node.contents).length;
  const trouble = troubleWith(hostServer, node.contents);
  const isNarrowed = isFiltered && count < total;
  const counts = isNarrowed ? `${formatCount(count)} of ${formatCount(total)}` : formatCount(count);
  const marks = (['changed', 'new'] as const).flatMap((mark) =>
    marked === undefined || marked[mark] === 0 ? [] : `${formatCount(marked[mark])} ${mark}`,
  );
  return {
    id: rowId(node, isFiltered),
    label: title,
    description: [...(trouble !== undefined && total === 0 ? [] : [counts]), ...marks, ...(trouble ?? [])].join(' · '),
    icon: groupIcon(node),
    contextValue: `group.${node.contents}`,
    children: isExpanded ? 'expanded' : 'collapsed',
    isDimmed: isLastSeen(hostServer, node.contents),
    spoken: `${[countOf(count, noun), ...marks, ...(trouble ?? [])].join(', ')}, server ${singleLine(node.server)}${lastSeen(hostServer, node.contents)}`,
  };
}

/** Why a list is not all there, in a few words. */
function troubleWith(hostServer: HostServer | undefined, contents: ContentKind): readonly [string] | undefined {
  const { isLoading = false, failure } = hostServer?.server.listState(contents) ?? {};
  if (isLoading) return ['loading…'];
  if (failure === undefined) return undefined;
  return [hostServer?.server.contents[contents].length === 0 ? 'could not be listed' : 'incomplete'];
}

function tasksRow(node: TasksNode, { hostServer }: RowContext): Row {
  const count = hostServer?.server.tasks.length ?? 0;
  return {
    id: rowId(node, false),
    label: 'Tasks',
    description: formatCount(count),
    icon: tasksIcon,
    contextValue: 'tasks',
    children: 'expanded',
    isDimmed: false,
    spoken: `${countOf(count, 'task')}, server ${singleLine(node.server)}`,
  };
}

function taskRow(node: TaskNode): Row {
  const { state, hasResult } = node.item;
  const label = singleLine(node.title) || '(no name)';
  const command = hasTaskEnded(state)
    ? CommandIds.showTaskResult
    : state === 'paused'
      ? CommandIds.startServer
      : undefined;
  const description = describeTask(node.item);
  return {
    id: rowId(node, false),
    label,
    description,
    icon: taskIcon(state),
    contextValue: `task.${hasTaskEnded(state) ? 'over' : 'open'}.${hasResult ? 'result' : state}`,
    children: 'none',
    isDimmed: false,
    ...(command !== undefined && { command }),
    spoken: `Task of the tool ${label}, ${description}, server ${singleLine(node.server)}`,
  };
}

const primaryCommands: Readonly<Record<ItemNode['kind'], CommandId>> = {
  tool: CommandIds.openTool,
  resource: CommandIds.openResource,
  template: CommandIds.openResource,
  prompt: CommandIds.runPrompt,
  skill: CommandIds.openSkill,
};

/** From here on rows have our icons alone, and a screen reader says no more than they show. */
const longList = 200;

const nouns: Readonly<Record<ItemNode['kind'], string>> = {
  tool: 'Tool',
  resource: 'Resource',
  template: 'Resource template',
  prompt: 'Prompt',
  skill: 'Skill',
};

/** A long list is made and sent to the window as a whole before any of it is seen: without what can be spared. */
function itemRow(node: ItemNode, context: RowContext): Row {
  const { hostServer, isFiltered, lookAlike, mark, image, hasCalls = false } = context;
  const label = singleLine(itemTitle(node)) || '(no name)';
  const described = describeItem(node);
  const about =
    mark === undefined && lookAlike === undefined
      ? described
      : [mark, lookAlike, described].filter((part) => part !== undefined && part !== '').join(' · ');
  // No longer than a wide sidebar shows.
  const description = singleLine(about, 120);
  const row = {
    id: rowId(node, isFiltered),
    label,
    description,
    icon: itemIcon(node, mark),
    contextValue: [
      node.kind,
      ...(node.kind === 'tool' && appUriOf(node.item) !== undefined ? ['app'] : []),
      ...(mark === undefined ? [] : [mark]),
    ].join('.'),
    children: hasCalls || isSkillWithFiles(node) ? 'collapsed' : 'none',
    isDimmed: isLastSeen(hostServer, contentKindOf(node)),
    command: primaryCommands[node.kind],
  } as const;
  const isLong = isInLongList(node, hostServer);
  if (isLong && !row.isDimmed) return row;
  const said = `${label}${description === '' ? '' : `, ${description}`}`;
  if (isLong) return { ...row, spoken: `${said}${lastSeen(hostServer, contentKindOf(node))}` };
  const spoken = `${nouns[node.kind]} ${said}, server ${singleLine(node.server)}${lastSeen(hostServer, contentKindOf(node))}`;
  // Our own icon shows the mark.
  const picture = mark === undefined ? image?.() : undefined;
  const isSmall =
    picture !== undefined && Math.max(picture.light.length, picture.dark.length) <= limits.icon.rowCharacters;
  return isSmall ? { ...row, spoken, image: picture } : { ...row, spoken };
}

function isSkillWithFiles(node: ItemNode): boolean {
  return node.kind === 'skill' && node.item.files !== 'dynamic' && node.item.files.length > 1;
}

/** Skills of one name are distinguished by their location (ext-skills, "Names"). */
function describeItem({ kind, item }: ItemNode): string {
  const { description = '' } = item;
  if (kind === 'tool' && item['_meta'] !== undefined) {
    const words = isForModels(item) ? (appUriOf(item) === undefined ? undefined : 'app') : 'for apps only';
    return [words, description].filter((part) => part !== undefined && part !== '').join(' · ');
  }
  if (kind !== 'skill' || item.prefix === '') return description;
  return description === '' ? item.prefix : `${item.prefix} · ${description}`;
}

/** A file of a skill, or a saved call of a tool. */
function partRow(node: SkillFileNode | SavedCallNode, { hostServer, isFiltered }: RowContext): Row {
  const isFile = node.kind === 'skillFile';
  const { parent, server } = node;
  const label = singleLine(isFile ? node.path : node.name);
  return {
    id: rowId(node, isFiltered),
    label,
    icon: isFile ? fileIcon : { id: 'bookmark' },
    contextValue: node.kind,
    children: 'none',
    isDimmed: isLastSeen(hostServer, contentKindOf(parent)),
    command: isFile ? CommandIds.openSkill : CommandIds.openSavedCall,
    spoken: `${isFile ? 'File' : 'Saved call'} ${label}, ${parent.kind} ${singleLine(parent.item.name)}, server ${singleLine(server)}`,
  };
}

function isInLongList({ kind }: ItemNode, hostServer: HostServer | undefined): boolean {
  return hostServer !== undefined && shownList(hostServer.server, contentKindOf({ kind })).length > longList;
}

export function itemTitle(node: ItemNode): string {
  return node.kind === 'tool' ? toolDisplayName(node.item) : displayName(node.item);
}

/** Not from the running server, or not yet. */
function isLastSeen(hostServer: HostServer | undefined, contents: ContentKind): boolean {
  if (hostServer === undefined) return false;
  const { server } = hostServer;
  return server.isRemembered || (server.contents[contents].length === 0 && server.listState(contents).isLoading);
}

function lastSeen(hostServer: HostServer | undefined, contents: ContentKind): string {
  return isLastSeen(hostServer, contents) ? ', last seen' : '';
}
