import { limits } from '../../base/limits.ts';
import { formatCount } from '../../base/truncate.ts';
import type { ContentKind } from '../../client/contents.ts';
import { hasTaskEnded } from '../../client/tasks/serverTask.ts';
import { type CommandId, CommandIds } from '../commandIds.ts';
import { countOf, singleLine } from '../platform/displayText.ts';
import type { IconId } from '../platform/themeIcon.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { serverConditions } from './serverConditions.ts';
import {
  contentKinds,
  describeServer,
  runsWithoutSignIn,
  serverIcon,
  shownList,
  statusOf,
} from '../servers/serverStatus.ts';
import type { ItemImage } from '../icons/itemImage.ts';
import type { ItemMark, ListMarks } from '../definitions/itemMarks.ts';
import {
  contentKindOf,
  isItemNode,
  type ItemNode,
  itemKey,
  type NodeOf,
  noteIcons,
  type ServersNode,
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
  readonly lookAlike?: string | undefined;
  readonly hasCalls?: boolean;
  readonly isExpanded: boolean;
  /** Seconds, where a start takes long. */
  readonly startingFor?: number | undefined;
  readonly image?: (() => ItemImage | undefined) | undefined;
  readonly mark?: ItemMark | undefined;
  readonly marked?: ListMarks | undefined;
}

const warning = 'problemsWarningIcon.foreground';

/** The Problems view has files only; the log says what is wrong with each setting. */
const problemRows = {
  files: { noun: 'configuration problem', command: 'workbench.actions.view.problems', where: 'Problems view' },
  settings: { noun: 'settings problem', command: CommandIds.showLog, where: 'log' },
} as const;

