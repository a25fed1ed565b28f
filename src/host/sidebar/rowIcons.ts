import type { ItemMark } from '../definitions/itemMarks.ts';
import type { IconId } from '../platform/themeIcon.ts';
import type { ItemNode } from '../servers/serverNodes.ts';

const warning = 'problemsWarningIcon.foreground';

export const tasksIcon: IconId = { id: 'tasklist' };

const markColors: Readonly<Record<ItemMark, string>> = { changed: warning, new: 'charts.blue' };

/** The icon of an entry, in the colour of its mark if it has one. */
export function itemIcon(node: ItemNode, mark: ItemMark | undefined): IconId {
  const icon = unmarkedIcon(node);
  return mark === undefined ? icon : { ...icon, color: markColors[mark] };
}

function unmarkedIcon(node: ItemNode): IconId {
  if (node.kind === 'resource') return resourceIcon(node.item.mimeType ?? '');
  return node.kind === 'skill' && node.item.files === 'dynamic' ? unverifiableIcon : itemIcons[node.kind];
}

const itemIcons = {
  tool: { id: 'symbol-method' },
  template: { id: 'symbol-snippet' },
  prompt: { id: 'comment' },
  skill: { id: 'book' },
} as const;
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
