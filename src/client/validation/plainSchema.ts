import { isRecord, isString, isStringArray, type UnknownRecord } from '../../base/json.ts';
import {
  type ChoiceRules,
  createPlainCheck,
  isComparable,
  type ArrayRules,
  maximumSetSize,
  type NumberRules,
  type ObjectRules,
  type PlainCheck,
  type PlainRules,
  PropertyRules,
  type StringRules,
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

const typeNames = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'] as const;
type TypeName = (typeof typeNames)[number];

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
      return (
        isTypeName(operand) ||
        (Array.isArray(operand) && operand.length <= typeNames.length && operand.every(isTypeName))
      );
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
  return typeNames.includes(name as TypeName);
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
  return hasOnly(schema, '$ref') ? references.get(schema.$ref) : undefined;
}

/** True if the schema has no keywords but this one. */
function hasOnly(schema: PlainKeywords, only: keyof PlainKeywords): boolean {
  return Object.keys(schema).every((keyword) => keyword === only || isAnnotation(keyword));
}

/** @returns rules that accept nothing. All are created here, so that V8 reads them as one kind of object. */
function createRules(): PlainRules {
  return {
    choices: undefined,
    string: false,
    number: false,
    boolean: false,
    null: false,
    array: false,
    object: false,
  };
}

function compileKeywords(schema: PlainSchema, references: References, rules = createRules()): PlainRules {
  if (schema === false) return rules;
  const keywords = schema === true ? {} : joinTypes(schema);
  const types = new Set([keywords.type ?? typeNames].flat());
  return Object.assign(rules, {
    choices: compileChoices(keywords, references),
    string: types.has('string') && compileString(keywords),
    number: types.has('number')
      ? compileNumber(keywords, false)
      : types.has('integer') && compileNumber(keywords, true),
    boolean: types.has('boolean'),
    null: types.has('null'),
    array: types.has('array') && compileArray(keywords, references),
    object: types.has('object') && compileObject(keywords, references),
  });
}

/** Writes `anyOf` of types as one `type`, which takes one step: many libraries declare optional values with `anyOf`. */
function joinTypes(schema: PlainKeywords): PlainKeywords {
  const { anyOf, ...others } = schema;
  if (anyOf === undefined || schema.type !== undefined) return schema;
  const types = anyOf.flatMap((option) =>
    typeof option !== 'boolean' && hasOnly(option, 'type') ? option.type : undefined,
  );
  return types.includes(undefined) ? schema : { ...others, type: types as TypeName[] };
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

function compileString({ minLength, maxLength }: PlainKeywords): StringRules | true {
  if (minLength === undefined && maxLength === undefined) return true;
  return { minUnits: minLength === 1 ? 1 : 2 * (minLength ?? 0), maxUnits: maxLength ?? Infinity };
}

function compileNumber(keywords: PlainKeywords, isInteger: boolean): NumberRules | true {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = keywords;
  if (!isInteger && (minimum ?? maximum ?? exclusiveMinimum ?? exclusiveMaximum) === undefined) return true;
  return {
    isInteger,
    minimum: minimum ?? -Infinity,
    maximum: maximum ?? Infinity,
    exclusiveMinimum: exclusiveMinimum ?? NaN,
    exclusiveMaximum: exclusiveMaximum ?? NaN,
  };
}

function compileArray(keywords: PlainKeywords, references: References): ArrayRules | true {
  const { items, minItems, maxItems, uniqueItems } = keywords;
  if ((items ?? minItems ?? maxItems ?? uniqueItems) === undefined) return true;
  return {
    items: items === undefined ? undefined : compile(items, references),
    minItems: minItems ?? 0,
    maxItems: maxItems ?? Infinity,
    isUnique: uniqueItems ?? false,
  };
}

function compileObject(keywords: PlainKeywords, references: References): ObjectRules | true {
  if ((keywords.properties ?? keywords.required ?? keywords.additionalProperties) === undefined) return true;
  const { properties = {}, required = [], additionalProperties } = keywords;
  const isRequired = new Set(required);
  const names = new Set([...Object.keys(properties), ...required]);
  const others = new PropertyRules(undefined, compile(additionalProperties ?? true, references), false);
  const byName = new Map<string, PropertyRules>();
  let last = others;
  for (const name of names) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const rules = property === undefined ? others.rules : compile(property, references);
    last.next = new PropertyRules(name, rules, isRequired.has(name));
    last = last.next;
    byName.set(name, last);
  }
  last.next = others;
  return { others, byName, required: isRequired.size };
}
