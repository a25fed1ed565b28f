import type { ContentKind } from '../../client/contents.ts';
import type { ServerTask } from '../../client/tasks/serverTask.ts';
import type { BaseMetadata } from '../../protocol/mcp/base.ts';
import type { Prompt } from '../../protocol/mcp/prompts.ts';
import type { Resource, ResourceTemplate } from '../../protocol/mcp/resources.ts';
import type { Skill } from '../../protocol/mcp/skills.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import type { CommandId } from '../commandIds.ts';
import type { IconId } from '../platform/themeIcon.ts';

/**
 * A row of the servers view, and what its commands get as their argument. `server` is the label.
 * Item nodes have the shape `{ server, tool }`, `{ server, prompt }`, `{ server, uri }`, `{ server, uriTemplate }` or
 * `{ server, skill }`, so that a command takes a row and a hand-written argument alike.
 */
export type ServersNode =
  /** "2 configuration problems", first row of all: an entry with an error has no row of its own. */
  | { readonly kind: 'problems'; readonly place: ProblemPlace }
  | { readonly kind: 'server'; readonly server: string }
  | { readonly kind: 'tasks'; readonly server: string }
  | NoteNode
  | {
      readonly kind: 'task';
      readonly server: string;
      readonly task: string;
      readonly item: ServerTask;
      readonly title: string;
    }
  | { readonly kind: 'group'; readonly server: string; readonly contents: ContentKind }
  | ItemNode
  | {
      readonly kind: 'savedCall';
      readonly parent: ToolNode;
      readonly server: string;
      readonly tool: string;
      readonly name: string;
    }
  | SkillFileNode;

export type ProblemPlace = 'files' | 'settings';

export type NodeOf<Kind extends ServersNode['kind']> = Extract<ServersNode, { readonly kind: Kind }>;

const warning = 'problemsWarningIcon.foreground';

/** The notes below a server or a group, with their icons. */
export const noteIcons = {
  start: { id: 'play' },
  disabled: { id: 'circle-slash' },
  restricted: { id: 'shield', color: warning },
  trust: { id: 'shield', color: warning },
  muted: { id: 'mute' },
  signIn: { id: 'key', color: warning },
  starting: { id: 'loading~spin' },
  asked: { id: 'comment-unresolved', color: warning },
  loading: { id: 'loading~spin' },
  again: { id: 'refresh' },
  error: { id: 'info' },
  log: { id: 'output' },
  retry: { id: 'debug-restart' },
  silent: { id: 'warning', color: warning },
  stale: { id: 'warning', color: warning },
  options: { id: 'settings-gear', color: warning },
  problems: { id: 'warning', color: warning },
  schemas: { id: 'warning', color: warning },
  stdout: { id: 'warning', color: warning },
  empty: { id: 'info' },
  more: { id: 'filter' },
} as const satisfies Readonly<Record<string, IconId>>;

export interface NoteNode {
  readonly kind: 'note';
  readonly server: string;
  readonly note: keyof typeof noteIcons;
  /** Where it stands below a group. */
  readonly group?: ContentKind;
  /** Plain text, possibly from the server: one line. */
  readonly text: string;
  /** All of it, where `text` is cut. */
  readonly detail?: string;
  /** Run by a click with this node as argument; without it the row only tells. */
  readonly command?: CommandId | 'workbench.trust.manage' | 'workbench.actions.view.problems';
}

/** For each kind of item: the list it is in, the member of its node that names it, and where the listed item has that name. */
const items = {
  tool: { list: 'tools', key: 'tool', listed: 'name' },
  resource: { list: 'resources', key: 'uri', listed: 'uri' },
  template: { list: 'resourceTemplates', key: 'uriTemplate', listed: 'uriTemplate' },
  prompt: { list: 'prompts', key: 'prompt', listed: 'name' },
  skill: { list: 'skills', key: 'skill', listed: 'uri' },
} as const;

/** What a listed item can be found by, and is shown with. */
export interface ListedItem extends BaseMetadata {
  readonly uri?: string;
  readonly uriTemplate?: string;
}

type Item<Kind extends keyof typeof items, Value> = {
  readonly kind: Kind;
  readonly server: string;
  readonly item: Value;
  /** Tells apart what a server lists twice under one name: 0 for the first. */
  readonly occurrence: number;
} & { readonly [Name in (typeof items)[Kind]['key']]: string };

export type ToolNode = Item<'tool', Tool>;
export type SkillNode = Item<'skill', Skill>;
export type ItemNode =
  | ToolNode
  | Item<'resource', Resource>
  | Item<'template', ResourceTemplate>
  | Item<'prompt', Prompt>
  | SkillNode;

interface SkillFileNode {
  readonly kind: 'skillFile';
  readonly parent: SkillNode;
  readonly server: string;
  readonly skill: string;
  readonly file: string;
  /** Below the folder of the skill. */
  readonly path: string;
}

export function isItemNode(node: ServersNode): node is ItemNode {
  return Object.hasOwn(items, node.kind);
}

export function createItemNodes(
  { server, contents }: NodeOf<'group'>,
  listedItems: readonly ListedItem[],
): readonly ItemNode[] {
  const [kind, { key, listed }] = Object.entries(items).find(([, each]) => each.list === contents) ?? [
    'tool',
    items.tool,
  ];
  // A server may list one name twice, a tree may not.
  const counts = new Map<string, number>();
  return listedItems.map((item) => {
    const name = item[listed] ?? '';
    const occurrence = counts.get(name) ?? 0;
    counts.set(name, occurrence + 1);
    return { kind, server, [key]: name, item, occurrence } as unknown as ItemNode;
  });
}

export function itemKey(node: ItemNode): string {
  return (node as { readonly [name in string]?: unknown })[items[node.kind].key] as string;
}

export function contentKindOf({ kind }: Pick<ItemNode, 'kind'>): ContentKind {
  return items[kind].list;
}
