import { isRecord, isString, isStringArray, type UnknownRecord } from '../base/json.ts';
import { isTypeName, type TypeName, typeNames } from './kinds.ts';
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
import { isSchema } from './schemaNode.ts';
import { createSchemaRefs, type SchemaRefs } from './schemaRefs.ts';

/** A schema without other keywords than these and annotations; what is in it is not checked yet. */
interface PlainKeywords {
  readonly $ref?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly unknown[];
  readonly allOf?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: unknown;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: UnknownRecord;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

const isNumber = (operand: unknown): boolean => typeof operand === 'number';
const isFilledList = (operand: unknown): boolean => Array.isArray(operand) && operand.length > 0;

const operands: ReadonlyMap<string, (operand: unknown) => boolean> = new Map([
  ['$ref', isString],
  ['type', (operand) => isTypeName(operand) || isTypeList(operand)],
  ['enum', (operand) => Array.isArray(operand) && operand.length <= maximumSetSize],
  ['const', () => true],
  ['anyOf', isFilledList],
  ['allOf', isFilledList],
  ['$defs', isRecord],
  ['definitions', isRecord],
  ['properties', isRecord],
  ['items', isSchema],
  ['additionalProperties', isSchema],
  ['required', isStringArray],
  ['uniqueItems', (operand) => typeof operand === 'boolean'],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['minLength', isNumber],
  ['maxLength', isNumber],
  ['minItems', isNumber],
  ['maxItems', isNumber],
]);

const annotations = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  'enumNames',
]);

const dialects = /^https?:\/\/json-schema\.org\/(draft\/20(20-12|19-09)|draft-0[67])\/schema#?$/;

/**
 * Compiles a check of the most common keywords that runs in this process, without generating code or running a pattern. The
 * checker process handles everything else, and every value that does not match.
 * @param schema within `limits.schema`
 * @returns `undefined` for a schema with other keywords
 */
export function compilePlainSchema({ $schema: dialect, ...schema }: UnknownRecord): PlainCheck | undefined {
  if (dialect !== undefined && !(isString(dialect) && dialects.test(dialect))) return undefined;
  const rules = new PlainCompiler(schema).compile();
  return rules && createPlainCheck(rules);
}

function isTypeList(operand: unknown): boolean {
  return Array.isArray(operand) && operand.length <= typeNames.length && operand.every(isTypeName);
}

function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith('x-');
}

function hasOnly(schema: UnknownRecord, only: keyof PlainKeywords): boolean {
  return Object.hasOwn(schema, only) && Object.keys(schema).every((name) => name === only || isAnnotation(name));
}

/** @returns rules that accept nothing, or anything. All are created here, so that V8 reads them as one kind of object. */
function createRules(isAny: boolean): PlainRules {
  return {
    choices: undefined,
    string: isAny,
    number: isAny,
    boolean: isAny,
    null: isAny,
    array: isAny,
    object: isAny,
  };
}

/** Compiles each schema that the root leads to once; they may refer to each other, and to themselves. */
class PlainCompiler {
  readonly #root: UnknownRecord;
  readonly #refs: SchemaRefs;
  readonly #rules = new Map<UnknownRecord, PlainRules>();
  /** Filled one after the other: recursion would fail on a long chain of references. */
  readonly #waiting: { readonly schema: UnknownRecord; readonly rules: PlainRules }[] = [];
  #isPlain = true;

  constructor(root: UnknownRecord) {
    this.#root = root;
    this.#refs = createSchemaRefs(root);
  }

  /** @returns `undefined` if a schema has other keywords, or operands of other types */
  compile(): PlainRules | undefined {
    const root = this.#rulesOf(this.#root);
    for (const { schema, rules } of this.#waiting) {
      for (const [keyword, operand] of Object.entries(schema))
        if (!isAnnotation(keyword) && operands.get(keyword)?.(operand) !== true) this.#isPlain = false;
      if (!this.#isPlain) return undefined;
      this.#fill(rules, schema);
    }
    return this.#isPlain ? root : undefined;
  }

  #rulesOf(schema: unknown): PlainRules {
    const passed = new Set<UnknownRecord>();
    let at = schema;
    // A schema that is only a reference needs no rules of its own.
    while (isRecord(at) && !this.#rules.has(at) && hasOnly(at, '$ref') && !passed.has(at)) {
      passed.add(at);
      at = this.#targetOf(at);
    }
    const rules = this.#begin(at);
    for (const alias of passed) this.#rules.set(alias, rules);
    return rules;
  }

