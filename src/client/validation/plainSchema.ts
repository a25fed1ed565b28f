import { isRecord, isString, isStringArray, type UnknownRecord } from '../../base/json.ts';
import {
  type ChoiceRules,
  createPlainCheck,
  everyType,
  isComparable,
  type ListRules,
  maximumSetSize,
  type NumberRules,
  type ObjectRules,
  type PlainCheck,
  type PlainRules,
  type PropertyRules,
  type StringRules,
  typeBits,
} from './plainCheck.ts';

/** A schema without other keywords than these and annotations. */
type PlainSchema = boolean | PlainKeywords;

interface PlainKeywords {
  /** Of {@link definitionsOf}. */
  readonly $ref?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly PlainSchema[];
  readonly allOf?: readonly PlainSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: PlainSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, PlainSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: PlainSchema;
}

type TypeName = keyof typeof typeBits;

const annotations = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
]);

const dialects = /^https?:\/\/json-schema\.org\/(draft\/20(20-12|19-09)|draft-0[67])\/schema#?$/;

/** Names that are the same in a reference, which is a URI with a JSON pointer. */
const simpleName = /^[\w.-]+$/;

/**
 * Compiles a check of the most common keywords that runs in this process, without generating code or running a pattern. The
 * checker process handles everything else, and every value that does not match.
 * @param schema within `limits.schema`
 * @returns `undefined` for a schema with other keywords
 */
export function compilePlainSchema({ $schema: dialect, ...schema }: UnknownRecord): PlainCheck | undefined {
  if (dialect !== undefined && !(isString(dialect) && dialects.test(dialect))) return undefined;
  const definitions = definitionsOf(schema);
  if (!isPlain(schema, definitions)) return undefined;
  const rules = compileDefinitions(definitions as ReadonlyMap<string, PlainSchema>).get('#');
  return rules && createPlainCheck(rules);
}

/** @returns the schemas that a reference can name, by reference: the whole one, and those in `$defs` */
function definitionsOf(schema: UnknownRecord): ReadonlyMap<unknown, unknown> {
  const definitions = new Map<unknown, unknown>([['#', schema]]);
  for (const keyword of ['$defs', 'definitions']) {
    const named = schema[keyword];
    if (!isRecord(named)) continue;
    for (const name of Object.keys(named))
      if (simpleName.test(name)) definitions.set(`#/${keyword}/${name}`, named[name]);
  }
  return definitions;
}

/** True if the schema and all schemas in it have only keywords of {@link PlainKeywords}, with operands of their types. */
function isPlain(schema: unknown, definitions: ReadonlyMap<unknown, unknown>): boolean {
  if (typeof schema === 'boolean') return true;
  if (!isRecord(schema)) return false;
  return Object.keys(schema).every((keyword) => isPlainKeyword(keyword, schema[keyword], definitions));
}

function isPlainKeyword(keyword: string, operand: unknown, definitions: ReadonlyMap<unknown, unknown>): boolean {
  const isPlainPart = (part: unknown): boolean => isPlain(part, definitions);
  switch (keyword) {
    case '$ref':
      return definitions.has(operand);
    case 'type':
      return isTypeName(operand) || (Array.isArray(operand) && operand.length <= 7 && operand.every(isTypeName));
    case 'enum':
      return Array.isArray(operand) && operand.length <= maximumSetSize;
    case 'const':
      return true;
    case 'anyOf':
    case 'allOf':
      return Array.isArray(operand) && operand.length > 0 && operand.every(isPlainPart);
    case '$defs':
    case 'definitions':
    case 'properties':
      return isRecord(operand) && Object.values(operand).every(isPlainPart);
    case 'items':
    case 'additionalProperties':
      return isPlainPart(operand);
    case 'required':
      return isStringArray(operand);
    case 'uniqueItems':
      return typeof operand === 'boolean';
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
      return typeof operand === 'number';
    default:
      return isAnnotation(keyword);
  }
}

function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith('x-');
}

function isTypeName(name: unknown): name is TypeName {
  return isString(name) && Object.hasOwn(typeBits, name);
}

type References = ReadonlyMap<string, PlainRules>;

