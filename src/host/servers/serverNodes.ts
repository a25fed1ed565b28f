import type { ContentKind } from '../../client/contents.ts';
import type { ServerTask } from '../../client/tasks/serverTask.ts';
import type { Prompt } from '../../protocol/mcp/prompts.ts';
import type { Resource, ResourceTemplate } from '../../protocol/mcp/resources.ts';
import type { Skill } from '../../protocol/mcp/skills.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import type { CommandId } from '../commandIds.ts';

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

/** A line below a server: why it is as it is, or what to do about it. */
export interface NoteNode {
  readonly kind: 'note';
  readonly server: string;
  readonly note:
    | 'start'
    | 'restricted'
    | 'trust'
    | 'signIn'
    | 'muted'
    | 'starting'
    | 'loading'
    | 'again'
    | 'error'
    | 'log'
    | 'retry'
    | 'silent'
    | 'stale'
    | 'options'
    | 'problems'
    | 'empty'
    | 'more';
  /** Where it stands below a group. */
  readonly group?: ContentKind;
  /** Plain text, possibly from the server: one line. */
  readonly text: string;
  /** All of it, where `text` is cut. */
  readonly detail?: string;
  /** Run by a click with this node as argument; without it the row only tells. */
  readonly command?: CommandId | 'workbench.trust.manage';
}

/** The tool calls a server goes on with by itself. */
export interface TasksNode {
  readonly kind: 'tasks';
  readonly server: string;
}

/** A tool call that continues as a task. */
export interface TaskNode {
  readonly kind: 'task';
  readonly server: string;
  /** Its id. */
  readonly task: string;
  readonly item: ServerTask;
  /** How the tool is called that runs, for people. */
  readonly title: string;
}

export interface GroupNode {
  readonly kind: 'group';
  readonly server: string;
  readonly contents: ContentKind;
}

export type ItemNode = ToolNode | ResourceNode | TemplateNode | PromptNode | SkillNode;

interface Item<Value> {
  readonly server: string;
  readonly item: Value;
  /** Tells apart what a server lists twice under one name: 0 for the first. */
  readonly occurrence: number;
}

export interface ToolNode extends Item<Tool> {
  readonly kind: 'tool';
  readonly tool: string;
}

export interface SavedCallNode {
  readonly kind: 'savedCall';
  readonly parent: ToolNode;
  readonly server: string;
  readonly tool: string;
  readonly name: string;
}

export interface ResourceNode extends Item<Resource> {
  readonly kind: 'resource';
  readonly uri: string;
}

export interface TemplateNode extends Item<ResourceTemplate> {
  readonly kind: 'template';
  readonly uriTemplate: string;
}

export interface PromptNode extends Item<Prompt> {
  readonly kind: 'prompt';
  readonly prompt: string;
}

/** A skill, by the URI of its SKILL.md. */
export interface SkillNode extends Item<Skill> {
  readonly kind: 'skill';
  /** The URI of its SKILL.md. */
  readonly skill: string;
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

const itemKinds: ReadonlySet<string> = new Set<ItemNode['kind']>(['tool', 'resource', 'template', 'prompt', 'skill']);

export function isItemNode(node: ServersNode): node is ItemNode {
  return itemKinds.has(node.kind);
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
