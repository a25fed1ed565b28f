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
import { fileIcon, itemIcon, tasksIcon } from './rowIcons.ts';
import type { ItemMark } from '../definitions/itemMarks.ts';
import {
  contentKindOf,
  type GroupNode,
  isItemNode,
  type ItemNode,
  itemKey,
  noteIcons,
  type NoteNode,
  type ProblemsNode,
  type SavedCallNode,
  type ServerNode,
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
  readonly mark?: ItemMark | undefined;
  /** Of a group: how many of its items are marked in either way. */
  readonly marked?: Readonly<Record<ItemMark, number>> | undefined;
}

/** What the row of a node shows, independent of VS Code's classes. Texts are plain and truncated. */
export function rowOf(node: ServersNode, context: RowContext): Row {
  if (isItemNode(node)) return itemRow(node, context);
  switch (node.kind) {
    case 'problems':
      return problemsRow(node, context);
    case 'server':
      return serverRow(node, context);
    case 'note':
      return noteRow(node);
    case 'tasks':
      return tasksRow(node, context);
    case 'task':
      return taskRow(node);
    case 'group':
      return groupRow(node, context);
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
  if (node.kind === 'problems') return [node.kind];
  const { kind, server } = node;
  if (isItemNode(node)) return [kind, server, itemKey(node), String(node.occurrence)];
  switch (node.kind) {
    case 'server':
    case 'tasks':
      return [kind, server];
    case 'note':
      return [kind, server, node.note, ...(node.group === undefined ? [] : [node.group])];
    case 'task':
      return [kind, server, node.task];
    case 'group':
      return [kind, server, node.contents];
    case 'savedCall':
    case 'skillFile': {
      const { parent } = node;
      return [kind, server, itemKey(parent), String(parent.occurrence), 'file' in node ? node.file : node.name];
    }
  }
}

/** A row of which nothing opens, but for what `more` says. */
function plainRow(node: ServersNode, label: string, icon: IconId, more: Partial<Row>): Row {
  return { id: rowId(node, false), label, icon, contextValue: node.kind, children: 'none', isDimmed: false, ...more };
}

function problemsRow(node: ProblemsNode, { problemCount }: RowContext): Row {
  const label = countOf(problemCount, 'configuration problem');
  const icon = { id: 'warning', color: 'problemsWarningIcon.foreground' };
  const command = 'workbench.actions.view.problems';
  return plainRow(node, label, icon, { command, spoken: `${label}, show them in the Problems view` });
}

function serverRow(node: ServerNode, { hostServer, isFiltered, isExpanded }: RowContext): Row {
  const label = singleLine(node.server);
  const description = hostServer === undefined ? '' : describeServer(hostServer);
  const icon = hostServer === undefined ? { id: 'circle-outline' } : serverIcon(hostServer);
  return plainRow(node, label, icon, {
    id: rowId(node, isFiltered),
    description,
    contextValue: hostServer === undefined ? 'server' : serverContext(hostServer),
    children: isExpanded ? 'expanded' : 'collapsed',
    // Others see the state of a running server in its icon alone.
    spoken: `Server ${label}, ${hostServer?.server.state.kind === 'running' ? 'running, ' : ''}${description}`,
  });
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
  const spoken = `${node.detail ?? node.text}, server ${singleLine(node.server)}`;
  return plainRow(node, node.text, noteIcons[node.note], { spoken, ...(node.command && { command: node.command }) });
}

function groupRow(node: GroupNode, { hostServer, count, isFiltered, isExpanded, marked }: RowContext): Row {
  const words = contentKinds.find(({ kind }) => kind === node.contents);
  const { title = node.contents, noun = 'item', icon = '' } = words ?? {};
  const total = hostServer === undefined ? count : shownList(hostServer.server, node.contents).length;
  const trouble = troubleWith(hostServer, node.contents);
  const isNarrowed = isFiltered && count < total;
  const counts = isNarrowed ? `${formatCount(count)} of ${formatCount(total)}` : formatCount(count);
  const marks = (['changed', 'new'] as const).flatMap((mark) =>
    marked === undefined || marked[mark] === 0 ? [] : `${formatCount(marked[mark])} ${mark}`,
  );
  const shown = [...(trouble !== undefined && total === 0 ? [] : [counts]), ...marks, ...(trouble ?? [])];
  const said = [countOf(count, noun), ...marks, ...(trouble ?? [])].join(', ');
  return plainRow(
    node,
    title,
    { id: icon },
    {
      id: rowId(node, isFiltered),
      description: shown.join(' · '),
      contextValue: `group.${node.contents}`,
      children: isExpanded ? 'expanded' : 'collapsed',
      isDimmed: isLastSeen(hostServer, node.contents),
      spoken: `${said}, server ${singleLine(node.server)}${lastSeen(hostServer, node.contents)}`,
    },
  );
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
  const spoken = `${countOf(count, 'task')}, server ${singleLine(node.server)}`;
  return plainRow(node, 'Tasks', tasksIcon, { description: formatCount(count), children: 'expanded', spoken });
}

function taskRow(node: TaskNode): Row {
  const { state, hasResult } = node.item;
  const hasEnded = hasTaskEnded(state);
  const label = singleLine(node.title) || '(no name)';
  const description = describeTask(node.item);
  return plainRow(node, label, taskIcon(state), {
    description,
    contextValue: `task.${hasEnded ? 'over' : 'open'}.${hasResult ? 'result' : state}`,
    ...(hasEnded && { command: CommandIds.showTaskResult }),
    ...(state === 'paused' && { command: CommandIds.startServer }),
    spoken: `Task of the tool ${label}, ${description}, server ${singleLine(node.server)}`,
  });
}

const itemKinds: Readonly<Record<ItemNode['kind'], { readonly noun: string; readonly command: CommandId }>> = {
  tool: { noun: 'Tool', command: CommandIds.openTool },
  resource: { noun: 'Resource', command: CommandIds.openResource },
  template: { noun: 'Resource template', command: CommandIds.openResource },
  prompt: { noun: 'Prompt', command: CommandIds.runPrompt },
  skill: { noun: 'Skill', command: CommandIds.openSkill },
};

/** From here on rows have our icons alone, and a screen reader says no more than they show. */
const longList = 200;

/** A long list is made and sent to the window as a whole before any of it is seen: without what can be spared. */
function itemRow(node: ItemNode, context: RowContext): Row {
  const { hostServer, isFiltered, lookAlike, mark, image, hasCalls = false } = context;
  const { noun, command } = itemKinds[node.kind];
  const contents = contentKindOf(node);
  const label = singleLine(itemTitle(node)) || '(no name)';
  const described = describeItem(node);
  const about = mark === undefined && lookAlike === undefined ? described : joined(mark, lookAlike, described);
  // No longer than a wide sidebar shows.
  const description = singleLine(about, 120);
  const isApp = node.kind === 'tool' && appUriOf(node.item) !== undefined;
  const row = {
    id: rowId(node, isFiltered),
    label,
    description,
    icon: itemIcon(node, mark),
    contextValue: [node.kind, ...(isApp ? ['app'] : []), ...(mark === undefined ? [] : [mark])].join('.'),
    children: hasCalls || isSkillWithFiles(node) ? 'collapsed' : 'none',
    isDimmed: isLastSeen(hostServer, contents),
    command,
  } as const;
  const isLong = hostServer !== undefined && shownList(hostServer.server, contents).length > longList;
  if (isLong && !row.isDimmed) return row;
  const said = `${label}${description === '' ? '' : `, ${description}`}`;
  if (isLong) return { ...row, spoken: `${said}${lastSeen(hostServer, contents)}` };
  const spoken = `${noun} ${said}, server ${singleLine(node.server)}${lastSeen(hostServer, contents)}`;
  // Our own icon shows the mark.
  const picture = mark === undefined ? image?.() : undefined;
  const isSmall =
    picture !== undefined && Math.max(picture.light.length, picture.dark.length) <= limits.icon.rowCharacters;
  return isSmall ? { ...row, spoken, image: picture } : { ...row, spoken };
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

function isSkillWithFiles(node: ItemNode): boolean {
  return node.kind === 'skill' && node.item.files !== 'dynamic' && node.item.files.length > 1;
}

/** Skills of one name are distinguished by their location (ext-skills, "Names"). */
function describeItem({ kind, item }: ItemNode): string {
  const { description = '' } = item;
  if (kind === 'skill') return joined(item.prefix, description);
  if (kind !== 'tool' || item['_meta'] === undefined) return description;
  if (!isForModels(item)) return joined('for apps only', description);
  return appUriOf(item) === undefined ? description : joined('app', description);
}

/** A file of a skill, or a saved call of a tool. */
function partRow(node: SkillFileNode | SavedCallNode, { hostServer, isFiltered }: RowContext): Row {
  const isFile = node.kind === 'skillFile';
  const { parent, server } = node;
  const label = singleLine(isFile ? node.path : node.name);
  return plainRow(node, label, isFile ? fileIcon : { id: 'bookmark' }, {
    id: rowId(node, isFiltered),
    isDimmed: isLastSeen(hostServer, contentKindOf(parent)),
    command: isFile ? CommandIds.openSkill : CommandIds.openSavedCall,
    spoken: `${isFile ? 'File' : 'Saved call'} ${label}, ${parent.kind} ${singleLine(parent.item.name)}, server ${singleLine(server)}`,
  });
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
