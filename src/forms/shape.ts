import { isRecord, isString, isStringArray, type JsonValue, type UnknownRecord } from '../base/json.ts';
import type { SubSchema } from './field.ts';
import { asValue, keyword, own } from './ownSchema.ts';
import type { SchemaRefs } from './schemaRefs.ts';

/** The kinds of JSON values, as schemas name them. */
export type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** All kinds, in the order in which they are offered. */
export const allKinds: readonly Kind[] = ['string', 'number', 'boolean', 'object', 'array', 'null'];

/** One of the values that a schema lists. */
export interface ListedValue {
  readonly value: JsonValue;
  readonly title?: string;
  readonly description?: string;
}

/** All that a schema says about a value of now: its own keywords, those of its references and `allOf`, and of what applies. */
export interface Shape {
  /** `undefined`: any. */
  kinds: readonly Kind[] | undefined;
  readonly properties: Map<string, SubSchema>;
  readonly required: Set<string>;
  readonly patterns: SubSchema[];
  entries: SubSchema | undefined;
  prefix: readonly SubSchema[];
  items: SubSchema | undefined;
  listed: readonly ListedValue[] | undefined;
  /** Alternatives that are a choice of the person. `index` tells the keyword's place apart from others of the node. */
  readonly unions: Union[];
  /** Keywords that describe or bound, the outermost first. */
  readonly notes: Record<string, unknown>;
  readonly references: Set<UnknownRecord>;
  referenceName: string | undefined;
  /** Why the schema cannot be drawn, as a sentence. */
  obstacle: string | undefined;
  isNever: boolean;
  isNullable: boolean;
  isLive: boolean;
}

/** One `oneOf` or `anyOf` that stands in `holder`. */
export interface Union {
  readonly holder: UnknownRecord;
  readonly name: 'oneOf' | 'anyOf';
  readonly branches: readonly SubSchema[];
}

/** Levels of `allOf`, references and branches. */
const maximumDepth = 40;

/** Branches of one union that are offered. */
const maximumBranches = 200;

/** Schemas that make up one shape. */
const maximumParts = 20_000;

const noted = [
  'title',
  'description',
  'default',
  'examples',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'contentMediaType',
  'deprecated',
  'readOnly',
] as const;

/** Says what shapes values have. */
export interface Shapes {
  shapeOf(schema: SubSchema, value: JsonValue | undefined): Shape;
  /** The same schema for the same pair, so that what is known of it stays known. */
  both(first: SubSchema, second: SubSchema): SubSchema;
}

/** @param refs of the root schema */
export function createShapes(refs: SchemaRefs): Shapes {
  return new MergedShapes(refs);
}

class MergedShapes implements Shapes {
  readonly #refs: SchemaRefs;
  readonly #pairs = new WeakMap<UnknownRecord, WeakMap<UnknownRecord, UnknownRecord>>();
  /** Shapes of alternatives without a value, which are asked for again and again. */
  readonly #stills = new WeakMap<UnknownRecord, Shape>();
  #parts = 0;

  constructor(refs: SchemaRefs) {
    this.#refs = refs;
  }

  shapeOf(schema: SubSchema, value: JsonValue | undefined): Shape {
    this.#parts = 0;
    return this.#merged(schema, value, 0);
  }

  both(first: SubSchema, second: SubSchema): SubSchema {
    if (first === true || first === second) return second;
    if (second === true) return first;
    if (typeof first === 'boolean' || typeof second === 'boolean') return false;
    const known = this.#pairs.get(first) ?? new WeakMap<UnknownRecord, UnknownRecord>();
    this.#pairs.set(first, known);
    const joined = known.get(second) ?? { allOf: [first, second] };
    known.set(second, joined);
    return joined;
  }

