import { getOrMake } from '../base/memoize.ts';
import type { Prompt } from '../protocol/mcp/prompts.ts';
import type { Resource, ResourceTemplate } from '../protocol/mcp/resources.ts';
import type { Skill } from '../protocol/mcp/skills.ts';
import type { Tool } from '../protocol/mcp/tools.ts';
import type { ListKind } from '../protocol/session/session.ts';

/** What one server offers. While it is stopped: what it offered last time, names and descriptions only. */
export interface Contents {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
  readonly prompts: readonly Prompt[];
  readonly skills: readonly Skill[];
}

export const emptyContents: Contents = { tools: [], resources: [], resourceTemplates: [], prompts: [], skills: [] };

export type ContentKind = keyof Contents;

export const contentKinds = Object.keys(emptyContents) as readonly ContentKind[];

export interface ListState {
  /** It is read for the first time, or again after a failure. */
  readonly isLoading: boolean;
  /** Why the list, or the rest of it, could not be read the last time. */
  readonly failure: string | undefined;
}

/** The capability or extension that a list belongs to. */
export type ListOwner = ListKind | 'skills';

/** The lists whose entries are pinned. Skills carry their own digests. */
export const definedKinds = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;

export type DefinedKind = (typeof definedKinds)[number];

export type Definition = Tool | Prompt | Resource | ResourceTemplate;

/** The key that a definition is requested by: a name, a URI, or a URI template. */
export function definitionKey(kind: DefinedKind, definition: Definition): string {
  const { name, uri, uriTemplate } = definition as Partial<Resource & ResourceTemplate> & { readonly name: string };
  if (kind === 'resources') return uri ?? '';
  return kind === 'resourceTemplates' ? (uriTemplate ?? '') : name;
}

const notListed: readonly Definition[] = [];
const indexes = new WeakMap<readonly Definition[], ReadonlyMap<string, readonly Definition[]>>();

/** The definitions that `contents` lists under a key. The same list gives the same array; each list is indexed once. */
export function definitionsOf(contents: Contents, kind: DefinedKind, key: string): readonly Definition[] {
  const list: readonly Definition[] = contents[kind];
  return getOrMake(indexes, list, () => indexOf(kind, list)).get(key) ?? notListed;
}

function indexOf(kind: DefinedKind, list: readonly Definition[]): ReadonlyMap<string, readonly Definition[]> {
  const index = new Map<string, Definition[]>();
  for (const definition of list) getOrMake(index, definitionKey(kind, definition), () => []).push(definition);
  return index;
}
