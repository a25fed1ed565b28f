import { isString, type UnknownRecord } from '../base/json.ts';
import { limits } from '../base/limits.ts';

/** @returns true if the value certainly matches; false if it does not, or if this check cannot decide */
export type PlainCheck = (value: unknown) => boolean;

/**
 * A schema as it is checked: all keywords for one type of values together, or `true` if all values of that type match, `false`
 * if none do. The objects have the same members in the same order, which V8 reads fastest.
 */
export interface PlainRules {
  readonly choices: ChoiceRules | undefined;
  readonly string: StringRules | boolean;
  readonly number: NumberRules | boolean;
  readonly boolean: boolean;
  readonly null: boolean;
  readonly array: ArrayRules | boolean;
  readonly object: ObjectRules | boolean;
}

export interface ChoiceRules {
  /** Accepted values that are {@link isComparable}: all others never match. */
  readonly values: readonly ReadonlySet<unknown>[];
  readonly allOf: readonly PlainRules[];
  readonly anyOf: readonly PlainRules[] | undefined;
}

/** Bounds of the length in UTF-16 units: JSON Schema counts characters, which have one or two. */
export interface StringRules {
  readonly minUnits: number;
  readonly maxUnits: number;
}

/** Bounds of a number; `NaN` as an exclusive bound accepts all. */
export interface NumberRules {
  readonly isInteger: boolean;
  readonly minimum: number;
  readonly maximum: number;
  readonly exclusiveMinimum: number;
  readonly exclusiveMaximum: number;
}

export interface ArrayRules {
  /** `undefined` accepts everything. */
  readonly items: PlainRules | undefined;
  readonly minItems: number;
  readonly maxItems: number;
  readonly isUnique: boolean;
}

export interface ObjectRules {
  /** For properties that the schema does not name. Those that it names follow, up to the last one, which leads back here. */
  readonly others: PropertyRules;
  readonly byName: ReadonlyMap<string, PropertyRules>;
  readonly required: number;
}

/** Rules for one property that the schema names or requires, or for all others. */
export class PropertyRules {
  /** `undefined` for all others. */
  readonly name: string | undefined;
  readonly rules: PlainRules;
  readonly required: 0 | 1;
  /** The property after this one in the schema: {@link ObjectRules.others} is before the first one and after the last one. */
  next: PropertyRules = this;

  constructor(name: string | undefined, rules: PlainRules, isRequired: boolean) {
    this.name = name;
    this.rules = rules;
    this.required = isRequired ? 1 : 0;
  }
}

/**
 * Remaining steps. A step is one check of a value against a schema, one entry of a list that must be unique, or one name that
 * is listed without being checked.
 */
interface StepBudget {
  steps: number;
}

/** Maximum entries of a set: hashes of numbers are predictable, so a server could make a larger set slow. */
export const maximumSetSize = 100;

/** Maximum characters of strings that are compared, since each comparison reads both. */
const maximumComparedLength = 1_000;

/** Up to this size, comparing all pairs is faster than a set. */
const maximumPairedSize = 8;

/**
 * Creates a check that takes a few milliseconds, and tens of them for the longest message: the work of each step is bounded but
 * for listing the names of an object, and after `limits.check.steps` it stops. Strings are measured, hashed and compared, never searched.
 */
export function createPlainCheck(rules: PlainRules): PlainCheck {
  // One for all checks, since each is done before the next one begins.
  const budget: StepBudget = { steps: 0 };
  return (value) => {
    budget.steps = limits.check.steps;
    try {
      return matches(rules, value, budget);
    } catch {
      // Stack overflow: the value is nested too deeply, or the schema refers to itself without end.
      return false;
    }
  };
}

function matches(rules: PlainRules, value: unknown, budget: StepBudget): boolean {
  budget.steps -= 1;
  if (budget.steps < 0) return false;
  const { choices } = rules;
  if (choices !== undefined && !matchesChoices(choices, value, budget)) return false;
  // `switch (typeof value)` would be slower: V8 makes the name of the type for it, but not for a comparison.
  if (typeof value === 'string') {
    const { string } = rules;
    if (typeof string === 'boolean') return string;
    return value.length >= string.minUnits && value.length <= string.maxUnits;
  }
  if (typeof value === 'number') {
    const { number } = rules;
    return typeof number === 'boolean' ? number : matchesNumber(number, value);
  }
  if (typeof value === 'boolean') return rules.boolean;
  if (value === null) return rules.null;
  if (Array.isArray(value)) {
    const { array } = rules;
    return typeof array === 'boolean' ? array : matchesArray(array, value, budget);
  }
  if (typeof value !== 'object') return false;
  const { object } = rules;
  return typeof object === 'boolean' ? object : matchesObject(object, value as UnknownRecord, budget);
}

function matchesChoices({ values, anyOf, allOf }: ChoiceRules, value: unknown, budget: StepBudget): boolean {
  for (const accepted of values) if (!accepted.has(value)) return false;
  for (const rules of allOf) if (!matches(rules, value, budget)) return false;
  if (anyOf === undefined) return true;
  for (const rules of anyOf) if (matches(rules, value, budget)) return true;
  return false;
}

function matchesNumber(rules: NumberRules, value: number): boolean {
  if (rules.isInteger && !Number.isInteger(value)) return false;
  if (value <= rules.exclusiveMinimum || value >= rules.exclusiveMaximum) return false;
  return value >= rules.minimum && value <= rules.maximum;
}

function matchesArray(rules: ArrayRules, list: readonly unknown[], budget: StepBudget): boolean {
  const { length } = list;
  if (length < rules.minItems || length > rules.maxItems) return false;
  const { items } = rules;
  if (items !== undefined) for (let at = 0; at < length; at += 1) if (!matches(items, list[at], budget)) return false;
  return !rules.isUnique || isSetOfScalars(list, budget);
}

function matchesObject(rules: ObjectRules, value: UnknownRecord, budget: StepBudget): boolean {
  let missing = rules.required;
  let property = rules.others;
  for (const name in value) {
    // Most objects have their properties in the order of the schema, without some of the optional ones.
    property = property.next;
    if (property.name !== name)
      property = property.next.name === name ? property.next : (rules.byName.get(name) ?? rules.others);
    missing -= property.required;
    if (!matches(property.rules, value[name], budget)) {
      // The loop has listed all names before the first one, and here they are listed again.
      if (budget.steps >= 0) budget.steps -= 2 * Object.keys(value).length;
      return false;
    }
  }
  return missing === 0;
}

/** True for a scalar, but not for a long string: comparing one takes time, and arrays and objects are compared by members. */
export function isComparable(value: unknown): boolean {
  return isString(value) ? value.length <= maximumComparedLength : typeof value !== 'object' || value === null;
}

/** True for an array of different scalars. */
function isSetOfScalars(items: readonly unknown[], budget: StepBudget): boolean {
  const { length } = items;
  if (length > maximumSetSize) return false;
  budget.steps -= length;
  const isPaired = length <= maximumPairedSize;
  for (let at = 0; at < length; at += 1) {
    const item = items[at];
    if (!isComparable(item)) return false;
    if (isPaired) for (let other = 0; other < at; other += 1) if (items[other] === item) return false;
  }
  return isPaired || new Set(items).size === length;
}
