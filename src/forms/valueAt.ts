import { isRecord, type JsonObject, type JsonValue } from '../base/json.ts';
import { jsonAt } from '../base/jsonPath.ts';
import type { ValuePath } from './field.ts';

/** @returns `undefined` where the path leads nowhere */
export function valueAt(root: JsonValue | undefined, path: ValuePath): JsonValue | undefined {
  return jsonAt(root, path) as JsonValue | undefined;
}

/** The member of an object or list; never one that is inherited. */
export function memberOf(value: JsonValue | undefined, step: string | number): JsonValue | undefined {
  return valueAt(value, [step]);
}

/**
 * The root with another value at a path; what lies beside the path is shared with the old root.
 * @param value `undefined` removes: a key is deleted, an item of a list is taken out. Missing parents are created.
 */
export function withValueAt(
  root: JsonValue | undefined,
  path: ValuePath,
  value: JsonValue | undefined,
): JsonValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const next = withValueAt(memberOf(root, step), rest, value);
  return typeof step === 'number' ? withItem(root, step, next) : withMember(root, step, next);
}

function withItem(list: JsonValue | undefined, index: number, value: JsonValue | undefined): JsonValue {
  const copy: JsonValue[] = Array.isArray(list) ? [...(list as readonly JsonValue[])] : [];
  if (value === undefined) copy.splice(index, 1);
  else copy[Math.min(index, copy.length)] = value;
  return copy;
}

function withMember(object: JsonValue | undefined, key: string, value: JsonValue | undefined): JsonObject {
  const entries = isRecord(object) ? (Object.entries(object) as [string, JsonValue][]) : [];
  // A map keeps the place of a key. `Object.fromEntries` defines properties, so that `__proto__` is a key like any other.
  const members = new Map(entries);
  if (value === undefined) members.delete(key);
  else members.set(key, value);
  return Object.fromEntries(members);
}

/** The root with an item of a list at another index. */
export function moveItem(root: JsonValue, listPath: ValuePath, from: number, to: number): JsonValue {
  const list = valueAt(root, listPath);
  if (!Array.isArray(list)) return root;
  const items = [...(list as readonly JsonValue[])];
  const [moved] = items.splice(from, 1);
  if (moved !== undefined) items.splice(to, 0, moved);
  return withValueAt(root, listPath, items) ?? root;
}

/**
 * The root with another name for an entry of an object; the order stays.
 * @returns `undefined` if there is an entry of that name already
 */
export function renameKey(root: JsonValue, objectPath: ValuePath, from: string, to: string): JsonValue | undefined {
  const object = valueAt(root, objectPath);
  if (!isRecord(object) || Object.hasOwn(object, to)) return undefined;
  const entries = Object.entries(object) as [string, JsonValue][];
  const renamed = entries.map(([name, value]) => [name === from ? to : name, value] as const);
  return withValueAt(root, objectPath, Object.fromEntries(renamed));
}