/** What the row of a node shows, independent of VS Code's classes. Texts are plain and truncated. */
export function rowOf(node: ServersNode, context: RowContext): Row {
  if (isItemNode(node)) return itemRow(node, context);
  switch (node.kind) {
    case 'problems': {
      const { noun, command, where } = problemRows[node.place];
      const label = countOf(context.problemCount, noun);
      const spoken = `${label}, show them in the ${where}`;
      return plainRow(node, label, { id: 'warning', color: warning }, { command, spoken });
    }
    case 'server':
      return serverRow(node, context);
    case 'note': {
      const spoken = `${node.detail ?? node.text}, ${ofServer(node)}`;
      const { text, note, command } = node;
      return plainRow(node, text, noteIcons[note], { spoken, ...(command && { command }) });
    }
    case 'tasks': {
      const count = context.hostServer?.server.tasks.length ?? 0;
      const spoken = `${countOf(count, 'task')}, ${ofServer(node)}`;
      const description = formatCount(count);
      return plainRow(node, 'Tasks', { id: 'tasklist' }, { description, children: 'expanded', spoken });
    }
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
  if (node.kind === 'problems') return [node.kind, node.place];
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

function ofServer({ server }: { readonly server: string }): string {
  return `server ${singleLine(server)}`;
}

function serverRow(node: NodeOf<'server'>, context: RowContext): Row {
  const { hostServer, isFiltered, isExpanded, startingFor } = context;
  const label = singleLine(node.server);
  const description = hostServer === undefined ? '' : describeServer(hostServer, startingFor);
  const icon = hostServer === undefined ? { id: 'circle-outline' } : serverIcon(hostServer);
  return plainRow(node, label, icon, {
    id: rowId(node, isFiltered),
    description,
    contextValue: hostServer === undefined ? 'server' : serverContext(hostServer),
    children: isExpanded ? 'expanded' : 'collapsed',
    command: CommandIds.openRow,
    isDimmed: hostServer?.isDisabled === true,
    // Others see the state of a running server in its icon alone.
    spoken: `Server ${label}, ${hostServer?.server.state.kind === 'running' ? 'running, ' : ''}${description}`,
  });
}

/** What menus go by. */
const serverFlags: Readonly<Record<string, (hostServer: HostServer) => boolean>> = {
  stale: ({ isStale, development }) =>
    isStale || (development?.staleFile !== undefined && development.failure === undefined),
  broken: ({ development }) => development?.failure !== undefined,
  code: serverConditions.Developed,
  onSave: serverConditions.OnSave,
  debugged: serverConditions.Debugged,
  recorded: serverConditions.Recorded,
  debuggable: serverConditions.Debuggable,
  asking: serverConditions.Question,
  muted: serverConditions.Muted,
  signIn: runsWithoutSignIn,
  signedIn: ({ authorization }) => authorization !== undefined,
  withheld: serverConditions.Withheld,
  remote: serverConditions.Remote,
  logging: serverConditions.Logging,
  instructions: serverConditions.Instructions,
  demo: serverConditions.Demo,
  withWindow: ({ configured }) => configured.options.autoStart === true,
};

function serverContext(hostServer: HostServer): string {
  // Of no status that offers a start.
  const status = hostServer.isDisabled ? 'disabled' : statusOf(hostServer.server.state);
  const flags = Object.entries(serverFlags).flatMap(([flag, holds]) => (holds(hostServer) ? [flag] : []));
  return ['server', status, ...flags].join('.');
}

function groupRow(node: NodeOf<'group'>, { hostServer, count, isFiltered, isExpanded, marked }: RowContext): Row {
  const { contents } = node;
  const words = contentKinds.find(({ kind }) => kind === contents);
  const { title = contents, noun = 'item', icon: id = '' } = words ?? {};
  const total = hostServer === undefined ? count : shownList(hostServer.server, contents).length;
  const trouble = troubleWith(hostServer, contents);
  const isNarrowed = isFiltered && count < total;
  const counts = isNarrowed ? `${formatCount(count)} of ${formatCount(total)}` : formatCount(count);
  const marks = Object.entries({ changed: marked?.changed.size ?? 0, new: marked?.fresh.size ?? 0 }).flatMap(
    ([mark, items]) => (items === 0 ? [] : `${formatCount(items)} ${mark}`),
  );
  const isDimmed = isLastSeen(hostServer, contents);
  const said = [countOf(count, noun), ...marks, ...trouble, ofServer(node), ...(isDimmed ? ['last seen'] : [])];
  const more = {
    id: rowId(node, isFiltered),
    description: joined(trouble.length > 0 && total === 0 ? '' : counts, ...marks, ...trouble),
    contextValue: `group.${contents}`,
    children: isExpanded ? 'expanded' : 'collapsed',
    isDimmed,
    spoken: said.join(', '),
  } as const;
  return plainRow(node, title, { id }, more);
}

/** Why a list is not all there, in a few words; empty for one that is. */
function troubleWith(hostServer: HostServer | undefined, contents: ContentKind): readonly string[] {
  const { isLoading = false, failure } = hostServer?.server.listState(contents) ?? {};
  if (isLoading) return ['loading…'];
  if (failure === undefined) return [];
  return [hostServer?.server.contents[contents].length === 0 ? 'could not be listed' : 'incomplete'];
}

function taskRow(node: NodeOf<'task'>): Row {
  const { state, hasResult } = node.item;
  const hasEnded = hasTaskEnded(state);
  const label = singleLine(node.title) || '(no name)';
  const description = describeTask(node.item);
  return plainRow(node, label, taskIcon(state), {
    description,
    contextValue: `task.${hasEnded ? 'over' : 'open'}.${hasResult ? 'result' : state}`,
    ...(hasEnded && { command: CommandIds.showTaskResult }),
    ...(state === 'paused' && { command: CommandIds.startServer }),
    spoken: `Task of the tool ${label}, ${description}, ${ofServer(node)}`,
  });
}

const itemKinds = {
  tool: { noun: 'Tool', icon: 'symbol-method' },
  resource: { noun: 'Resource', icon: 'file' },
  template: { noun: 'Resource template', icon: 'symbol-snippet' },
  prompt: { noun: 'Prompt', icon: 'comment' },
  skill: { noun: 'Skill', icon: 'book' },
} as const satisfies Readonly<Record<ItemNode['kind'], Readonly<Record<'noun' | 'icon', string>>>>;

const mediaIcons: readonly (readonly [pattern: RegExp, icon: string])[] = [
  [/^(image|audio|video)\//, 'file-media'],
  [/^text\/markdown\b/, 'markdown'],
  [/^application\/pdf\b/, 'file-pdf'],
  [/^application\/(zip|gzip|x-tar)\b/, 'file-zip'],
  [/^application\/([\w.-]+\+)?json\b/, 'json'],
  [/^inode\/directory\b/, 'folder'],
];

/** In the colour of the entry's mark if it has one. Files of a skill that is generated cannot be verified. */
function itemIcon({ kind, item }: ItemNode, mark: ItemMark | undefined): IconId {
  const type = kind === 'resource' ? (item.mimeType ?? '') : '';
  const id = (type && mediaIcons.find(([pattern]) => pattern.test(type))?.[1]) || itemKinds[kind].icon;
  if (mark !== undefined) return { id, color: mark === 'changed' ? warning : 'charts.blue' };
  return kind === 'skill' && item.files === 'dynamic' ? { id, color: warning } : { id };
}

/** From here on rows have our icons alone, and a screen reader says no more than they show. */
const longList = 200;

/** A long list is made and sent to the window as a whole before any of it is seen: without what can be spared. */
function itemRow(node: ItemNode, context: RowContext): Row {
  const { hostServer, isFiltered, lookAlike, mark, image, hasCalls = false } = context;
  const { noun } = itemKinds[node.kind];
  const contents = contentKindOf(node);
  const label = singleLine(itemTitle(node)) || '(no name)';
  const described = describeItem(node);
  const isFaulty = node.kind === 'tool' && hostServer !== undefined && hostServer.toolFaults.has(node.item);
  const isPlain = mark === undefined && lookAlike === undefined && !isFaulty;
  const about = isPlain ? described : joined(isFaulty ? 'invalid schema' : undefined, mark, lookAlike, described);
  // No longer than a wide sidebar shows.
  const description = singleLine(about, 120);
  const isApp = node.kind === 'tool' && appUriOf(node.item) !== undefined;
  const hasFiles = node.kind === 'skill' && node.item.files !== 'dynamic' && node.item.files.length > 1;
  const row = {
    id: rowId(node, isFiltered),
    label,
    description,
    icon: isFaulty ? { id: 'warning', color: warning } : itemIcon(node, mark),
    contextValue: [node.kind, ...(isApp ? ['app'] : []), ...(mark === undefined ? [] : [mark])].join('.'),
    children: hasCalls || hasFiles ? 'collapsed' : 'none',
    isDimmed: isLastSeen(hostServer, contents),
    command: CommandIds.openRow,
  } as const;
  const isLong = hostServer !== undefined && shownList(hostServer.server, contents).length > longList;
  if (isLong && !row.isDimmed) return row;
  const said = `${label}${description === '' ? '' : `, ${description}`}`;
  const seen = row.isDimmed ? ', last seen' : '';
  if (isLong) return { ...row, spoken: `${said}${seen}` };
  const spoken = `${noun} ${said}, ${ofServer(node)}${seen}`;
  // Our own icon shows the mark.
  const picture = mark === undefined && !isFaulty ? image?.() : undefined;
  const isSmall =
    picture !== undefined && Math.max(picture.light.length, picture.dark.length) <= limits.icon.rowCharacters;
  return isSmall ? { ...row, spoken, image: picture } : { ...row, spoken };
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** Skills of one name are distinguished by their location (ext-skills, "Names"). */
function describeItem({ kind, item }: ItemNode): string {
  const { description = '' } = item;
  if (kind === 'skill') return joined(item.prefix, description);
  if (kind !== 'tool' || item['_meta'] === undefined) return description;
  if (!isForModels(item)) return joined('for apps only', description);
  return appUriOf(item) === undefined ? description : joined('app', description);
}

function partRow(node: NodeOf<'skillFile' | 'savedCall'>, { hostServer, isFiltered }: RowContext): Row {
  const isFile = node.kind === 'skillFile';
  const { parent } = node;
  const label = singleLine(isFile ? node.path : node.name);
  const icon = { id: isFile ? 'file' : 'bookmark' };
  return plainRow(node, label, icon, {
    id: rowId(node, isFiltered),
    isDimmed: isLastSeen(hostServer, contentKindOf(parent)),
    command: CommandIds.openRow,
    spoken: `${isFile ? 'File' : 'Saved call'} ${label}, ${parent.kind} ${singleLine(parent.item.name)}, ${ofServer(node)}`,
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
