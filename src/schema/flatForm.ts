import { isRecord, isString, isStringArray, jsonLength, type JsonValue, type UnknownRecord } from '../base/json.ts';
import type { SchemaProblem } from '../base/schemaCheck.ts';
import { textFormats } from '../base/textFormats.ts';
import { isSameJson, listIn, numberIn, own, textIn } from './schemaNode.ts';
import { QuickCheck } from './quickCheck.ts';
import { SchemaRefs } from './schemaRefs.ts';

export type FormValue = string | number | boolean | readonly string[];

export type FormContent = Readonly<Record<string, FormValue>>;

export function isFormContent(value: unknown): value is FormContent {
  return isRecord(value) && Object.values(value).every(isFormValue);
}

function isFormValue(value: unknown): value is FormValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || isStringArray(value);
}

/**
 * The checked schema of a flat form, which is JSON Schema itself. Each property is a text, a number, true or false, one of
 * listed texts, or a list of texts; it refers to nothing and has only the keywords of {@link FlatProperty}.
 */
export interface FlatForm extends UnknownRecord {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, FlatProperty>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

export interface FlatProperty extends UnknownRecord {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  readonly title?: string;
  readonly description?: string;
  /** Valid as far as can be told without its pattern. */
  readonly default?: FormValue;
  readonly enum?: readonly FormValue[];
  readonly enumNames?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: FlatProperty;
}

/** What was found about the value of one field. Without problems and `note` it is valid. */
export interface FieldFinding {
  readonly name: string;
  /** `undefined` if the field is left out. */
  readonly value: FormValue | undefined;
  readonly problems: readonly SchemaProblem[];
  /** A sentence that says why the value was not checked. */
  readonly note?: string;
}

/** Why a schema is no flat form; the message is the end of a sentence. */
export class FlatFormError extends Error {}

/** Maximum size of a form that can be shown and filled in. */
const maximumForm = { fields: 100, options: 1_000, characters: 200_000 };

/**
 * Reads a schema of a flat object of primitives and enumerations, in all forms since 2025-06-18. Beyond the specification it
 * accepts lists of texts, references, and properties that may be null: `null` is left out, since no answer can have it. A
 * default that is not valid is left out.
 * @throws {FlatFormError} for a schema that a form cannot show
 */
export function readFlatForm(schema: UnknownRecord): FlatForm {
  const { type = 'object', properties = {}, required = [] } = present(schema);
  if (type !== 'object' || !isRecord(properties)) throw new FlatFormError('requestedSchema must describe an object');
  if (!isStringArray(required)) throw new FlatFormError('required must be a list of names');
  const names = Object.keys(properties);
  if (names.length > maximumForm.fields)
    throw new FlatFormError(`a form may have at most ${maximumForm.fields} fields`);
  if (jsonLength(schema) > maximumForm.characters) throw new FlatFormError('requestedSchema is too large');
  const lost = required.find((name) => !names.includes(name));
  if (lost !== undefined) throw fieldError(lost, 'is required but has no schema');
  const refs = new SchemaRefs(schema);
  const read = names.map((name) => [name, readProperty(name, properties[name], refs)] as const);
  return { type, properties: Object.fromEntries(read), required, additionalProperties: false };
}

/** @returns the first field whose value is missing or certainly not valid; patterns and formats are not checked */
export function findWrongField({ properties, required }: FlatForm, content: FormContent): string | undefined {
  return Object.entries(properties).find(([name, property]) =>
    Object.hasOwn(content, name) ? isValid(property, content[name]) === false : required.includes(name),
  )?.[0];
}

/** @returns `undefined` where only its pattern decides; its format is not checked */
export function isValid(property: FlatProperty, value: FormValue | undefined): boolean | undefined {
  if (numberProblem(property, value) !== undefined) return false;
  return new QuickCheck(property).verdict(property, value as JsonValue);
}

/**
 * A number that would not arrive as it was entered: JSON has no infinite ones, and large integers are rounded.
 * @returns what it must be
 */
export function numberProblem(
  { type, minimum, maximum }: FlatProperty,
  value: FormValue | undefined,
): string | undefined {
  const isInteger = type === 'integer';
  // A fraction is no integer, but is not rounded.
  const largest = isInteger ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE;
  if (typeof value !== 'number' || Math.abs(value) <= largest) return undefined;
  const noun = isInteger ? 'a whole number' : 'a number';
  if (minimum !== undefined && maximum !== undefined) return `must be ${noun} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `must be ${noun} of at least ${minimum}`;
  return maximum === undefined ? `must be ${noun}` : `must be ${noun} of at most ${maximum}`;
}

function readProperty(name: string, property: unknown, refs: SchemaRefs): FlatProperty {
  if (!isRecord(property)) throw fieldError(name, 'must have a schema');
  const schema = flatten(property, refs);
  const described = present({ title: textIn(schema, 'title'), description: textIn(schema, 'description') });
  const flat = { ...described, ...readKind(name, schema, refs) };
  const preset = own(schema, 'default');
  return isFormValue(preset) && isSuggestion(flat, preset) ? { ...flat, default: preset } : flat;
}

/** Whether a default is valid, as far as can be told without its pattern. */
function isSuggestion(property: FlatProperty, preset: FormValue): boolean {
  const texts = [preset].flat();
  const hasTwice = property.uniqueItems === true && new Set(texts).size < texts.length;
  return isValid(property, preset) !== false && !hasTwice && missedFormat(property, preset) === undefined;
}

/**
 * The format that a text, or one of a list, does not have. The formats of a form are for answers (2025-11-25, Client Features /
 * Elicitation, "Requested Schema"); elsewhere they refuse nothing.
 */
export function missedFormat(property: FlatProperty, value: FormValue): string | undefined {
  const { format = '' } = property.items ?? property;
  const test = textFormats.get(format) ?? (() => true);
  return [value].flat().filter(isString).every(test) ? undefined : format;
}

function readKind(name: string, schema: UnknownRecord, refs: SchemaRefs): FlatProperty {
  const options = readOptions(name, schema);
  if (options !== undefined) return options;
  const { type } = schema;
  switch (type) {
    case 'string':
      return readText(schema);
    case 'number':
    case 'integer':
      return { type, ...numbersIn(schema, ['minimum', 'maximum']) };
    case 'boolean':
      return { type, enum: [true, false], enumNames: ['Yes', 'No'] };
    case 'array':
      return { type, ...numbersIn(schema, ['minItems', 'maxItems']), ...readItems(name, schema, refs) };
    default:
      throw fieldError(name, 'must be a string, number, integer, boolean or a choice from a list');
  }
}

function readText(schema: UnknownRecord): FlatProperty {
  const format = [...textFormats.keys()].find((known) => known === own(schema, 'format'));
  const others = present({ format, pattern: textIn(schema, 'pattern') });
  return { type: 'string', ...others, ...numbersIn(schema, ['minLength', 'maxLength']) };
}

/** Choices where the items are an enumeration, else a list of texts. */
function readItems(name: string, schema: UnknownRecord, refs: SchemaRefs): Pick<FlatProperty, 'items' | 'uniqueItems'> {
  const items = own(schema, 'items');
  const item = isRecord(items) ? flatten(items, refs) : {};
  const options = readOptions(name, item);
  if (options !== undefined) return { items: options, uniqueItems: true };
  if (own(item, 'type') !== 'string')
    throw fieldError(name, 'may list only strings, or options in items.enum or items.anyOf');
  return { items: readText(item), uniqueItems: own(schema, 'uniqueItems') === true };
}

/** @returns `undefined` for a schema without an enumeration */
function readOptions(name: string, schema: UnknownRecord): FlatProperty | undefined {
  const { type = 'string', enum: values, enumNames, oneOf, anyOf, const: only } = schema;
  const titled = oneOf ?? anyOf ?? (only === undefined ? undefined : [{ const: only }]);
  if (values === undefined && titled === undefined) return undefined;
  const variants = (Array.isArray(titled) ? titled : [undefined]).map((each) => (isRecord(each) ? each : {}));
  const listed = values ?? variants.map((option) => option['const']);
  if (type !== 'string' || !isStringArray(listed)) throw fieldError(name, 'may offer only strings to choose from');
  const given = isStringArray(enumNames) && enumNames.length === listed.length ? enumNames : [];
  const names = values === undefined ? variants.map((option) => textIn(option, 'title')) : given;
  const labels = new Map(listed.map((value, index) => [value, names[index] ?? value]));
  if (labels.size === 0) throw fieldError(name, 'offers nothing to choose from');
  if (labels.size > maximumForm.options) throw fieldError(name, `may offer at most ${maximumForm.options} options`);
  return { type, enum: [...labels.keys()], enumNames: [...labels.values()] };
}

/** Schemas that one property is put together of, and keywords of one of them. JSON Schema has about 60. */
const maximumParts = 16;
const maximumKeywords = 80;

/**
 * The keywords of a schema, and of those that it refers to or has as its only variant, in one: servers in Python write optional
 * properties this way. `null` is left out. Where two say different things, the outer one counts.
 */
function flatten(property: UnknownRecord, refs: SchemaRefs): UnknownRecord {
  const flat = new Map<string, unknown>();
  const parts = new Set<UnknownRecord>();
  let isSmall = true;
  const add = (part: unknown, isReferenced: boolean): void => {
    if (!isRecord(part) || parts.has(part)) return;
    parts.add(part);
    isSmall &&= parts.size <= maximumParts && Object.keys(part).length <= maximumKeywords;
    if (!isSmall) return;
    const schema = withoutNull(part);
    const inner = ['allOf', 'anyOf', 'oneOf'].filter((name) => isWrapper(name, listIn(schema, name)));
    const hasOtherOptions = flat.has('enum') && !isSameJson(flat.get('enum'), schema['enum']);
    for (const [keyword, value] of Object.entries(schema)) {
      // The names of other options would be wrong.
      if (keyword === 'enumNames' && hasOtherOptions) continue;
      // The title of a shared definition is the name of its type, not of this property.
      if (keyword === '$ref' || inner.includes(keyword) || (isReferenced && keyword === 'title')) continue;
      if (!flat.has(keyword)) flat.set(keyword, value);
    }
    for (const name of inner) for (const each of listIn(schema, name)) add(each, isReferenced);
    for (const target of refs.targetsOf(part)) if (target.kind === 'found') add(target.schema, true);
  };
  add(property, false);
  return isSmall ? Object.fromEntries(flat) : {};
}

/** Whether what is in a list is a part of the schema itself. An option with a title stays a choice. */
function isWrapper(keyword: string, variants: readonly unknown[]): boolean {
  const [only] = variants;
  if (keyword === 'allOf') return variants.length > 0;
  return variants.length === 1 && isRecord(only) && !('const' in only && 'title' in only);
}

/** The keywords of a schema without `null` among its types, values and variants. A keyword that is null counts as absent. */
function withoutNull(schema: UnknownRecord): UnknownRecord {
  const { type, enum: values, enumNames } = schema;
  const changed = new Map(Object.entries(schema).filter(([key, value]) => value !== null || key === 'const'));
  if (Array.isArray(type)) {
    const types = type.filter((one) => one !== 'null');
    changed.set('type', types.length === 1 ? types[0] : types);
  }
  if (Array.isArray(values)) {
    const isKept = (_: unknown, index: number): boolean => values[index] !== null;
    changed.set('enum', values.filter(isKept));
    if (Array.isArray(enumNames)) changed.set('enumNames', enumNames.filter(isKept));
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    const others = listIn(schema, keyword).filter((variant) => !isNull(variant));
    if (listIn(schema, keyword).length > 0) changed.set(keyword, others);
  }
  return Object.fromEntries(changed);
}

function isNull(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  const [first, ...others] = listIn(schema, 'enum');
  const isOnlyNull = first === null && others.every((value) => value === null);
  return schema['type'] === 'null' || schema['const'] === null || isOnlyNull;
}

function numbersIn(schema: UnknownRecord, names: readonly string[]): UnknownRecord {
  return present(Object.fromEntries(names.map((name) => [name, numberIn(schema, name)])));
}

function present(members: UnknownRecord): UnknownRecord {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}

function fieldError(name: string, detail: string): FlatFormError {
  return new FlatFormError(`the field ${JSON.stringify(name.slice(0, 100))} ${detail}`);
}
