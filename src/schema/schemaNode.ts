import { isRecord, isString, type UnknownRecord } from '../base/json.ts';

/** A member of a schema; never one that is inherited. */
export function own(schema: UnknownRecord, name: string): unknown {
  return Object.hasOwn(schema, name) ? schema[name] : undefined;
}

export function listIn(schema: UnknownRecord, name: string): readonly unknown[] {
  const list = own(schema, name);
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
}

export function membersIn(schema: UnknownRecord, name: string): readonly (readonly [string, unknown])[] {
  const map = own(schema, name);
  return isRecord(map) ? Object.entries(map) : [];
}

export function textsIn(schema: UnknownRecord, name: string): readonly string[] {
  return listIn(schema, name).filter(isString);
}

export function numberIn(schema: UnknownRecord, name: string): number | undefined {
  const value = own(schema, name);
  return typeof value === 'number' ? value : undefined;
}

/** The numbers that several schemas state. */
export function numbersIn(schemas: readonly UnknownRecord[], name: string): readonly number[] {
  return schemas.flatMap((schema) => numberIn(schema, name) ?? []);
}

/** A text in a schema that is not empty. */
export function textIn(schema: UnknownRecord, name: string): string | undefined {
  const value = own(schema, name);
  return isString(value) && value !== '' ? value : undefined;
}

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

/** Members of a schema that are values, not schemas. */
const valueKeywords = new Set(['enum', 'const', 'default', 'examples', 'required', 'dependentRequired', 'type']);

/** Members of a schema that are schemas by names of their own. */
const mapKeywords = new Set('properties patternProperties $defs definitions dependentSchemas dependencies'.split(' '));

/** Keywords whose schemas a form shows below a schema. */
const shownKeywords = new Set(
  (
    'allOf anyOf oneOf if then else dependentSchemas dependencies items prefixItems additionalItems unevaluatedItems ' +
    'properties patternProperties additionalProperties unevaluatedProperties'
  ).split(' '),
);

/** @returns those that a form shows, references apart */
export function shownBelow(schema: UnknownRecord): Iterable<UnknownRecord> {
  return schemasBelow(schema, (name) => shownKeywords.has(name));
}

/** Unknown keywords may hold schemas too, which references lead to. */
export function* schemasBelow(
  schema: UnknownRecord,
  isFollowed: (keyword: string) => boolean = () => true,
): Iterable<UnknownRecord> {
  for (const [name, member] of Object.entries(schema)) {
    if (valueKeywords.has(name) || !isFollowed(name)) continue;
    if (Array.isArray(member)) yield* (member as unknown[]).filter(isRecord);
    else if (isRecord(member)) {
      if (mapKeywords.has(name)) yield* Object.values(member).filter(isRecord);
      else yield member;
    }
  }
}
