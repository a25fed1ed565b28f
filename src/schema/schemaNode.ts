import { isRecord, isString, type UnknownRecord } from '../base/json.ts';

/** A member of a schema; never one that is inherited. */
export function own(schema: UnknownRecord, name: string): unknown {
  return Object.hasOwn(schema, name) ? schema[name] : undefined;
}

/** The entries of a list in a schema; none if it is no list. */
export function listIn(schema: UnknownRecord, name: string): readonly unknown[] {
  const list = own(schema, name);
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
}

/** The members of an object in a schema; none if it is no object. */
export function membersIn(schema: UnknownRecord, name: string): readonly (readonly [string, unknown])[] {
  const map = own(schema, name);
  return isRecord(map) ? Object.entries(map) : [];
}

/** The texts of a list in a schema. */
export function textsIn(schema: UnknownRecord, name: string): readonly string[] {
  return listIn(schema, name).filter(isString);
}

/** A number in a schema. */
export function numberIn(schema: UnknownRecord, name: string): number | undefined {
  const value = own(schema, name);
  return typeof value === 'number' ? value : undefined;
}

/** A text in a schema that is not empty. */
export function textIn(schema: UnknownRecord, name: string): string | undefined {
  const value = own(schema, name);
  return isString(value) && value !== '' ? value : undefined;
}

/** True for what can be a schema. */
export function isSchema(value: unknown): value is boolean | UnknownRecord {
  return typeof value === 'boolean' || isRecord(value);
}

/**
 * True for the same JSON value; the order of keys does not count. Works for any depth.
 * @param count takes the numbers of members and of parts of texts that are compared, before they are
 */
export function isSameJson(one: unknown, other: unknown, count: (compared: number) => void = () => {}): boolean {
  const waiting: (readonly [unknown, unknown])[] = [[one, other]];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [left, right] = pair;
    if (isString(left) && isString(right) && left.length === right.length) count(left.length / 16);
    if (left === right) continue;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    const [keys, others] = [Object.keys(left), Object.keys(right)];
    count(keys.length + others.length);
    if (keys.length !== others.length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(right, key)) return false;
      waiting.push([left[key as never], right[key as never]]);
    }
  }
  return true;
}

/** Keywords with one schema, or with a list of schemas, for the same value. */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'];

/** Keywords with one schema, or with a list of schemas, for what is in the value. */
const inside = [
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'additionalProperties',
  'unevaluatedProperties',
];

const mapsInPlace = ['dependentSchemas', 'dependencies'];
const mapsInside = ['properties', 'patternProperties'];

/** The schemas that a form meets right below a schema, references apart. */
export function schemasBelow(schema: UnknownRecord): UnknownRecord[] {
  const found: UnknownRecord[] = [];
  const take = (value: unknown): void => {
    if (isRecord(value)) found.push(value);
  };
  for (const name of [...inPlace, ...inside]) {
    const value = own(schema, name);
    if (Array.isArray(value)) value.forEach(take);
    else take(value);
  }
  for (const name of [...mapsInPlace, ...mapsInside]) for (const [, value] of membersIn(schema, name)) take(value);
  return found;
}
