import { copyDigits, digitsAt, keepDigits } from '../base/exactIntegers.ts';
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
 * @param digits of an integer that is rounded in the value
 */
export function withValueAt(
  root: JsonValue | undefined,
  path: ValuePath,
  value: JsonValue | undefined,
  digits?: string,
): JsonValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const next = withValueAt(memberOf(root, step), rest, value, digits);
  const own = rest.length === 0 ? digits : undefined;
  return typeof step === 'number' ? withItem(root, step, next, own) : withMember(root, step, next, own);
}

function withItem(
  list: JsonValue | undefined,
  index: number,
  value: JsonValue | undefined,
  digits?: string,
): JsonValue {
  return editList(Array.isArray(list) ? list : [], (items) => {
    if (value === undefined) items.splice(index, 1);
    else items[Math.min(index, items.length)] = { value, digits };
  });
}

/** A copy of a list, changed: digits move with their items. */
function editList(list: readonly JsonValue[], edit: (items: Item[]) => void): readonly JsonValue[] {
  const items = list.map((value, index): Item => ({ value, digits: digitsAt(list, index) }));
  edit(items);
  const copy = items.map(({ value }) => value);
  for (const [index, { digits }] of items.entries()) keepDigits(copy, index, digits);
  return copy;
}

interface Item {
  readonly value: JsonValue;
  readonly digits: string | undefined;
}

function withMember(
  object: JsonValue | undefined,
  key: string,
  value: JsonValue | undefined,
  digits?: string,
): JsonObject {
  const entries = isRecord(object) ? (Object.entries(object) as [string, JsonValue][]) : [];
  // A map keeps the place of a key. `Object.fromEntries` defines properties, so that `__proto__` is a key like any other.
  const members = new Map(entries);
  if (value === undefined) members.delete(key);
  else members.set(key, value);
  const copy = Object.fromEntries(members);
  if (isRecord(object)) copyDigits(object, copy);
  keepDigits(copy, key, digits);
  return copy;
}

/** The root with an item of a list at another index. */
export function moveItem(root: JsonValue, listPath: ValuePath, from: number, to: number): JsonValue {
  const list = valueAt(root, listPath);
  if (!Array.isArray(list)) return root;
  const moved = editList(list as readonly JsonValue[], (items) => items.splice(to, 0, ...items.splice(from, 1)));
  return withValueAt(root, listPath, moved) ?? root;
}

/**
 * The root with another name for an entry of an object; the order stays.
 * @returns `undefined` if there is an entry of that name already
 */
export function renameKey(root: JsonValue, objectPath: ValuePath, from: string, to: string): JsonValue | undefined {
  const object = valueAt(root, objectPath);
  if (!isRecord(object) || Object.hasOwn(object, to)) return undefined;
  const entries = Object.entries(object) as [string, JsonValue][];
  const renamed = Object.fromEntries(entries.map(([name, value]) => [name === from ? to : name, value] as const));
  keepDigits(copyDigits(object, renamed), to, digitsAt(object, from));
  return withValueAt(root, objectPath, renamed);
}
