import { isRecord, isString, type JsonValue, type UnknownRecord } from '../base/json.ts';
import { truncateWithEllipsis } from '../base/truncate.ts';
import type { Branch, Field, FieldBase, ListField, ObjectField, SubSchema } from './field.ts';
import { limitsInWords } from './limitsInWords.ts';
import { asValue, copySchema, own } from './ownSchema.ts';
import { createSchemaRefs, type SchemaRefs } from './schemaRefs.ts';
import { allKinds, createShapes, type Kind, type Shape, type Shapes, type Union } from './shape.ts';

/** Says what a form shows for a value. Knows no DOM, runs no pattern of the schema, changes neither schema nor value. */
export interface FormEngine {
  readonly root: SubSchema;
  /**
   * The field of a value. Never throws, for any schema and value; takes bounded time.
   * @param value `undefined` if it is absent
   * @param chosen the branch the person has chosen at this place, which counts as long as the value is not of another kind
   */
  fieldFor(schema: SubSchema, value: JsonValue | undefined, chosen?: number): Field;
  /** A value to begin with, as empty as its kind can be: constants are filled in, defaults are not. */
  startValue(schema: SubSchema): JsonValue;
}

/** @param schema of a server, unchecked; dialects 2020-12, 2019-09, draft-07 and none */
export function createFormEngine(schema: UnknownRecord): FormEngine {
  const copy = copySchema(schema);
  return copy === undefined ? tooLarge : new SchemaEngine(copy);
}

/** Shows one JSON field for all. */
const tooLarge: FormEngine = {
  root: {},
  fieldFor: () => jsonField(plainBase, 'Its schema is too large to be shown as a form.', false),
  startValue: () => ({}),
};

const plainBase: FieldBase = { examples: [], isNullable: false, isDeprecated: false, isReadOnly: false, limits: [] };

/** A text of more characters than this may have gets several lines. */
const longText = 100;

/** Levels of references and conditions in which a union is looked for. */
const maximumSearch = 20;

/** Levels of consts that a new value is filled with. */
const startDepth = 6;

class SchemaEngine implements FormEngine {
  readonly root: UnknownRecord;
  readonly #shapes: Shapes;
  readonly #accepts: (schema: SubSchema, value: JsonValue) => boolean | undefined;
  /** Made once for each schema, so that the same branch is the same object. */
  readonly #branches = new WeakMap<UnknownRecord, Map<string, readonly Branch[]>>();
  /** Tells the places of unions apart. */
  readonly #ids = new WeakMap<UnknownRecord, number>();
  #count = 0;
  readonly #follow: SchemaRefs['follow'];

  constructor(root: UnknownRecord) {
    const refs = createSchemaRefs(root);
    this.root = root;
    this.#shapes = createShapes(refs);
    this.#accepts = refs.accepts;
    this.#follow = refs.follow;
  }

