import type { ItemMark } from '../definitions/itemMarks.ts';
import type { IconId } from '../platform/themeIcon.ts';
import type { GroupNode, ItemNode, NoteNode } from '../servers/serverNodes.ts';

const warning = 'problemsWarningIcon.foreground';

export const tasksIcon: IconId = { id: 'tasklist' };

const groupIcons: Readonly<Record<GroupNode['contents'], IconId>> = {
  tools: { id: 'tools' },
  resources: { id: 'files' },
  resourceTemplates: { id: 'symbol-snippet' },
  prompts: { id: 'comment-discussion' },
  skills: { id: 'mortar-board' },
};

/** The icon of one of the lists of a server. */
export function groupIcon(node: GroupNode): IconId {
  return groupIcons[node.contents];
}

const noteIcons: Readonly<Record<NoteNode['note'], IconId>> = {
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

/** The icon of a note below a server or a group. */
export function noteIcon(node: NoteNode): IconId {
  return noteIcons[node.note];
}

const markColors: Readonly<Record<ItemMark, string>> = { changed: warning, new: 'charts.blue' };

/** The icon of an entry, in the colour of its mark if it has one. */
export function itemIcon(node: ItemNode, mark: ItemMark | undefined): IconId {
  const icon = unmarkedIcon(node);
  return mark === undefined ? icon : { ...icon, color: markColors[mark] };
}

function unmarkedIcon(node: ItemNode): IconId {
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

const toolIcon: IconId = { id: 'symbol-method' };
const promptIcon: IconId = { id: 'comment' };
const skillIcon: IconId = { id: 'book' };
const unverifiableIcon: IconId = { id: 'book', color: warning };

const mediaIcons: readonly (readonly [pattern: RegExp, icon: IconId])[] = [
  [/^(image|audio|video)\//, { id: 'file-media' }],
  [/^text\/markdown\b/, { id: 'markdown' }],
  [/^application\/pdf\b/, { id: 'file-pdf' }],
  [/^application\/(zip|gzip|x-tar)\b/, { id: 'file-zip' }],
  [/^application\/([\w.-]+\+)?json\b/, { id: 'json' }],
  [/^inode\/directory\b/, { id: 'folder' }],
];
export const fileIcon: IconId = { id: 'file' };

function resourceIcon(mimeType: string): IconId {
  return mediaIcons.find(([pattern]) => pattern.test(mimeType))?.[1] ?? fileIcon;
}
