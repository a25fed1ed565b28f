import { canonicalJson, sha256 } from '../../base/digest.ts';
import { exactEntries, exactMember, parseExactly } from '../../base/exactIntegers.ts';
import { isRecord, type UnknownRecord } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { DefinedKind, Definition } from '../contents.ts';

/** All definitions that a server lists under one name, as text. Equal digests mean the same definitions. */
export interface DefinitionSnapshot {
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

export interface DefinitionChange {
  /** `description`, `inputSchema.properties.path.type`. */
  readonly path: string;
  /** An excerpt around the first difference: a string as it is, other values as JSON; `undefined` if there was no value. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface DefinitionDifference {
  readonly changes: readonly DefinitionChange[];
  /** A limit was reached: there may be more changes, or the definitions were too long to compare. */
  readonly isCut: boolean;
}

/**
 * Compares two definitions, with limits on the work.
 * @param before text of a {@link DefinitionSnapshot}; `undefined` if it was too long to be stored
 * @param after text of the current one
 */
export function compareDefinitions(before: string | undefined, after: string): DefinitionDifference {
  if (before === undefined || after.length > limits.difference.compared) return { changes: [], isCut: true };
  const [old, now] = [unwrap(parseExactly(before)), unwrap(parseExactly(after))];
  if (!isRecord(old) || !isRecord(now)) return compareFrom('', 0, old, now);
  // Each member has its own limit: a thousand changes of the schema must not hide one of the annotations.
  const members = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const found = members.map((path) => compareFrom(path, 1, exactMember(old, path), exactMember(now, path)));
  return { changes: found.flatMap(({ changes }) => changes), isCut: found.some(({ isCut }) => isCut) };
}

/** Usually a server lists one definition under a name: compare it without the surrounding array. */
function unwrap(definitions: unknown): unknown {
  return Array.isArray(definitions) && definitions.length < 2 ? definitions[0] : definitions;
}

function compareFrom(start: string, startDepth: number, one: unknown, other: unknown): DefinitionDifference {
  const changes: DefinitionChange[] = [];
  let steps = 0;
  let isCut = false;
  function compare(path: string, depth: number, before: unknown, after: unknown): void {
    isCut ||= steps > limits.difference.steps || changes.length >= limits.difference.changes;
    if (isCut) return;
    steps += 1;
    if (before === after) return;
    const [old, now] = depth < limits.difference.depth ? [membersOf(before), membersOf(after)] : [];
    if (old === undefined || now === undefined || old.isList !== now.isList) {
      if (canonicalJson(before) !== canonicalJson(after)) changes.push(changeOf(path, before, after));
      return;
    }
    for (const key of new Set([...old.values.keys(), ...now.values.keys()])) {
      const inner = old.isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
      compare(inner, depth + 1, old.values.get(key), now.values.get(key));
    }
  }
  compare(start, startDepth, one, other);
  return { changes, isCut };
}

interface Members {
  readonly isList: boolean;
  readonly values: ReadonlyMap<string, unknown>;
}

/** The entries of an array or object; `undefined` for other values. */
function membersOf(value: unknown): Members | undefined {
  if (Array.isArray(value)) return { isList: true, values: entriesOf(value) };
  if (!isRecord(value)) return undefined;
  return { isList: false, values: new Map(exactEntries(value)) };
}

/** By name if each entry has a unique one, like the arguments of a prompt, so that an insertion changes one entry only. */
function entriesOf(list: readonly unknown[]): ReadonlyMap<string, unknown> {
  const named = new Map(
    list.flatMap((entry) => (isRecord(entry) && typeof entry['name'] === 'string' ? [[entry['name'], entry]] : [])),
  );
  return named.size === list.length ? named : new Map(exactEntries(list));
}

function changeOf(path: string, before: unknown, after: unknown): DefinitionChange {
  const [old, now] = [textOf(before), textOf(after)];
  const start = firstDifference(old ?? '', now ?? '');
  return { path, before: excerpt(old, start), after: excerpt(now, start) };
}

function textOf(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : canonicalJson(value);
}

function firstDifference(before: string, after: string): number {
  const end = Math.min(before.length, after.length);
  let index = 0;
  while (index < end && before.charCodeAt(index) === after.charCodeAt(index)) index += 1;
  return index;
}

/** The excerpt begins shortly before the change, so that a change deep in a long text is visible. */
function excerpt(text: string | undefined, difference: number): string | undefined {
  if (text === undefined) return undefined;
  const { excerpt: maximum } = limits.difference;
  const start = text.length <= maximum ? 0 : Math.max(0, difference - 40);
  const kept = text.slice(start, start + maximum);
  return `${start > 0 ? '…' : ''}${kept}${start + maximum < text.length ? '…' : ''}`;
}
