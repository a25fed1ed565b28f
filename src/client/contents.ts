import type { Prompt } from '../protocol/mcp/prompts.ts';
import type { Resource, ResourceTemplate } from '../protocol/mcp/resources.ts';
import type { Tool } from '../protocol/mcp/tools.ts';
import type { Contents } from './server/server.ts';

/** The lists whose entries are pinned. Skills carry their own digests. */
export const definedKinds = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;

/** A list whose entries are pinned. */
export type DefinedKind = (typeof definedKinds)[number];

/** An entry of such a list, as the server sent it. */
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
  let index = indexes.get(list);
  if (index === undefined) {
    index = indexOf(kind, list);
    indexes.set(list, index);
  }
  return index.get(key) ?? notListed;
}

function indexOf(kind: DefinedKind, list: readonly Definition[]): ReadonlyMap<string, readonly Definition[]> {
  const index = new Map<string, Definition[]>();
  for (const definition of list) {
    const key = definitionKey(kind, definition);
    const known = index.get(key);
    if (known === undefined) index.set(key, [definition]);
    else known.push(definition);
  }
  return index;
}