  #stillOf(schema: SubSchema, depth: number): Shape {
    if (typeof schema === 'boolean') return this.#merged(schema, undefined, depth);
    const known = this.#stills.get(schema);
    if (known !== undefined) return known;
    this.#stills.set(schema, emptyShape());
    const shape = this.#merged(schema, undefined, depth);
    this.#stills.set(schema, shape);
    return shape;
  }

  #merged(schema: SubSchema, value: JsonValue | undefined, depth: number): Shape {
    const shape = emptyShape();
    this.#merge(shape, schema, value, depth);
    return shape;
  }

  #merge(shape: Shape, schema: unknown, value: JsonValue | undefined, depth: number): void {
    this.#parts += 1;
    if (schema === false) shape.isNever = true;
    if (!isRecord(schema)) return;
    if (depth > maximumDepth || this.#parts > maximumParts) {
      shape.obstacle ??= 'Its schema refers to itself, or is nested too deeply.';
      return;
    }
    noteOwn(shape, schema);
    this.#takeReference(shape, schema, value, depth);
    takeKinds(shape, schema);
    this.#takeMembers(shape, schema);
    this.#takeItems(shape, schema);
    for (const part of listOf(schema, 'allOf')) this.#merge(shape, part, value, depth + 1);
    this.#takeConditions(shape, schema, value, depth);
    for (const name of ['oneOf', 'anyOf'] as const) this.#takeUnion(shape, schema, name, value, depth);
  }

  #takeReference(shape: Shape, schema: UnknownRecord, value: JsonValue | undefined, depth: number): void {
    const reference = own(schema, '$ref');
    if (own(schema, '$dynamicRef') !== undefined || own(schema, '$recursiveRef') !== undefined)
      shape.obstacle ??= 'Its schema has a reference that depends on where it is used.';
    if (!isString(reference)) return;
    const target = this.#refs.follow(schema);
    if (target === undefined) shape.obstacle ??= `Its schema refers to ${reference.slice(0, 200)}, which is not there.`;
    else if (typeof target === 'boolean') this.#merge(shape, target, value, depth + 1);
    else if (!shape.references.has(target)) {
      shape.references.add(target);
      shape.referenceName ??= reference.split('/').at(-1);
      const { title } = shape.notes;
      this.#merge(shape, target, value, depth + 1);
      // The title of a shared definition is the name of its type, not of this value.
      if (title === undefined) delete shape.notes['title'];
      const name = own(target, 'title');
      if (isString(name) && title === undefined) shape.referenceName = name;
    }
  }

  #takeConditions(shape: Shape, schema: UnknownRecord, value: JsonValue | undefined, depth: number): void {
    const condition = own(schema, 'if');
    if (condition !== undefined) {
      shape.isLive = true;
      const holds = this.#refs.accepts(condition as SubSchema, value ?? {}) === true;
      this.#merge(shape, own(schema, holds ? 'then' : 'else') ?? true, value, depth + 1);
    }
    for (const name of ['dependencies', 'dependentSchemas', 'dependentRequired']) {
      const map = own(schema, name);
      if (!isRecord(map)) continue;
      shape.isLive = true;
      if (!isRecord(value)) continue;
      for (const [key, dependent] of Object.entries(map)) {
        if (!Object.hasOwn(value, key)) continue;
        if (isStringArray(dependent)) for (const each of dependent) shape.required.add(each);
        else this.#merge(shape, dependent, value, depth + 1);
      }
    }
  }

  #takeUnion(
    shape: Shape,
    holder: UnknownRecord,
    name: Union['name'],
    value: JsonValue | undefined,
    depth: number,
  ): void {
    const all = listOf(holder, name).filter((branch) => branch === true || isRecord(branch)) as SubSchema[];
    const alternatives = all
      .slice(0, maximumBranches)
      .map((branch) => ({ branch, still: this.#stillOf(branch, depth + 1) }));
    const others = alternatives.filter(({ still }) => !isNullOnly(still));
    if (others.length < alternatives.length || others.some(({ still }) => still.isNullable)) shape.isNullable = true;
    if (others.length === 0) return;
    const [only] = others;
    if (only !== undefined && others.length === 1 && all.length <= 2)
      return this.#merge(shape, only.branch, value, depth + 1);
    if (others.every(({ still }) => still.listed !== undefined && still.unions.length === 0)) {
      shape.listed = meet(
        shape.listed,
        others.flatMap(({ still }) => titled(still)),
      );
      return;
    }
    if (others.every(({ still }) => isConstraint(still))) return;
    shape.unions.push({ holder, name, branches: others.map(({ branch }) => branch) });
  }

  #takeMembers(shape: Shape, schema: UnknownRecord): void {
    const properties = own(schema, 'properties');
    if (isRecord(properties)) {
      for (const [key, property] of Object.entries(properties)) {
        const before = shape.properties.get(key);
        const given = typeof property === 'boolean' || isRecord(property) ? property : true;
        shape.properties.set(key, before === undefined ? given : this.both(before, given));
      }
    }
    const required = own(schema, 'required');
    if (Array.isArray(required)) for (const each of required as unknown[]) if (isString(each)) shape.required.add(each);
    const patterns = keyword(schema, 'patternProperties');
    if (isRecord(patterns)) shape.patterns.push(...(Object.values(patterns) as SubSchema[]));
    const entries = keyword(schema, 'additionalProperties') ?? own(schema, 'unevaluatedProperties');
    if (typeof entries === 'boolean' || isRecord(entries))
      shape.entries = shape.entries === undefined ? entries : this.both(shape.entries, entries);
  }

  #takeItems(shape: Shape, schema: UnknownRecord): void {
    const [items, prefix] = [own(schema, 'items'), own(schema, 'prefixItems')];
    const isTuple = Array.isArray(items);
    const list = Array.isArray(prefix) ? prefix : isTuple ? items : [];
    if (list.length > 0) shape.prefix = list as SubSchema[];
    const rest = isTuple ? own(schema, 'additionalItems') : (items ?? own(schema, 'unevaluatedItems'));
    if (typeof rest === 'boolean' || isRecord(rest))
      shape.items = shape.items === undefined ? rest : this.both(shape.items, rest);
  }
}

