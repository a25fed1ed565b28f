import type { ContentKind } from '../../client/contents.ts';
import type { ServerTask } from '../../client/tasks/serverTask.ts';
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
  | ProblemsNode
  | ServerNode
  | NoteNode
  | TasksNode
  | TaskNode
  | GroupNode
  | ItemNode
  | SavedCallNode
  | SkillFileNode;

/** "2 configuration problems", first row of all. */
export interface ProblemsNode {
  readonly kind: 'problems';
}

export interface ServerNode {
  readonly kind: 'server';
  readonly server: string;
}

const warning = 'problemsWarningIcon.foreground';

/** The notes below a server or a group, with their icons. */
export const noteIcons = {
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
  readonly command?: CommandId | 'workbench.trust.manage';
}

export interface TasksNode {
  readonly kind: 'tasks';
  readonly server: string;
}

export interface TaskNode {
  readonly kind: 'task';
  readonly server: string;
  readonly task: string;
  readonly item: ServerTask;
  readonly title: string;
}

export interface GroupNode {
  readonly kind: 'group';
  readonly server: string;
  readonly contents: ContentKind;
}

export type ItemNode = ToolNode | ResourceNode | TemplateNode | PromptNode | SkillNode;

type Item<Kind extends string, Key extends string, Value> = {
  readonly kind: Kind;
  readonly server: string;
  readonly item: Value;
  /** Tells apart what a server lists twice under one name: 0 for the first. */
  readonly occurrence: number;
} & { readonly [Name in Key]: string };

export type ToolNode = Item<'tool', 'tool', Tool>;
export type ResourceNode = Item<'resource', 'uri', Resource>;
export type TemplateNode = Item<'template', 'uriTemplate', ResourceTemplate>;
export type PromptNode = Item<'prompt', 'prompt', Prompt>;
export type SkillNode = Item<'skill', 'skill', Skill>;

export interface SavedCallNode {
  readonly kind: 'savedCall';
  readonly parent: ToolNode;
  readonly server: string;
  readonly tool: string;
  readonly name: string;
}

/** A file of a skill other than its SKILL.md. */
export interface SkillFileNode {
  readonly kind: 'skillFile';
  readonly parent: SkillNode;
  readonly server: string;
  readonly skill: string;
  readonly file: string;
  /** Below the folder of the skill. */
  readonly path: string;
}

export function isItemNode(node: ServersNode): node is ItemNode {
  return Object.hasOwn(listOf, node.kind);
}

export function itemKey(node: ItemNode): string {
  switch (node.kind) {
    case 'tool':
      return node.tool;
    case 'resource':
      return node.uri;
    case 'template':
      return node.uriTemplate;
    case 'prompt':
      return node.prompt;
    case 'skill':
      return node.skill;
  }
}

export function contentKindOf({ kind }: Pick<ItemNode, 'kind'>): ContentKind {
  return listOf[kind];
}

const listOf = {
  tool: 'tools',
  resource: 'resources',
  template: 'resourceTemplates',
  prompt: 'prompts',
  skill: 'skills',
} as const satisfies Record<ItemNode['kind'], ContentKind>;
