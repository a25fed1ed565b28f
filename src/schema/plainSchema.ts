import { isRecord, isString, isStringArray, type UnknownRecord } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { isTypeName, type TypeName, typeNames } from './kinds.ts';
import { isSchema } from './schemaNode.ts';
import { SchemaRefs } from './schemaRefs.ts';

/** @returns true if the value certainly matches; false if it does not, or if this check cannot decide */
export type PlainCheck = (value: unknown) => boolean;

/** Maximum entries of a set: hashes of numbers are predictable, so a server could make a larger set slow. */
const maximumSetSize = 100;

/** Maximum characters of strings that are compared, since each comparison reads both. */
const maximumComparedLength = 1_000;

/** Up to this size, comparing all pairs is faster than a set. */
const maximumPairedSize = 8;

const isNumber = (operand: unknown): operand is number => typeof operand === 'number';
const isList = (operand: unknown): operand is readonly unknown[] => Array.isArray(operand);
const isFilledList = (operand: unknown): operand is readonly unknown[] => isList(operand) && operand.length > 0;

/** The keywords that are understood, beside annotations, with what may be said with them. */
const operands = {
  $ref: isString,
  type: (operand: unknown): operand is TypeName | readonly TypeName[] =>
    isTypeName(operand) || (isList(operand) && operand.length <= typeNames.length && operand.every(isTypeName)),
  enum: (operand: unknown): operand is readonly unknown[] => isList(operand) && operand.length <= maximumSetSize,
  const: () => true,
  anyOf: isFilledList,
  allOf: isFilledList,
  $defs: isRecord,
  definitions: isRecord,
  properties: isRecord,
  items: isSchema,
  additionalProperties: isSchema,
  required: isStringArray,
  uniqueItems: (operand: unknown) => typeof operand === 'boolean',
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  minLength: isNumber,
  maxLength: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
};

/** A schema whose keywords were checked; what is in it was not yet. */
type PlainKeywords = {
  readonly [Name in keyof typeof operands]?: (typeof operands)[Name] extends ((operand: unknown) => operand is infer T)
    ? T
    : unknown;
};

const annotations = new Set(
  'title description format default examples deprecated readOnly writeOnly $comment enumNames'.split(' '),
);

const dialects = /^https?:\/\/json-schema\.org\/(draft\/20(20-12|19-09)|draft-0[67])\/schema#?$/;

/**
 * Compiles a check of the most common keywords that runs in this process, without generating code or running a pattern. The
 * checker process handles everything else, and every value that does not match.
 *
 * The check takes a few milliseconds, and tens of them for the longest message: the work of each step is bounded but for listing
 * the names of an object, and after `limits.check.steps` it stops. Strings are measured, hashed and compared, never searched.
 * @param schema within `limits.schema`
 * @returns `undefined` for a schema with other keywords
 */
export function compilePlainSchema({ $schema: dialect, ...schema }: UnknownRecord): PlainCheck | undefined {
  if (dialect !== undefined && !(isString(dialect) && dialects.test(dialect))) return undefined;
  return new PlainCompiler(schema).compile();
}

function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith('x-');
}

function isPlain([keyword, operand]: readonly [string, unknown]): boolean {
  if (isAnnotation(keyword)) return true;
  return Object.hasOwn(operands, keyword) && operands[keyword as keyof PlainKeywords](operand);
}

function hasOnly(schema: UnknownRecord, only: keyof PlainKeywords): boolean {
  return Object.hasOwn(schema, only) && Object.keys(schema).every((name) => name === only || isAnnotation(name));
}

type Test<Value> = (value: Value) => boolean;

const all = (): boolean => true;
const none = (): boolean => false;

/** A schema as it is checked: all keywords for one type of values together. */
class PlainRules {
  /** What holds for values of all types; `undefined` where nothing is asked. */
  choices: Test<unknown> | undefined;
  string: Test<string>;
  number: Test<number>;
  boolean: boolean;
  null: boolean;
  array: Test<readonly unknown[]>;
  object: Test<UnknownRecord>;

  constructor(isAny: boolean) {
    this.choices = undefined;
    this.string = this.number = this.array = this.object = isAny ? all : none;
    this.boolean = this.null = isAny;
  }
}