function emptyShape(): Shape {
  return {
    kinds: undefined,
    properties: new Map(),
    required: new Set(),
    patterns: [],
    entries: undefined,
    prefix: [],
    items: undefined,
    listed: undefined,
    unions: [],
    notes: {},
    references: new Set(),
    referenceName: undefined,
    obstacle: undefined,
    isNever: false,
    isNullable: false,
    isLive: false,
  };
}

function noteOwn(shape: Shape, schema: UnknownRecord): void {
  for (const name of noted) {
    const value = own(schema, name);
    if (value !== undefined && shape.notes[name] === undefined) shape.notes[name] = value;
  }
  for (const name of ['pattern', 'format'] as const) {
    const value = keyword(schema, name);
    if (isString(value)) shape.notes[name] ??= value;
  }
  if (own(schema, 'nullable') === true) shape.isNullable = true;
}

function takeKinds(shape: Shape, schema: UnknownRecord): void {
  const type = own(schema, 'type');
  const given = (Array.isArray(type) ? (type as unknown[]) : [type]).filter(isKind);
  if (given.length > 0) {
    if (given.includes('null')) shape.isNullable = shape.kinds === undefined || shape.isNullable;
    const rest = given.filter((kind) => kind !== 'null');
    const wanted: readonly Kind[] = rest.length === 0 ? ['null'] : rest;
    shape.kinds = shape.kinds === undefined ? wanted : meetKinds(shape.kinds, wanted);
  }
  const constant = own(schema, 'const');
  const values = own(schema, 'enum');
  if (constant !== undefined) shape.listed = meet(shape.listed, [listedValue(schema, constant)]);
  if (Array.isArray(values) && values.length > 0) {
    const names = own(schema, 'enumNames');
    const listed = (values as unknown[]).map((value, index): ListedValue => {
      const title: unknown = Array.isArray(names) ? (names as unknown[])[index] : undefined;
      return { value: asValue(value), ...(isString(title) && { title }) };
    });
    const others = listed.filter(({ value }) => value !== null);
    // `null` among others is how a choice is made optional.
    if (others.length < listed.length && others.length > 0) shape.isNullable ||= given.length === 0 || shape.isNullable;
    shape.listed = meet(shape.listed, others.length > 0 ? others : listed);
  }
}

function listedValue(schema: UnknownRecord, value: unknown): ListedValue {
  const [title, description] = [own(schema, 'title'), own(schema, 'description')];
  return {
    value: asValue(value),
    ...(isString(title) && { title }),
    ...(isString(description) && { description }),
  };
}

function titled({ listed = [], notes }: Shape): readonly ListedValue[] {
  const { title } = notes;
  return listed.length === 1 && isString(title) ? listed.map((each) => ({ title, ...each })) : listed;
}

function meet(one: readonly ListedValue[] | undefined, other: readonly ListedValue[]): readonly ListedValue[] {
  if (one === undefined) return other;
  const texts = new Set(other.map(({ value }) => JSON.stringify(value)));
  return one.filter(({ value }) => texts.has(JSON.stringify(value)));
}

function meetKinds(one: readonly Kind[], other: readonly Kind[]): readonly Kind[] {
  const wide = (kinds: readonly Kind[]): readonly Kind[] => (kinds.includes('number') ? [...kinds, 'integer'] : kinds);
  return one.includes('number') && other.includes('integer') && !other.includes('number')
    ? one.map((kind) => (kind === 'number' ? 'integer' : kind)).filter((kind) => other.includes(kind))
    : one.filter((kind) => wide(other).includes(kind));
}

function listOf(schema: UnknownRecord, name: string): readonly unknown[] {
  const list = own(schema, name);
  return Array.isArray(list) ? (list as unknown[]) : [];
}

function isKind(value: unknown): value is Kind {
  return isString(value) && ['integer', ...allKinds].includes(value);
}

function isNullOnly({ kinds, listed, unions }: Shape): boolean {
  if (unions.length > 0) return false;
  if (listed !== undefined) return listed.every(({ value }) => value === null);
  return kinds?.length === 1 && kinds[0] === 'null';
}

/** Alternatives that only ask for more of the same value: what is required, or bounds. */
function isConstraint({ kinds, properties, patterns, prefix, items, listed, unions, entries }: Shape): boolean {
  return (
    kinds === undefined &&
    listed === undefined &&
    unions.length === 0 &&
    properties.size === 0 &&
    patterns.length === 0 &&
    prefix.length === 0 &&
    items === undefined &&
    entries === undefined
  );
}
