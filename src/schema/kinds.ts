import { isString, type JsonValue, type UnknownRecord } from '../base/json.ts';
import { own } from './schemaNode.ts';

/** The kinds of values that have fields of their own; `null` is none of them. */
export type Kind = 'text' | 'number' | 'boolean' | 'object' | 'list';

export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** All kinds, in the order in which they are offered. */
export const allKinds: readonly Kind[] = ['text', 'number', 'boolean', 'object', 'list'];

const kindByType: Readonly<Record<TypeName, Kind | 'null'>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  object: 'object',
  array: 'list',
  null: 'null',
};

export const typeNames = Object.keys(kindByType) as readonly TypeName[];

/** A kind in words: for a choice, within a sentence, and as the items of a list. */
export const kindWords = {
  text: { label: 'Text', one: 'a text', many: 'texts' },
  number: { label: 'Number', one: 'a number', many: 'numbers' },
  boolean: { label: 'True or false', one: 'true or false', many: 'true or false' },
  object: { label: 'Object', one: 'an object', many: 'objects' },
  list: { label: 'List', one: 'a list', many: 'lists' },
  null: { label: 'null', one: 'null', many: 'null' },
} satisfies Readonly<Record<Kind | 'null', object>>;

export function kindOf(value: JsonValue): Kind | 'null' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'object';
}

/** The types that a schema states, and `null` where it says `nullable`; `undefined` if it states none that is known. */
export function typesOf(schema: UnknownRecord): ReadonlySet<TypeName> | undefined {
  const type = own(schema, 'type');
  const stated: readonly unknown[] = Array.isArray(type) ? type : [type];
  const types = new Set(stated.filter(isTypeName));
  // An unknown one, such as "any" or "file", may stand for each of them.
  if (types.size === 0 || stated.some((each) => !isTypeName(each))) return undefined;
  if (own(schema, 'nullable') === true) types.add('null');
  return types;
}

/** The types that both allow: a whole number is a number too. */
export function commonTypes(
  one: ReadonlySet<TypeName> | undefined,
  other: ReadonlySet<TypeName> | undefined,
): ReadonlySet<TypeName> | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const allows = (types: ReadonlySet<TypeName>, type: TypeName): boolean =>
    types.has(type) || (type === 'integer' && types.has('number'));
  return new Set([...one, ...other].filter((type) => allows(one, type) && allows(other, type)));
}

export function kindsOfTypes(types: ReadonlySet<TypeName>): readonly Kind[] {
  return [...new Set([...types].map((type) => kindByType[type]))].filter((kind) => kind !== 'null');
}

export function typesOfKind(kind: Kind, types: Iterable<TypeName> = typeNames): ReadonlySet<TypeName> {
  return new Set([...types].filter((type) => kindByType[type] === kind));
}

/** Keywords that only have a meaning for one kind: they tell what an untyped schema is about. */
const kindKeywords: Readonly<Record<Exclude<Kind, 'boolean'>, readonly string[]>> = {
  object: (
    'properties required additionalProperties patternProperties unevaluatedProperties propertyNames ' +
    'minProperties maxProperties dependentRequired dependentSchemas dependencies'
  ).split(' '),
  list: 'items prefixItems additionalItems unevaluatedItems contains minItems maxItems uniqueItems'.split(' '),
  text: ['minLength', 'maxLength', 'pattern', 'format', 'contentMediaType', 'contentEncoding'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

/** The kinds that keywords of untyped schemas are about, most likely first. */
export function impliedKinds(schemas: readonly UnknownRecord[]): readonly Kind[] {
  const has = (names: readonly string[]): boolean =>
    schemas.some((schema) => names.some((name) => Object.hasOwn(schema, name)));
  return (['object', 'list', 'text', 'number'] as const).filter((kind) => has(kindKeywords[kind]));
}

export function isTypeName(value: unknown): value is TypeName {
  return isString(value) && Object.hasOwn(kindByType, value);
}
