import { applyEdits, modify } from 'jsonc-parser';
import { isRecord, type JsonObject, type JsonValue } from '../../base/json.ts';

/** One place of a value that is to change; `undefined` removes it. */
interface Change {
  readonly path: readonly (string | number)[];
  readonly value: JsonValue | undefined;
}

/** More changes than this, and the text is written anew. */
const maximumChanges = 50;

const formatting = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/**
 * The text of a document after its value has changed: comments and formatting of what stays the same are kept.
 * @param text holds `before`
 * @param after what it is to hold
 */
export function editArguments(text: string, before: JsonObject, after: JsonObject): string {
  const changes: Change[] = [];
  collect(before, after, [], changes);
  if (changes.length > maximumChanges) return writeArguments(after);
  let edited = text;
  for (const { path, value } of changes) edited = applyEdits(edited, modify(edited, [...path], value, formatting));
  return edited;
}

export function writeArguments(args: JsonObject): string {
  return `${JSON.stringify(args, undefined, 2)}\n`;
}

function collect(before: JsonValue, after: JsonValue, path: Change['path'], changes: Change[]): void {
  if (before === after || changes.length > maximumChanges) return;
  if (isObject(before) && isObject(after)) return collectMembers(before, after, path, changes);
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

function isObject(value: JsonValue): value is JsonObject {
  return isRecord(value);
}