  fieldFor(schema: SubSchema, value: JsonValue | undefined, chosen?: number): Field {
    const shape = this.#shapes.shapeOf(schema, value);
    const base = baseOf(shape);
    if (shape.isNever || shape.kinds?.length === 0 || shape.listed?.length === 0)
      return jsonField(base, 'Its schema allows no value.', false);
    if (shape.obstacle !== undefined) return jsonField(base, shape.obstacle, false);
    if (shape.unions.length > 0) return this.#union(schema, shape, base, value, chosen);
    if (shape.listed !== undefined) return choice(shape, base, value);
    const kinds = kindsOf(shape);
    if (kinds.length > 1) return this.#kinds(schema, kinds, base, value, chosen);
    const [kind = 'null'] = kinds;
    const isMisfit = value !== undefined && value !== null && !isOfKind(value, kind);
    if (isMisfit)
      return jsonField(base, `This value is ${wordOf(value)}, and the schema asks for ${words[kind]}.`, true);
    switch (kind) {
      case 'string':
        return textField(shape, base);
      case 'number':
      case 'integer':
        return { ...base, kind: 'number', isInteger: kind === 'integer' };
      case 'boolean':
        return { ...base, kind };
      case 'array':
        return listField(shape, base, { root: this.root, follow: this.#follow });
      case 'object':
        return objectField(shape, base, value, { root: this.root, follow: this.#follow });
      case 'null':
        return { ...base, kind: 'null' };
    }
  }

  startValue(schema: SubSchema): JsonValue {
    return this.#start(schema, 0);
  }

  #start(schema: SubSchema, depth: number): JsonValue {
    const shape = this.#shapes.shapeOf(schema, undefined);
    const first = shape.listed?.[0];
    if (first !== undefined) return first.value;
    const union = shape.unions[0];
    if (union !== undefined && depth < startDepth) {
      const [branch] = this.#branchesOf(schema, union);
      return branch === undefined ? null : this.#start(branch.schema, depth + 1);
    }
    const [kind = 'null'] = kindsOf(shape);
    switch (kind) {
      case 'string':
        return '';
      case 'number':
      case 'integer':
        return startNumber(shape);
      case 'boolean':
        return false;
      case 'array':
        return [];
      case 'object':
        return depth < startDepth ? this.#startObject(shape, depth) : {};
      case 'null':
        return null;
    }
  }

  #startObject(shape: Shape, depth: number): JsonValue {
    const constants = [...shape.properties].flatMap(([key, property]) => {
      if (!shape.required.has(key)) return [];
      const { listed, unions } = this.#shapes.shapeOf(property, undefined);
      const isConstant = listed?.length === 1 && unions.length === 0;
      return isConstant ? [[key, this.#start(property, depth + 1)] as const] : [];
    });
    return Object.fromEntries(constants);
  }

  #union(
    schema: SubSchema,
    shape: Shape,
    base: FieldBase,
    value: JsonValue | undefined,
    chosen: number | undefined,
  ): Field {
    const [union] = shape.unions;
    const branches = union === undefined ? [] : this.#branchesOf(schema, union);
    return { ...base, kind: 'union', branches, chosen: this.#choose(branches, base, value, chosen) };
  }

  #choose(
    branches: readonly Branch[],
    base: FieldBase,
    value: JsonValue | undefined,
    chosen: number | undefined,
  ): number | undefined {
    if (value === undefined || (value === null && base.isNullable)) return undefined;
    const fits = branches.map(({ schema }) => kindsWithin(this.#shapes, schema).some((kind) => isOfKind(value, kind)));
    // What the person has chosen counts while the value could become one of it.
    if (chosen !== undefined && fits[chosen] === true) return chosen;
    const accepting = branches.findIndex(
      ({ schema }, index) => fits[index] === true && this.#accepts(schema, value) === true,
    );
    if (accepting >= 0) return accepting;
    return Math.max(0, fits.indexOf(true));
  }

  /** Each branch has what stands beside the union too; what is beside has one union less. */
  #branchesOf(schema: SubSchema, union: Union): readonly Branch[] {
    if (typeof schema === 'boolean') return [];
    const known = this.#branches.get(schema) ?? new Map<string, readonly Branch[]>();
    this.#branches.set(schema, known);
    // Which alternatives apply can depend on the value: each union of the node has its own.
    const key = `${union.name} ${this.#idOf(union.holder)}`;
    const made = known.get(key);
    if (made !== undefined) return made;
    const rest = this.#without(schema, union, 0) ?? true;
    const branches = union.branches.map((branch, index): Branch => {
      const still = this.#shapes.shapeOf(branch, undefined);
      const { description } = still.notes;
      return {
        label: labelOf(this.#shapes, still, index),
        ...(isString(description) && { description }),
        schema: this.#shapes.both(rest, branch),
      };
    });
    known.set(key, branches);
    return branches;
  }

  /**
   * The schema without one of its unions, and without what describes it: that is shown above the branch.
   * @returns `undefined` if the union is not in it
   */
  #without(schema: SubSchema, union: Union, depth: number): SubSchema | undefined {
    if (typeof schema === 'boolean' || depth > maximumSearch) return undefined;
    const { title: _title, description: _description, ...rest } = schema;
    if (schema === union.holder) {
      const { [union.name]: _union, ...others } = rest;
      return others;
    }
    const { $ref: _reference, if: _if, then: _then, else: _else, allOf, ...others } = rest;
    const target = this.#follow(schema);
    const conditional = [target, own(schema, 'then'), own(schema, 'else')];
    for (const part of conditional) {
      const found = isRecord(part) ? this.#without(part, union, depth + 1) : undefined;
      if (found !== undefined) return { ...others, allOf: [...listOf(allOf), found] };
    }
    const parts = listOf(allOf);
    for (const [index, part] of parts.entries()) {
      const found = isRecord(part) ? this.#without(part, union, depth + 1) : undefined;
      if (found !== undefined) return { ...rest, allOf: parts.map((each, at) => (at === index ? found : each)) };
    }
    return undefined;
  }

  #idOf(schema: UnknownRecord): number {
    let id = this.#ids.get(schema);
    if (id === undefined) {
      this.#count += 1;
      id = this.#count;
      this.#ids.set(schema, id);
    }
    return id;
  }

  #kinds(
    schema: SubSchema,
    kinds: readonly Kind[],
    base: FieldBase,
    value: JsonValue | undefined,
    chosen: number | undefined,
  ): Field {
    const key = `kinds ${kinds.join(' ')}`;
    const holder = typeof schema === 'boolean' ? this.root : schema;
    const known = this.#branches.get(holder) ?? new Map<string, readonly Branch[]>();
    this.#branches.set(holder, known);
    const named = typeof schema === 'boolean' ? `any ${key}` : key;
    const branches =
      known.get(named) ??
      kinds.map((kind): Branch => {
        const only = { type: kind };
        return { label: labels[kind], schema: typeof schema === 'boolean' ? only : { allOf: [only, schema] } };
      });
    known.set(named, branches);
    return { ...base, kind: 'union', branches, chosen: this.#choose(branches, base, value, chosen) };
  }
}

function baseOf({ notes, isNullable }: Shape): FieldBase {
  const { title, description, default: preset, examples } = notes;
  return {
    ...(isString(title) && title !== '' && { title }),
    ...(isString(description) && description !== '' && { description }),
    ...(preset !== undefined && { default: asValue(preset) }),
    examples: Array.isArray(examples) ? (examples.slice(0, 50) as JsonValue[]) : [],
    isNullable,
    isDeprecated: notes['deprecated'] === true,
    isReadOnly: notes['readOnly'] === true,
    limits: limitsInWords(notes),
  };
}

function jsonField(base: FieldBase, reason: string, isMisfit: boolean): Field {
  return { ...base, kind: 'json', reason, isMisfit };
}

function choice({ listed = [] }: Shape, base: FieldBase, value: JsonValue | undefined): Field {
  if (listed.length === 1 && listed[0]?.value === null) return { ...base, kind: 'null' };
  const text = value === undefined || value === null ? undefined : JSON.stringify(value);
  const isKnown = text === undefined || listed.some(({ value: each }) => JSON.stringify(each) === text);
  if (!isKnown) return jsonField(base, 'This value is none of those that the schema lists.', true);
  const options = listed.map(({ value: each, title, description }) => ({
    value: each,
    label: title ?? (isString(each) && each !== '' ? each : truncateWithEllipsis(JSON.stringify(each), 100)),
    ...(description !== undefined && { description }),
  }));
  return { ...base, kind: 'choice', options };
}

function textField({ notes }: Shape, base: FieldBase): Field {
  const { format, maxLength, pattern, contentMediaType } = notes;
  const isShort = isString(format) || isString(pattern) || (typeof maxLength === 'number' && maxLength <= longText);
  return {
    ...base,
    kind: 'text',
    ...(isString(format) && { format }),
    isLong: isString(contentMediaType) || !isShort,
  };
}

function listField(shape: Shape, base: FieldBase, schemas: Schemas): ListField {
  const { prefix, items, notes, references } = shape;
  const { minItems, maxItems } = notes;
  const most = typeof maxItems === 'number' ? maxItems : Infinity;
  return {
    ...base,
    kind: 'list',
    prefixLength: prefix.length,
    itemSchema: (index) => prefix[index] ?? items ?? true,
    minimumItems: typeof minItems === 'number' ? minItems : 0,
    maximumItems: items === false ? Math.min(most, prefix.length) : most,
    isRecursive: refersBack(items, references, schemas),
  };
}

function objectField(shape: Shape, base: FieldBase, value: JsonValue | undefined, schemas: Schemas): ObjectField {
  const { properties, required, isLive, references } = shape;
  const entries = entriesOf(shape);
  const known = isRecord(value) ? Object.keys(value) : [];
  // What is required without a schema of its own can be anything.
  const named = [...properties.keys(), ...[...required].filter((key) => !properties.has(key))];
  return {
    ...base,
    kind: 'object',
    properties: named.map((key) => ({
      key,
      schema: properties.get(key) ?? shape.entries ?? true,
      isRequired: required.has(key),
    })),
    ...(entries !== undefined && { entries }),
    otherKeys: known.filter((key) => !properties.has(key) && !required.has(key)),
    entrySchema: () => entries ?? (shape.entries === false ? undefined : true),
    isLive,
    isRecursive: [...properties.values()].some((property) => refersBack(property, references, schemas)),
  };
}

/** Which pattern a name matches is not known here, where no pattern runs: one of them, or what is for all others. */
function entriesOf({ properties, patterns, entries }: Shape): SubSchema | undefined {
  const others = entries === false ? [] : entries === undefined ? (patterns.length > 0 ? [] : undefined) : [entries];
  if (others === undefined) return properties.size === 0 ? true : undefined;
  const all = [...patterns, ...others];
  const [only] = all;
  return all.length <= 1 ? only : { anyOf: all };
}

/** The root schema, and what its references mean. */
interface Schemas {
  readonly root: UnknownRecord;
  readonly follow: SchemaRefs['follow'];
}

/** Leads back to a schema that the value itself is of: by a reference, through lists and unions. */
function refersBack(
  schema: SubSchema | undefined,
  references: ReadonlySet<UnknownRecord>,
  { root, follow }: Schemas,
  depth = 0,
): boolean {
  if (!isRecord(schema) || depth > 4) return false;
  if (own(schema, '$ref') !== undefined) {
    const target = follow(schema);
    if (isRecord(target) && (references.has(target) || target === root)) return true;
  }
  const unions = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => listOf(own(schema, name)));
  return [own(schema, 'items'), ...unions].some(
    (each) => isRecord(each) && refersBack(each, references, { root, follow }, depth + 1),
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function kindsWithin(shapes: Shapes, schema: SubSchema, depth = 0): readonly Kind[] {
  const shape = shapes.shapeOf(schema, undefined);
  if (shape.listed !== undefined) return [...new Set(shape.listed.map(({ value }) => kindOf(value)))];
  const [union] = shape.unions;
  if (union === undefined || depth > 3 || shape.kinds !== undefined) return kindsOf(shape);
  return [...new Set(union.branches.flatMap((branch) => kindsWithin(shapes, branch, depth + 1)))];
}

/** The kinds a value may have; where the schema names none, what its other keywords are about. */
function kindsOf(shape: Shape): readonly Kind[] {
  const { kinds, properties, patterns, entries, required, items, prefix, notes } = shape;
  if (kinds !== undefined) return kinds.includes('number') ? kinds.filter((kind) => kind !== 'integer') : kinds;
  const has = (...names: readonly string[]): boolean => names.some((name) => notes[name] !== undefined);
  if (properties.size > 0 || patterns.length > 0 || entries !== undefined || required.size > 0) return ['object'];
  if (items !== undefined || prefix.length > 0 || has('minItems', 'maxItems', 'uniqueItems')) return ['array'];
  if (has('minLength', 'maxLength', 'pattern', 'format')) return ['string'];
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return ['number'];
  return allKinds.filter((kind) => kind !== 'null' || !shape.isNullable);
}

function kindOf(value: JsonValue): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as Kind;
}

function isOfKind(value: JsonValue, kind: Kind): boolean {
  const found = kindOf(value);
  // Half a number is shown in its field, with what is wrong.
  return found === kind || (found === 'number' && kind === 'integer');
}

const labels: Readonly<Record<Kind, string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'True or false',
  object: 'Object',
  array: 'List',
  null: 'null',
};

const words: Readonly<Record<Kind, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function wordOf(value: JsonValue): string {
  return words[kindOf(value)];
}

function startNumber({ notes }: Shape): number {
  const { default: preset, minimum } = notes;
  if (typeof preset === 'number') return preset;
  return typeof minimum === 'number' ? minimum : 0;
}

/** What tells a branch from the others, in a few words of the schema. */
function labelOf(shapes: Shapes, shape: Shape, index: number): string {
  const { title } = shape.notes;
  if (isString(title) && title !== '') return title;
  for (const [key, property] of [...shape.properties].slice(0, 50)) {
    const { listed } = shapes.shapeOf(property, undefined);
    const [only] = listed ?? [];
    if (listed?.length === 1 && only !== undefined)
      return `${key}: ${truncateWithEllipsis(isString(only.value) ? only.value : JSON.stringify(only.value), 60)}`;
  }
  if (shape.referenceName !== undefined) return shape.referenceName;
  if (shape.listed !== undefined)
    return truncateWithEllipsis(shape.listed.map(({ value }) => JSON.stringify(value)).join(' or '), 80);
  const kinds = kindsOf(shape);
  if (kinds.length === 1 && kinds[0] === 'array' && isRecord(shape.items)) {
    const items = kindsOf(shapes.shapeOf(shape.items, undefined));
    if (items.length === 1 && items[0] !== undefined) return `List of ${labels[items[0]].toLowerCase()}s`;
  }
  if (kinds.length < 3) return kinds.map((kind) => labels[kind]).join(' or ');
  return `Option ${index + 1}`;
}
