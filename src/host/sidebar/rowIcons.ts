import type { TaskState } from '../../client/tasks/serverTask.ts';
import type { HostServer } from '../servers/serverRegistry.ts';
import { runsWithoutSignIn, type ServerStatus, statusOf } from '../servers/serverStatus.ts';
import type { ItemMark } from '../definitions/itemMarks.ts';
import type { GroupNode, ItemNode, NoteNode } from '../servers/serverNodes.ts';

/** A codicon and a theme colour, by their ids. */
export interface RowIcon {
  readonly id: string;
  readonly color?: string;
}

const warning = 'problemsWarningIcon.foreground';

const statusIcons: Readonly<Record<ServerStatus, RowIcon>> = {
  stopped: { id: 'circle-outline' },
  starting: { id: 'loading~spin' },
  running: { id: 'circle-filled', color: 'testing.iconPassed' },
  waiting: { id: 'history', color: warning },
  failed: { id: 'error', color: 'problemsErrorIcon.foreground' },
  needsTrust: { id: 'shield', color: warning },
  needsSignIn: { id: 'key', color: warning },
};

export function serverIcon(hostServer: HostServer): RowIcon {
  const { server, isStale, isAsking } = hostServer;
  if (isAsking) return { id: 'comment-unresolved', color: warning };
  if (runsWithoutSignIn(hostServer)) return statusIcons.needsSignIn;
  const icon = statusIcons[statusOf(server.state)];
  const isDoubtful = isStale || !server.isResponsive;
  return isDoubtful && server.state.kind === 'running' ? { ...icon, color: warning } : icon;
}

export const tasksIcon: RowIcon = { id: 'tasklist' };

const taskIcons: Readonly<Record<TaskState, RowIcon>> = {
  working: { id: 'loading~spin' },
  input_required: { id: 'question', color: warning },
  paused: { id: 'debug-pause' },
  completed: { id: 'pass', color: 'testing.iconPassed' },
  failed: { id: 'error', color: 'problemsErrorIcon.foreground' },
  cancelled: { id: 'circle-slash' },
  lost: { id: 'warning', color: warning },
};

export function taskIcon(state: TaskState): RowIcon {
  return taskIcons[state];
}

const groupIcons: Readonly<Record<GroupNode['contents'], RowIcon>> = {
  tools: { id: 'tools' },
  resources: { id: 'files' },
  resourceTemplates: { id: 'symbol-snippet' },
  prompts: { id: 'comment-discussion' },
  skills: { id: 'mortar-board' },
};

export function groupIcon(node: GroupNode): RowIcon {
  return groupIcons[node.contents];
}

const noteIcons: Readonly<Record<NoteNode['note'], RowIcon>> = {
  start: { id: 'play' },
  restricted: { id: 'shield', color: warning },
  trust: { id: 'shield', color: warning },
  muted: { id: 'mute' },
  signIn: { id: 'key', color: warning },
  starting: { id: 'loading~spin' },
  loading: { id: 'loading~spin' },
  again: { id: 'refresh' },
  error: { id: 'info' },
  log: { id: 'output' },
  retry: { id: 'debug-restart' },
  silent: { id: 'warning', color: warning },
  stale: { id: 'warning', color: warning },
  options: { id: 'settings-gear', color: warning },
  problems: { id: 'warning', color: warning },
  empty: { id: 'info' },
  more: { id: 'filter' },
};

export function noteIcon(node: NoteNode): RowIcon {
  return noteIcons[node.note];
}

const markColors: Readonly<Record<ItemMark, string>> = { changed: warning, new: 'charts.blue' };

export function itemIcon(node: ItemNode, mark: ItemMark | undefined): RowIcon {
  const icon = unmarkedIcon(node);
  return mark === undefined ? icon : { ...icon, color: markColors[mark] };
}

function unmarkedIcon(node: ItemNode): RowIcon {
  switch (node.kind) {
    case 'tool':
      return toolIcon;
    case 'resource':
      return resourceIcon(node.item.mimeType ?? '');
    case 'template':
      return groupIcons.resourceTemplates;
    case 'prompt':
      return promptIcon;
    case 'skill':
      return node.item.files === 'dynamic' ? unverifiableIcon : skillIcon;
  }
}

const toolIcon: RowIcon = { id: 'symbol-method' };
const promptIcon: RowIcon = { id: 'comment' };
const skillIcon: RowIcon = { id: 'book' };
const unverifiableIcon: RowIcon = { id: 'book', color: warning };

const mediaIcons: readonly (readonly [pattern: RegExp, icon: RowIcon])[] = [
  [/^(image|audio|video)\//, { id: 'file-media' }],
  [/^text\/markdown\b/, { id: 'markdown' }],
  [/^application\/pdf\b/, { id: 'file-pdf' }],
  [/^application\/(zip|gzip|x-tar)\b/, { id: 'file-zip' }],
  [/^application\/([\w.-]+\+)?json\b/, { id: 'json' }],
  [/^inode\/directory\b/, { id: 'folder' }],
];
export const fileIcon: RowIcon = { id: 'file' };

function resourceIcon(mimeType: string): RowIcon {
  return mediaIcons.find(([pattern]) => pattern.test(mimeType))?.[1] ?? fileIcon;
}
