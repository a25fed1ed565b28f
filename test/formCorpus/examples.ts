import {
  isRecord,
  isString,
  isStringArray,
  type JsonObject,
  type JsonValue,
  type UnknownRecord,
} from '../../src/base/json.ts';
import { listIn } from '../../src/schema/schemaNode.ts';
import { SchemaRefs } from '../../src/schema/schemaRefs.ts';
import { SchemaChecker } from '../../src/checker/schemaChecker.ts';

/** Values of one schema, and of one part of it. */
const maximumExamples = 40;
const maximumOfPart = 6;
const maximumDepth = 7;

/** Parts of one schema that samples are made of; alternatives within alternatives are many. */
const maximumSteps = 50_000;

interface Source {
  readonly refs: SchemaRefs;
  /** Steps that may still be taken. */
  left: number;
}

const checker = new SchemaChecker();
let checks = 0;

/** Valid arguments for a schema: with and without what is optional, with each alternative, with empty and longer lists. */
export function examplesOf(schema: UnknownRecord): readonly JsonObject[] {
  const samples = unique(samplesOf(schema, { refs: new SchemaRefs(schema), left: maximumSteps }, 0));
  checks += 1;
  const job = { id: 0, key: checks, schema, firstOnly: true };
  return [...samples, {}]
    .slice(0, maximumExamples)
    .filter((value): value is JsonObject => isRecord(value))
    .filter((value) => checker.checkFirst({ ...job, value }).kind === 'valid');
}

function samplesOf(given: unknown, source: Source, depth: number): JsonValue[] {
  if (!isRecord(given)) return given === false ? [] : ['anything', 7, null];
  const schema = resolved(given, source);
  source.left -= 1;
  if (depth > maximumDepth || source.left < 0) return [];
  if (schema['const'] !== undefined) return [schema['const'] as JsonValue];
  if (Array.isArray(schema['enum'])) return (schema['enum'] as JsonValue[]).slice(0, maximumOfPart);
  const divided = variantsOf(schema);
  if (divided !== undefined) {
    const { rest, variants } = divided;
    return inTurn(variants.map((variant) => samplesOf(joined(rest, variant, source), source, depth + 1)));
  }
  const { type } = schema;
  const kinds = isStringArray(type) ? type : [isString(type) ? type : kindOf(schema)];
  return inTurn(kinds.map((kind) => samplesOfKind(kind, schema, source, depth)));
}

/** A schema without one of its choices, and what it is joined with instead: branches, or both sides of a condition. */
function variantsOf(
  schema: UnknownRecord,
): { readonly rest: UnknownRecord; readonly variants: readonly unknown[] } | undefined {
  const { oneOf, anyOf, ...others } = schema;
  if (Array.isArray(oneOf)) return { rest: anyOf === undefined ? others : { ...others, anyOf }, variants: oneOf };
  if (Array.isArray(anyOf)) return { rest: others, variants: anyOf };
  const { if: condition, then, else: otherwise, ...unconditional } = others;
  if (condition !== undefined)
    return { rest: unconditional, variants: [{ allOf: [condition, then ?? true] }, otherwise ?? true, true] };
  const { dependentSchemas, dependencies, ...independent } = others;
  const dependents = Object.entries({ ...(dependencies as object), ...(dependentSchemas as object) });
  if (dependents.length === 0) return undefined;
  const withKey = dependents.map(([key, dependent]) => ({
    required: [key, ...(isStringArray(dependent) ? dependent : [])],
    ...(isRecord(dependent) && { allOf: [dependent] }),
  }));
  return { rest: independent, variants: [true, ...withKey] };
}

function samplesOfKind(kind: string, schema: UnknownRecord, source: Source, depth: number): JsonValue[] {
  switch (kind) {
    case 'string':
      return textsOf(schema);
    case 'number':
    case 'integer':
      return numbersOf(schema, kind === 'integer');
    case 'boolean':
      return [true, false];
    case 'null':
      return [null];
    case 'array':
      return listsOf(schema, source, depth);
    default:
      return objectsOf(schema, source, depth);
  }
}

