import { isRecord, isString, type JsonValue, type UnknownRecord } from '../base/json.ts';
import { isSameJson, isSchema, listIn, numberIn, own, textsIn } from './schemaNode.ts';
import { typesOf, type TypeName } from './kinds.ts';
import { SchemaRefs } from './schemaRefs.ts';
import { limits } from '../base/limits.ts';
import { memoize, getOrMake } from '../base/memoize.ts';

/** Valid, invalid, or undecided: a pattern, a format, a missing reference or the number of steps is in the way. */
export type Verdict = boolean | undefined;

/** Steps that decisions may take together; 0 once they were too few. */
export interface StepBudget {
  left: number;
}

/** Steps for the field of one value: about ten milliseconds. */
export const stepsOfField = 20_000;

/** Schemas within each other for one value, and values within each other: both recurse. */
const maximumDepth = 400;

class OutOfSteps extends Error {}

/**
 * Checks values against schemas as they are, in bounded time: it generates no code, runs no pattern, and remembers what it has
 * decided about an object, so that alternatives within alternatives are not tried again. It decides what a form shows; the
 * checker process decides whether a value is valid.
 */
export class QuickCheck {
  readonly #refs: SchemaRefs;
  readonly #isOff: () => boolean;
  readonly #known = new WeakMap<object, WeakMap<object, { readonly verdict: Verdict }>>();
  #budget: StepBudget = { left: 0 };
  #depth = 0;

  /** @param root which the schemas that are checked are of */
  constructor(root: UnknownRecord, refs = new SchemaRefs(root)) {
    this.#refs = refs;
    this.#isOff = memoize(() => isTooLarge(root));
  }

