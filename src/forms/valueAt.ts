import { exactEntries, exactMember, withMembers } from '../base/exactIntegers.ts';
import { type ExactValue, isRecord, type JsonObject, type JsonValue } from '../base/json.ts';
import { jsonAt } from '../base/jsonPath.ts';
import type { ValuePath } from './field.ts';

/** @returns `undefined` where the path leads nowhere */
export function valueAt(root: ExactValue | undefined, path: ValuePath): ExactValue | undefined {
  return jsonAt(root, path) as ExactValue | undefined;
}

/** The member of an object or list; never one that is inherited. */
export function memberOf(value: ExactValue | undefined, step: string | number): ExactValue | undefined {
  return valueAt(value, [step]);
}

/**
 * The root with another value at a path; what lies beside the path is shared with the old root.
 * @param value `undefined` removes: a key is deleted, an item of a list is taken out. Missing parents are created.
 */
export function withValueAt(
  root: ExactValue | undefined,
  path: ValuePath,
  value: ExactValue | undefined,
): ExactValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const next = withValueAt(memberOf(root, step), rest, value);
  return typeof step === 'number' ? withItem(root, step, next) : withMember(root, step, next);
}

function withItem(list: ExactValue | undefined, index: number, value: ExactValue | undefined): JsonValue {
  const items = itemsOf(list);
  if (value === undefined) items.splice(index, 1);
  else items[Math.min(index, items.length)] = value;
  return withMembers([], items.entries());
}

function itemsOf(list: ExactValue | undefined): unknown[] {
  return Array.isArray(list) ? list.map((_, index) => exactMember(list, index)) : [];
}

function withMember(object: ExactValue | undefined, key: string, value: ExactValue | undefined): JsonObject {
  // A map keeps the place of a key.
  const members = new Map(isRecord(object) ? exactEntries(object) : []);
  if (value === undefined) members.delete(key);
  else members.set(key, value);
  return withMembers({}, members);
}

/** The root with an item of a list at another index. */
export function moveItem(root: ExactValue, listPath: ValuePath, from: number, to: number): ExactValue {
  const list = valueAt(root, listPath);
  if (!Array.isArray(list)) return root;
  const items = itemsOf(list);
  items.splice(to, 0, ...items.splice(from, 1));
  return withValueAt(root, listPath, withMembers([], items.entries())) ?? root;
}

/**
 * The root with another name for an entry of an object; the order stays.
 * @returns `undefined` if there is an entry of that name already
 */
export function renameKey(root: ExactValue, objectPath: ValuePath, from: string, to: string): ExactValue | undefined {
  const object = valueAt(root, objectPath);
  if (!isRecord(object) || Object.hasOwn(object, to)) return undefined;
  const renamed = exactEntries(object).map(([name, value]) => [name === from ? to : name, value] as const);
  return withValueAt(root, objectPath, withMembers({}, renamed));
}
