import { stringifyExactly, withMarks } from '../../base/exactIntegers.ts';
import { isRecord, type JsonObject, type JsonValue } from '../../base/json.ts';
import { capitalized } from '../../base/truncate.ts';
import { applyTextEdits } from '../../config/editConfiguration.ts';
import { type JsonNode, nodeAt, readJson } from '../../config/jsonDocument.ts';
import { modifyEdits } from '../../config/memberEdits.ts';

/** A place in a text: offsets in UTF-16 units. */
interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/** Something wrong with the text, at a place of it. */
export interface TextProblem extends TextRange {
  readonly message: string;
}

/** The arguments in a document, with the place of each value; or why the text cannot be read. */
export type ParsedArguments =
  | { readonly kind: 'ok'; readonly args: JsonObject; readonly locate: (path: readonly string[]) => TextRange }
  | { readonly kind: 'broken'; readonly problems: readonly TextProblem[] };

export function parseArguments(text: string): ParsedArguments {
  const { root, faults } = readJson(text, false);
  if (faults.length > 0) {
    const sentence = (fault: string): string => `${capitalized(fault)}.`;
    return { kind: 'broken', problems: faults.map(({ range, fault }) => ({ ...range, message: sentence(fault) })) };
  }
  if (root?.type !== 'object') {
    const range = root?.range ?? { offset: 0, length: text.length };
    return { kind: 'broken', problems: [{ ...range, message: 'Arguments are an object: { … }.' }] };
  }
  return { kind: 'ok', args: root.value as JsonObject, locate: (path) => locate(root, path) };
}

/** The nearest place in the text: a missing member is reported at its parent. */
function locate(root: JsonNode, path: readonly string[]): TextRange {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = nodeAt(root, path.slice(0, depth));
    if (node !== undefined) return node.range;
  }
  return { offset: root.range.offset, length: 1 };
}

interface Change {
  readonly path: readonly (string | number)[];
  readonly value: JsonValue | undefined;
}

/** With more changes than this, the whole text is written again. */
const maximumChanges = 50;

/**
 * The text of a document after its value has changed: comments and formatting of what stays the same are kept.
 * @param text holds `before`
 * @param after what it is to hold
 */
export function editArguments(text: string, before: JsonObject, after: JsonObject): string {
  const changes: Change[] = [];
  collect(withMarks(before), withMarks(after), [], changes);
  if (changes.length > maximumChanges) return writeArguments(after);
  let edited = text;
  for (const { path, value } of changes) edited = applyTextEdits(edited, modifyEdits(edited, path, value));
  return edited;
}

export function writeArguments(args: JsonObject): string {
  return `${stringifyExactly(args, 2)}\n`;
}

function collect(before: JsonValue, after: JsonValue, path: Change['path'], changes: Change[]): void {
  if (before === after || changes.length > maximumChanges) return;
  if (isRecord(before) && isRecord(after)) return collectMembers(before, after, path, changes);
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, value] of after.entries()) {
      collect(before[index] as JsonValue, value as JsonValue, [...path, index], changes);
    }
    return;
  }
  if (JSON.stringify(before) !== JSON.stringify(after)) changes.push({ path, value: after });
}

function collectMembers(before: JsonObject, after: JsonObject, path: Change['path'], changes: Change[]): void {
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key) || after[key] === undefined)
      changes.push({ path: [...path, key], value: undefined });
  }
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (old === undefined) changes.push({ path: [...path, key], value });
    else collect(old, value, [...path, key], changes);
  }
}