/** Compiles all definitions; they may refer to each other, and to themselves. */
function compileDefinitions(definitions: ReadonlyMap<string, PlainSchema>): References {
  const references = new Map<string, PlainRules>();
  for (const reference of definitions.keys()) references.set(reference, createRules());
  for (const [reference, definition] of definitions) compileKeywords(definition, references, references.get(reference));
  return references;
}

function compile(schema: PlainSchema, references: References): PlainRules {
  return resolveAlias(schema, references) ?? compileKeywords(schema, references);
}

/** @returns the rules of the definition if the schema is only a reference */
function resolveAlias(schema: PlainSchema, references: References): PlainRules | undefined {
  if (typeof schema === 'boolean' || schema.$ref === undefined) return undefined;
  const isOnly = Object.keys(schema).every((keyword) => keyword === '$ref' || isAnnotation(keyword));
  return isOnly ? references.get(schema.$ref) : undefined;
}

/** @returns rules that accept nothing. All are created here, so that V8 reads them as one kind of object. */
function createRules(): PlainRules {
  return {
    types: 0,
    choices: undefined,
    string: undefined,
    number: undefined,
    list: undefined,
    object: undefined,
  };
}

function compileKeywords(schema: PlainSchema, references: References, rules = createRules()): PlainRules {
  if (schema === false) return rules;
  const keywords = schema === true ? {} : schema;
  return Object.assign(rules, {
    types: compileTypes(keywords),
    choices: compileChoices(keywords, references),
    string: compileString(keywords),
    number: compileNumber(keywords),
    list: compileList(keywords, references),
    object: compileObject(keywords, references),
  });
}

function compileTypes({ type }: PlainKeywords): number {
  if (type === undefined) return everyType;
  return (isString(type) ? [type] : type).reduce((bits, name) => bits | typeBits[name], 0);
}

function compileChoices(keywords: PlainKeywords, references: References): ChoiceRules | undefined {
  const { $ref, allOf, anyOf } = keywords;
  const lists = [keywords.enum, 'const' in keywords ? [keywords.const] : undefined].filter(
    (list) => list !== undefined,
  );
  if (lists.length === 0 && ($ref ?? allOf ?? anyOf) === undefined) return undefined;
  const all = (allOf ?? []).map((part) => compile(part, references));
  if ($ref !== undefined) all.push(references.get($ref) ?? createRules());
  return {
    values: lists.map((list) => new Set(list.filter(isComparable))),
    allOf: all,
    anyOf: anyOf?.map((option) => compile(option, references)),
  };
}

function compileString({ minLength, maxLength }: PlainKeywords): StringRules | undefined {
  if (minLength === undefined && maxLength === undefined) return undefined;
  return { minUnits: minLength === 1 ? 1 : 2 * (minLength ?? 0), maxUnits: maxLength ?? Infinity };
}

function compileNumber(keywords: PlainKeywords): NumberRules | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = keywords;
  if ((minimum ?? maximum ?? exclusiveMinimum ?? exclusiveMaximum) === undefined) return undefined;
  return {
    minimum: minimum ?? -Infinity,
    maximum: maximum ?? Infinity,
    exclusiveMinimum: exclusiveMinimum ?? NaN,
    exclusiveMaximum: exclusiveMaximum ?? NaN,
  };
}

function compileList(keywords: PlainKeywords, references: References): ListRules | undefined {
  const { items, minItems, maxItems, uniqueItems } = keywords;
  if ((items ?? minItems ?? maxItems ?? uniqueItems) === undefined) return undefined;
  return {
    items: items === undefined ? undefined : compile(items, references),
    minItems: minItems ?? 0,
    maxItems: maxItems ?? Infinity,
    isUnique: uniqueItems ?? false,
  };
}

function compileObject(keywords: PlainKeywords, references: References): ObjectRules | undefined {
  if ((keywords.properties ?? keywords.required ?? keywords.additionalProperties) === undefined) return undefined;
  const { properties = {}, required = [], additionalProperties } = keywords;
  const isRequired = new Set(required);
  const names = new Set([...Object.keys(properties), ...required]);
  const others = compile(additionalProperties ?? true, references);
  const byName = new Map<string, PropertyRules>();
  let next: PropertyRules | undefined;
  for (const name of [...names].toReversed()) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const rules = property === undefined ? others : compile(property, references);
    next = { name, rules, isRequired: isRequired.has(name), next };
    byName.set(name, next);
  }
  return { first: next, byName, others, required: isRequired.size };
}