/** Compiles each schema that the root leads to once; they may refer to each other, and to themselves. */
class PlainCompiler {
  readonly #root: UnknownRecord;
  readonly #refs;
  readonly #rules = new Map<UnknownRecord, PlainRules>();
  /** Filled one after the other: recursion would fail on a long chain of references. */
  readonly #waiting: { readonly schema: UnknownRecord; readonly rules: PlainRules }[] = [];
  /**
   * Those that are left. One is a check of a value against a schema, an entry of a list that must be unique, or a name that is
   * listed without being checked. One budget is for all checks, since each is done before the next one begins.
   */
  readonly #steps = { left: 0 };
  #isPlain = true;

  constructor(root: UnknownRecord) {
    this.#root = root;
    this.#refs = new SchemaRefs(root);
  }

  /** @returns `undefined` if a schema has other keywords, or operands of other types */
  compile(): PlainCheck | undefined {
    const rules = this.#rulesOf(this.#root);
    for (const { schema, rules: below } of this.#waiting) {
      this.#isPlain &&= Object.entries(schema).every(isPlain);
      if (!this.#isPlain) return undefined;
      this.#fill(below, schema);
    }
    if (!this.#isPlain) return undefined;
    const steps = this.#steps;
    return (value) => {
      steps.left = limits.check.steps;
      try {
        return matches(rules, value, steps);
      } catch {
        // Stack overflow: the value is nested too deeply, or the schema refers to itself without end.
        return false;
      }
    };
  }

  #rulesOf(schema: unknown): PlainRules {
    const passed = new Set<UnknownRecord>();
    let at = schema;
    // A schema that is only a reference needs no rules of its own.
    while (isRecord(at) && !this.#rules.has(at) && hasOnly(at, '$ref') && !passed.has(at)) {
      passed.add(at);
      at = this.#targetOf(at);
    }
    const rules = (isRecord(at) ? this.#rules.get(at) : undefined) ?? new PlainRules(at === true);
    if (isRecord(at) && !this.#rules.has(at)) {
      passed.add(at);
      this.#waiting.push({ schema: at, rules });
    } else if (!isSchema(at)) this.#isPlain = false;
    for (const each of passed) this.#rules.set(each, rules);
    return rules;
  }

  #targetOf(schema: UnknownRecord): unknown {
    const [target] = this.#refs.targetsOf(schema);
    return target?.kind === 'found' ? target.schema : undefined;
  }

  #fill(rules: PlainRules, schema: UnknownRecord): void {
    const keywords = joinTypes(schema);
    const types = new Set([keywords.type ?? typeNames].flat());
    const mayBeNumber = types.has('number') || types.has('integer');
    rules.choices = this.#choices(keywords, schema);
    rules.string = types.has('string') ? stringTest(keywords) : none;
    rules.number = mayBeNumber ? numberTest(keywords, !types.has('number')) : none;
    rules.boolean = types.has('boolean');
    rules.null = types.has('null');
    rules.array = types.has('array') ? this.#arrayTest(keywords) : none;
    rules.object = types.has('object') ? this.#objectTest(keywords) : none;
  }