const formats: Readonly<Record<string, string>> = {
  date: '2026-11-24',
  time: '10:00:00Z',
  'date-time': '2026-11-24T10:00:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com/a',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function textsOf({ format, minLength, maxLength, default: preset, pattern }: UnknownRecord): JsonValue[] {
  const known = isString(format) ? formats[format] : undefined;
  const least = typeof minLength === 'number' ? minLength : 0;
  const most = typeof maxLength === 'number' ? maxLength : Infinity;
  const texts = ['Ada\nLovelace ', 'a', '', '2026-11-24', '12', 'https://example.com', 'a-b', 'A1'];
  const fitting = texts.map((text) => text.slice(0, most).padEnd(Math.min(least, 1_000), 'x'));
  const first = [...(isString(preset) ? [preset] : []), ...(known === undefined ? [] : [known])];
  return [...first, ...fitting].slice(0, isString(pattern) ? undefined : 3 + first.length);
}

function numbersOf({ minimum, maximum, exclusiveMinimum, multipleOf }: UnknownRecord, isInteger: boolean): JsonValue[] {
  const bounds = [minimum, maximum].filter((bound) => typeof bound === 'number');
  const above = typeof exclusiveMinimum === 'number' ? [exclusiveMinimum + 1] : [];
  const step = typeof multipleOf === 'number' ? [multipleOf * 10] : [];
  const others = isInteger ? [3, 0, -1] : [0.5, 3, -1e21];
  return [...bounds, ...above, ...step, ...(bounds.length === 2 ? others.slice(0, 1) : others)];
}

function listsOf(schema: UnknownRecord, source: Source, depth: number): JsonValue[] {
  const { items, prefixItems, minItems, maxItems } = schema;
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
  if (tuple !== undefined) {
    const parts = (tuple as unknown[]).map((part) => samplesOf(part, source, depth + 1)[0] ?? null);
    return [parts];
  }
  const samples = samplesOf(items ?? true, source, depth + 1);
  const least = typeof minItems === 'number' ? Math.min(minItems, 20) : 0;
  const most = typeof maxItems === 'number' ? maxItems : 20;
  const cycle = (count: number): JsonValue[] =>
    Array.from({ length: count }, (_, index) => samples[index % samples.length] ?? null);
  const lists = [cycle(Math.max(least, 2)), samples.slice(0, most), cycle(least)];
  return samples.length === 0 ? [[]] : lists.filter((list) => list.length >= least && list.length <= most);
}

function objectsOf(schema: UnknownRecord, source: Source, depth: number): JsonValue[] {
  const { properties, required, additionalProperties, patternProperties } = schema;
  const known = isRecord(properties) ? properties : {};
  const needed = new Set(isStringArray(required) ? required : []);
  const members = Object.entries(known)
    .map(([key, property]) => ({ key, samples: samplesOf(property, source, depth + 1), isNeeded: needed.has(key) }))
    .filter(({ samples }) => samples.length > 0);
  const pick = (which: typeof members, turn: number): JsonValue =>
    Object.fromEntries(which.map(({ key, samples }) => [key, samples[turn % samples.length] ?? null] as const));
  const turns = Math.min(maximumOfPart, Math.max(1, ...members.map(({ samples }) => samples.length)));
  const whole = Array.from({ length: turns }, (_, turn) => pick(members, turn));
  const bare = pick(
    members.filter(({ isNeeded }) => isNeeded),
    0,
  );
  const entry = isRecord(patternProperties) ? Object.values(patternProperties)[0] : additionalProperties;
  const entries = isRecord(entry) || entry === true ? samplesOf(entry, source, depth + 1).slice(0, 2) : [];
  const maps = entries.map((value, index) => ({ ...(bare as object), [`a${index}`]: value }));
  return [...whole, bare, ...maps];
}

function kindOf({ properties, additionalProperties, items, prefixItems, required }: UnknownRecord): string {
  if (items !== undefined || prefixItems !== undefined) return 'array';
  return properties !== undefined || additionalProperties !== undefined || required !== undefined ? 'object' : 'string';
}

/** With what its reference and `allOf` add. */
function resolved(schema: UnknownRecord, source: Source, depth = 0): UnknownRecord {
  const { $ref: reference, allOf, ...rest } = schema;
  if (depth > 10 || (reference === undefined && allOf === undefined)) return schema;
  const targets = source.refs.targetsOf(schema).map((target) => target.kind === 'found' && target.schema);
  const parts = [...targets, ...listIn(schema, 'allOf')];
  return parts.reduce<UnknownRecord>(
    (all, part) => (isRecord(part) ? merged(all, resolved(part, source, depth + 1)) : all),
    rest,
  );
}

function joined(rest: UnknownRecord, branch: unknown, source: Source): unknown {
  if (!isRecord(branch)) return Object.keys(rest).length === 0 ? branch : rest;
  const { oneOf, anyOf, ...others } = resolved(branch, source);
  // Two lists of alternatives of the same name go one after the other.
  const nested = merged(others, rest);
  const own = { ...(oneOf !== undefined && { oneOf }), ...(anyOf !== undefined && { anyOf }) };
  return Object.keys(own).some((name) => Object.hasOwn(rest, name))
    ? { ...nested, allOf: [own] }
    : { ...nested, ...own };
}

function merged(one: UnknownRecord, other: UnknownRecord): UnknownRecord {
  const properties = { ...(one['properties'] as object | undefined), ...(other['properties'] as object | undefined) };
  const required = [one['required'], other['required']].flatMap((list) => (isStringArray(list) ? list : []));
  return {
    ...other,
    ...one,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

/** One of each, then the second of each, and so on. */
function inTurn(lists: readonly (readonly JsonValue[])[]): JsonValue[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const all = Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
  return unique(all).slice(0, Math.max(maximumOfPart, lists.length));
}

function unique(values: readonly JsonValue[]): JsonValue[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