  /** Never throws. @param schema unchecked; what is no schema decides nothing */
  verdict(schema: unknown, value: JsonValue, budget: StepBudget = { left: stepsOfField }): Verdict {
    this.#budget = budget;
    this.#depth = 0;
    try {
      if (typeof schema !== 'boolean' && this.#isOff()) throw new OutOfSteps();
      return this.#visit(schema, value);
    } catch (error) {
      // The stack overflows early where the caller has used much of it.
      if (!(error instanceof OutOfSteps || error instanceof RangeError)) throw error;
      budget.left = 0;
      return undefined;
    }
  }

  /** The same, but what only a pattern, a format or the like could decide counts as valid. */
  accepts(schema: unknown, value: JsonValue, budget: StepBudget): Verdict {
    return this.verdict(schema, value, budget) ?? (budget.left > 0 ? true : undefined);
  }

  #visit(schema: unknown, value: JsonValue): Verdict {
    this.#spend(1);
    if (typeof schema === 'boolean') return schema;
    if (!isRecord(schema)) return undefined;
    if (typeof value !== 'object' || value === null) return this.#decide(schema, value);
    const verdicts = getOrMake(this.#known, schema, () => new WeakMap<object, { readonly verdict: Verdict }>());
    return getOrMake(verdicts, value, () => ({ verdict: this.#decide(schema, value) })).verdict;
  }

  #decide(schema: UnknownRecord, value: JsonValue): Verdict {
    this.#depth += 1;
    if (this.#depth > maximumDepth) throw new OutOfSteps();
    const keys = isRecord(value) ? Object.keys(value) : [];
    const keywords = Object.keys(schema);
    const length = Array.isArray(value) ? value.length : isString(value) ? value.length / 100 : keys.length;
    this.#spend((keywords.length + length) / 8);
    const checked: Checked = {
      value,
      keys,
      schema,
      visit: (below, each) => this.#visit(below, each),
      spend: (steps) => this.#spend(steps),
    };
    const stated = every(keywords, (keyword) => {
      const operand = schema[keyword];
      if (Array.isArray(operand)) this.#spend(operand.length / 8);
      return !Object.hasOwn(rules, keyword) || rules[keyword]?.(operand, checked);
    });
    const targets = stated === false ? [] : this.#refs.targetsOf(schema);
    const referenced = every(targets, (target) =>
      target.kind === 'found' ? this.#visit(target.schema, value) : undefined,
    );
    this.#depth -= 1;
    return referenced === false ? false : stated && referenced;
  }

  #spend(steps: number): void {
    this.#budget.left -= steps;
    if (this.#budget.left <= 0) throw new OutOfSteps();
  }
}

/** A value while it is checked against one schema. `keys` are those of an object. */
interface Checked {
  readonly value: JsonValue;
  readonly keys: readonly string[];
  readonly schema: UnknownRecord;
  readonly visit: (schema: unknown, value: JsonValue) => Verdict;
  /** Before work that the sizes of schema and value do not tell. It throws when there are no steps left. */
  readonly spend: (steps: number) => void;
}

type Rule = (operand: unknown, checked: Checked) => Verdict;

/** True for a schema with more members than one that is checked may have; stops counting there. */
function isTooLarge(root: UnknownRecord): boolean {
  let members = 0;
  const met = new Set<unknown>([root]);
  for (const schema of met) {
    if (typeof schema !== 'object' || schema === null) continue;
    const values: readonly unknown[] = Object.values(schema);
    members += values.length;
    if (members > limits.schema.members) return true;
    for (const value of values) met.add(value);
  }
  return false;
}

function every<T>(items: readonly T[], test: (item: T, index: number) => Verdict): Verdict {
  let all: Verdict = true;
  for (const [index, item] of items.entries()) {
    const one = test(item, index);
    if (one === false) return false;
    if (one === undefined) all = undefined;
  }
  return all;
}

function not(verdict: Verdict): Verdict {
  return verdict === undefined ? undefined : !verdict;
}

/** Whether the number of those that are valid is from `least` to `most`. */
function isCount(verdicts: readonly Verdict[], least: number, most: number): Verdict {
  const surely = verdicts.filter((verdict) => verdict === true).length;
  const perhaps = verdicts.filter((verdict) => verdict !== false).length;
  if (surely > most || perhaps < least) return false;
  return (surely >= least && perhaps <= most) || undefined;
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function memberAt(value: JsonValue, key: string): JsonValue {
  return (value as Readonly<Record<string, JsonValue>>)[key] ?? null;
}

function isOfTypes(types: ReadonlySet<TypeName>, value: JsonValue): boolean {
  if (value === null) return types.has('null');
  if (Array.isArray(value)) return types.has('array');
  if (typeof value === 'number' && types.has('integer') && Number.isInteger(value)) return true;
  return types.has(typeof value as TypeName);
}

/** A limit for values of one kind. @param measure gives `undefined` for values of other kinds */
function limit(
  measure: (checked: Checked) => number | undefined,
  test: (measured: number, limit: number, schema: UnknownRecord) => boolean,
): Rule {
  return (operand, checked) => {
    const measured = measure(checked);
    return typeof operand !== 'number' || measured === undefined || test(measured, operand, checked.schema);
  };
}

const surrogatePair = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

const numberIs = ({ value }: Checked): number | undefined => (typeof value === 'number' ? value : undefined);
/** JSON Schema counts characters, not UTF-16 units. */
const textLength = ({ value }: Checked): number | undefined =>
  isString(value) ? value.length - (value.match(surrogatePair)?.length ?? 0) : undefined;
const listLength = ({ value }: Checked): number | undefined => (Array.isArray(value) ? value.length : undefined);
const keyCount = ({ value, keys }: Checked): number | undefined => (isRecord(value) ? keys.length : undefined);
const isLeast = (measured: number, least: number): boolean => measured >= least;
const isMost = (measured: number, most: number): boolean => measured <= most;

/** What depends on a key: a schema, or a list of other keys. */
const dependents: Rule = (operand, { value, keys, visit, spend }) =>
  every(keys, (key) => {
    const dependent = isRecord(operand) ? own(operand, key) : undefined;
    if (dependent === undefined) return true;
    if (!Array.isArray(dependent)) return visit(dependent, value);
    spend(dependent.length / 8);
    return textsIn(operand as UnknownRecord, key).every((each) => isRecord(value) && Object.hasOwn(value, each));
  });

/** Whether there are patterns. Remembered, since all of them are listed to find one. */
const patterned = new WeakMap<object, boolean>();

function hasPatterns(schema: UnknownRecord): boolean {
  const patterns = own(schema, 'patternProperties');
  if (typeof patterns !== 'object' || patterns === null) return isString(patterns);
  return getOrMake(patterned, patterns, () => Object.keys(patterns).length > 0);
}

function isSame(operand: unknown, { value, spend }: Checked): boolean {
  return isSameJson(operand, value, (compared) => spend(compared / 8));
}

function otherKeys({ keys, schema }: Checked): readonly string[] {
  const properties = own(schema, 'properties');
  return isRecord(properties) ? keys.filter((key) => !Object.hasOwn(properties, key)) : keys;
}

/** The first items, each with a schema of its own. */
const tuple: Rule = (operand, { value, visit }) =>
  !Array.isArray(operand) ||
  every(itemsOf(value).slice(0, operand.length), (item, index) => visit(operand[index], item));

function checkCondition(condition: unknown, { value, schema, visit }: Checked): Verdict {
  const branch = (name: 'then' | 'else'): Verdict => !Object.hasOwn(schema, name) || visit(own(schema, name), value);
  const holds = visit(condition, value);
  if (holds !== undefined) return branch(holds ? 'then' : 'else');
  return (branch('then') === true && branch('else') === true) || undefined;
}

const rules: Readonly<Record<string, Rule>> = {
  type(_operand, { value, schema }) {
    const types = typesOf(schema);
    return types === undefined || isOfTypes(types, value);
  },
  const: isSame,
  enum: (operand, checked) => !Array.isArray(operand) || operand.some((each) => isSame(each, checked)),
  // In draft-04 an exclusive bound is a boolean beside it.
  minimum: limit(numberIs, (number, least, schema) =>
    own(schema, 'exclusiveMinimum') === true ? number > least : number >= least,
  ),
  maximum: limit(numberIs, (number, most, schema) =>
    own(schema, 'exclusiveMaximum') === true ? number < most : number <= most,
  ),
  exclusiveMinimum: limit(numberIs, (number, bound) => number > bound),
  exclusiveMaximum: limit(numberIs, (number, bound) => number < bound),
  multipleOf: limit(numberIs, (number, step) => Number.isInteger(number / step)),
  minLength: limit(textLength, isLeast),
  maxLength: limit(textLength, isMost),
  minItems: limit(listLength, isLeast),
  maxItems: limit(listLength, isMost),
  minProperties: limit(keyCount, isLeast),
  maxProperties: limit(keyCount, isMost),
  pattern: (_operand, { value }) => !isString(value) || undefined,
  // Comparing each item with each other takes too long.
  uniqueItems: (operand, { value }) => operand !== true || itemsOf(value).length < 2 || undefined,
  allOf: (operand, { value, visit }) => !Array.isArray(operand) || every(operand, (each) => visit(each, value)),
  anyOf: (operand, { value, visit }) =>
    !Array.isArray(operand) || not(every(operand, (each) => not(visit(each, value)))),
  oneOf(operand, { value, visit }) {
    if (!Array.isArray(operand)) return true;
    const verdicts = operand.map((each) => visit(each, value));
    return isCount(verdicts, 1, 1);
  },
  not: (operand, { value, visit }) => not(visit(operand, value)),
  if: checkCondition,
  dependentSchemas: dependents,
  dependentRequired: dependents,
  dependencies: dependents,
  required: (_operand, { value, schema }) =>
    !isRecord(value) || textsIn(schema, 'required').every((key) => Object.hasOwn(value, key)),
  properties: (operand, { value, keys, visit }) =>
    !isRecord(operand) ||
    every(keys, (key) => !Object.hasOwn(operand, key) || visit(operand[key], memberAt(value, key))),
  propertyNames: (operand, { keys, visit }) => every(keys, (key) => visit(operand, key)),
  patternProperties: (_operand, { keys, schema }) => keys.length === 0 || !hasPatterns(schema) || undefined,
  additionalProperties(operand, checked) {
    const isOpen = hasPatterns(checked.schema);
    const test = (key: string): Verdict => (isOpen ? undefined : checked.visit(operand, memberAt(checked.value, key)));
    return every(otherKeys(checked), test);
  },
  // What other schemas have evaluated is not followed.
  unevaluatedProperties: (_operand, checked) => otherKeys(checked).length === 0 || undefined,
  unevaluatedItems: (_operand, { value, schema }) =>
    itemsOf(value).length <= listIn(schema, 'prefixItems').length || isSchema(own(schema, 'items')) || undefined,
  items(operand, checked) {
    if (Array.isArray(operand)) return tuple(operand, checked);
    const { value, schema, visit } = checked;
    return every(itemsOf(value).slice(listIn(schema, 'prefixItems').length), (item) => visit(operand, item));
  },
  prefixItems: tuple,
  additionalItems(operand, { value, schema, visit }) {
    const first = own(schema, 'items');
    return !Array.isArray(first) || every(itemsOf(value).slice(first.length), (item) => visit(operand, item));
  },
  contains(operand, { value, schema, visit }) {
    if (!Array.isArray(value)) return true;
    const verdicts = itemsOf(value).map((item) => visit(operand, item));
    return isCount(verdicts, numberIn(schema, 'minContains') ?? 1, numberIn(schema, 'maxContains') ?? Infinity);
  },
};