  #choices(keywords: PlainKeywords, schema: UnknownRecord): Test<unknown> | undefined {
    const { $ref, allOf = [], anyOf } = keywords;
    const steps = this.#steps;
    const lists = [keywords.enum, 'const' in keywords ? [keywords.const] : undefined].filter(
      (list) => list !== undefined,
    );
    if (lists.length === 0 && ($ref ?? keywords.allOf ?? anyOf) === undefined) return undefined;
    // Other values never match.
    const sets = lists.map((list) => new Set(list.filter(isComparable)));
    const parts = allOf.map((part) => this.#rulesOf(part));
    if ($ref !== undefined) parts.push(this.#rulesOf(this.#targetOf(schema)));
    const options = anyOf?.map((option) => this.#rulesOf(option));
    return (value) => {
      for (const accepted of sets) if (!accepted.has(value)) return false;
      for (const rules of parts) if (!matches(rules, value, steps)) return false;
      if (options === undefined) return true;
      for (const rules of options) if (matches(rules, value, steps)) return true;
      return false;
    };
  }

  #arrayTest({ items, minItems = 0, maxItems = Infinity, uniqueItems }: PlainKeywords): Test<readonly unknown[]> {
    const rules = items === undefined ? undefined : this.#rulesOf(items);
    const steps = this.#steps;
    return (list) => {
      const { length } = list;
      if (length < minItems || length > maxItems) return false;
      if (rules !== undefined)
        for (let at = 0; at < length; at += 1) if (!matches(rules, list[at], steps)) return false;
      return uniqueItems !== true || isSetOfScalars(list, steps);
    };
  }

  #objectTest(keywords: PlainKeywords): Test<UnknownRecord> {
    const { properties = {}, required = [], additionalProperties } = keywords;
    if ((keywords.properties ?? keywords.required ?? additionalProperties) === undefined) return all;
    const isRequired = new Set(required);
    const names = [...new Set([...Object.keys(properties), ...required])];
    const others = { name: '', rules: this.#rulesOf(additionalProperties ?? true), isRequired: false, next: 0 };
    const listed = names.map((name, index) => {
      const rules = Object.hasOwn(properties, name) ? this.#rulesOf(properties[name]) : others.rules;
      return { name, rules, isRequired: isRequired.has(name), next: index + 1 };
    });
    const byName = new Map(listed.map((property) => [property.name, property]));
    const steps = this.#steps;
    return (value) => {
      let missing = isRequired.size;
      let next = 0;
      for (const name in value) {
        // Most objects have their properties in the order of the schema.
        let property = listed[next];
        if (property?.name !== name) property = byName.get(name) ?? others;
        if (property.isRequired) missing -= 1;
        next = property.next;
        if (!matches(property.rules, value[name], steps)) {
          // The loop has listed all names before the first one, and here they are listed again.
          if (steps.left >= 0) steps.left -= 2 * Object.keys(value).length;
          return false;
        }
      }
      return missing === 0;
    };
  }
}

function matches(rules: PlainRules, value: unknown, steps: { left: number }): boolean {
  steps.left -= 1;
  if (steps.left < 0) return false;
  if (rules.choices !== undefined && !rules.choices(value)) return false;
  // `switch (typeof value)` would be slower: V8 makes the name of the type for it, but not for a comparison.
  if (typeof value === 'string') return rules.string(value);
  if (typeof value === 'number') return rules.number(value);
  if (typeof value === 'boolean') return rules.boolean;
  if (value === null) return rules.null;
  if (Array.isArray(value)) return rules.array(value);
  return typeof value === 'object' && rules.object(value as UnknownRecord);
}

/** Writes `anyOf` of types as one `type`, which takes one step: many libraries declare optional values with `anyOf`. */
function joinTypes(schema: PlainKeywords): PlainKeywords {
  const { anyOf, ...others } = schema;
  if (anyOf === undefined || schema.type !== undefined) return schema;
  const types = anyOf.flatMap((option) => (isRecord(option) && hasOnly(option, 'type') ? option['type'] : undefined));
  return types.every(isTypeName) ? { ...others, type: types } : schema;
}

/** Measures UTF-16 units: JSON Schema counts characters, which have one or two. */
function stringTest({ minLength = 0, maxLength = Infinity }: PlainKeywords): Test<string> {
  const minUnits = minLength === 1 ? 1 : 2 * minLength;
  return (value) => value.length >= minUnits && value.length <= maxLength;
}

function numberTest(keywords: PlainKeywords, isInteger: boolean): Test<number> {
  const {
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum: above = NaN,
    exclusiveMaximum: below = NaN,
  } = keywords;
  return (value) => {
    if (isInteger && !Number.isInteger(value)) return false;
    // Nothing is at most, or at least, `NaN`.
    return value >= minimum && value <= maximum && !(value <= above) && !(value >= below);
  };
}

/** True for a scalar, but not for a long string: comparing one takes time, and arrays and objects are compared by members. */
function isComparable(value: unknown): boolean {
  return isString(value) ? value.length <= maximumComparedLength : typeof value !== 'object' || value === null;
}

/** True for an array of different scalars. */
function isSetOfScalars(items: readonly unknown[], steps: { left: number }): boolean {
  const { length } = items;
  if (length > maximumSetSize) return false;
  steps.left -= length;
  const isPaired = length <= maximumPairedSize;
  for (let at = 0; at < length; at += 1) {
    const item = items[at];
    if (!isComparable(item)) return false;
    if (isPaired) for (let other = 0; other < at; other += 1) if (items[other] === item) return false;
  }
  return isPaired || new Set(items).size === length;
}