  #begin(schema: unknown): PlainRules {
    const known = isRecord(schema) ? this.#rules.get(schema) : undefined;
    if (known !== undefined) return known;
    const rules = createRules(schema === true);
    if (isRecord(schema)) {
      this.#rules.set(schema, rules);
      this.#waiting.push({ schema, rules });
    } else if (typeof schema !== 'boolean') this.#isPlain = false;
    return rules;
  }

  #targetOf(schema: UnknownRecord): unknown {
    const [target] = this.#refs.targetsOf(schema);
    return target?.kind === 'found' ? target.schema : undefined;
  }

  #fill(rules: PlainRules, schema: UnknownRecord): void {
    const keywords = joinTypes(schema);
    const types = new Set([keywords.type ?? typeNames].flat());
    Object.assign(rules, {
      choices: this.#choices(keywords, schema),
      string: types.has('string') && compileString(keywords),
      number: types.has('number')
        ? compileNumber(keywords, false)
        : types.has('integer') && compileNumber(keywords, true),
      boolean: types.has('boolean'),
      null: types.has('null'),
      array: types.has('array') && this.#array(keywords),
      object: types.has('object') && this.#object(keywords),
    });
  }

  #choices(keywords: PlainKeywords, schema: UnknownRecord): ChoiceRules | undefined {
    const { $ref, allOf, anyOf } = keywords;
    const lists = [keywords.enum, 'const' in keywords ? [keywords.const] : undefined].filter(
      (list) => list !== undefined,
    );
    if (lists.length === 0 && ($ref ?? allOf ?? anyOf) === undefined) return undefined;
    const all = (allOf ?? []).map((part) => this.#rulesOf(part));
    if ($ref !== undefined) all.push(this.#rulesOf(this.#targetOf(schema)));
    return {
      values: lists.map((list) => new Set(list.filter(isComparable))),
      allOf: all,
      anyOf: anyOf?.map((option) => this.#rulesOf(option)),
    };
  }

  #array({ items, minItems, maxItems, uniqueItems }: PlainKeywords): ArrayRules | true {
    if ((items ?? minItems ?? maxItems ?? uniqueItems) === undefined) return true;
    return {
      items: items === undefined ? undefined : this.#rulesOf(items),
      minItems: minItems ?? 0,
      maxItems: maxItems ?? Infinity,
      isUnique: uniqueItems ?? false,
    };
  }

  #object(keywords: PlainKeywords): ObjectRules | true {
    if ((keywords.properties ?? keywords.required ?? keywords.additionalProperties) === undefined) return true;
    const { properties = {}, required = [], additionalProperties = true } = keywords;
    const isRequired = new Set(required);
    const names = new Set([...Object.keys(properties), ...required]);
    const others = new PropertyRules(undefined, this.#rulesOf(additionalProperties), false);
    const byName = new Map<string, PropertyRules>();
    let last = others;
    for (const name of names) {
      const rules = Object.hasOwn(properties, name) ? this.#rulesOf(properties[name]) : others.rules;
      last.next = new PropertyRules(name, rules, isRequired.has(name));
      last = last.next;
      byName.set(name, last);
    }
    last.next = others;
    return { others, byName, required: isRequired.size };
  }
}

/** Writes `anyOf` of types as one `type`, which takes one step: many libraries declare optional values with `anyOf`. */
function joinTypes(schema: PlainKeywords): PlainKeywords {
  const { anyOf, ...others } = schema;
  if (anyOf === undefined || schema.type !== undefined) return schema;
  const types = anyOf.flatMap((option) => (isRecord(option) && hasOnly(option, 'type') ? option['type'] : undefined));
  return types.every(isTypeName) ? { ...others, type: types } : schema;
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
