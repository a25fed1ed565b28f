import { canonicalJson } from '../../base/canonicalJson.ts';
import { sha256 } from '../../base/digest.ts';
import type { UnknownRecord } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { DefinedKind, Definition } from '../listedDefinitions.ts';

/** All definitions that a server lists under one name, as text. Equal digests mean the same definitions. */
export interface DefinitionSnapshot {
  /** SHA-256 of `text`. */
  readonly digest: string;
  /** Canonical JSON of an array: usually one definition, several with the same name, or none if it is not listed. */
  readonly text: string;
}

/** The members that are compared. Icons, sizes and times change often and do not matter for a use. */
const countedMembers = {
  tools: ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations', 'execution', '_meta'],
  prompts: ['name', 'title', 'description', 'arguments'],
  resources: ['uri', 'name', 'title', 'description', 'mimeType', 'annotations'],
  resourceTemplates: ['uriTemplate', 'name', 'title', 'description', 'mimeType', 'annotations'],
} as const satisfies Record<DefinedKind, readonly string[]>;

/** Creates a snapshot. @returns `undefined` if the definitions are longer than `limits.definition` allows */
export async function snapshotOf(
  kind: DefinedKind,
  definitions: readonly Definition[],
): Promise<DefinitionSnapshot | undefined> {
  const counted = definitions.map((definition) => countedOf(kind, definition));
  const text = canonicalJson(counted, limits.definition.characters);
  return text === undefined ? undefined : { digest: await sha256(text), text };
}

function countedOf(kind: DefinedKind, definition: Definition): UnknownRecord {
  const listed = definition as unknown as UnknownRecord;
  const counted = Object.fromEntries(countedMembers[kind].map((member) => [member, listed[member]]));
  if (kind === 'tools' || kind === 'prompts') return counted;
  const { lastModified: _, ...annotations } = (counted['annotations'] ?? {}) as UnknownRecord;
  return { ...counted, annotations };
}
