import { isString, type UnknownRecord } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';

/** @returns true if the value certainly matches; false if it does not, or if this check cannot decide */
export type PlainCheck = (value: unknown) => boolean;

/** One bit for each type of a value: an integer is a number too. */
export const typeBits = { string: 1, number: 2, integer: 4, boolean: 8, null: 16, array: 32, object: 64 } as const;

/** All of {@link typeBits}. */
export const everyType = 127;

/**
 * A schema as it is checked: all keywords for one kind of values together, so that a value is compared with those of its
 * kind only. The objects have the same members in the same order, which V8 reads fastest.
 */
export interface PlainRules {
  /** Accepted types, as {@link typeBits}. */
  readonly types: number;
  readonly choices: ChoiceRules | undefined;
  readonly string: StringRules | undefined;
  readonly number: NumberRules | undefined;
  readonly list: ListRules | undefined;
  readonly object: ObjectRules | undefined;
}

/** Rules for values of all types. */
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
  readonly minimum: number;
  readonly maximum: number;
  readonly exclusiveMinimum: number;
  readonly exclusiveMaximum: number;
}

/** Rules for arrays. */
export interface ListRules {
  /** `undefined` accepts everything. */
  readonly items: PlainRules | undefined;
  readonly minItems: number;
  readonly maxItems: number;
  readonly isUnique: boolean;
}

/** Rules for objects. */
export interface ObjectRules {
  /** The first property of the schema. */
  readonly first: PropertyRules | undefined;
  readonly byName: ReadonlyMap<string, PropertyRules>;
  /** For all other properties. */
  readonly others: PlainRules;
  /** Number of required properties. */
  readonly required: number;
}

/** Rules for one property that the schema names or requires. */
export interface PropertyRules {
  readonly name: string;
  readonly rules: PlainRules;
  readonly isRequired: boolean;
  /** The property after this one in the schema. */
  readonly next: PropertyRules | undefined;
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
  const { types, choices } = rules;
  if (choices !== undefined && !matchesChoices(choices, value, budget)) return false;
  // `switch (typeof value)` would be slower: V8 makes the name of the type for it, but not for a comparison.
  if (typeof value === 'string')
    return (types & typeBits.string) !== 0 && (rules.string === undefined || matchesString(rules.string, value));
  if (typeof value === 'number')
    return isAcceptedNumber(types, value) && (rules.number === undefined || matchesNumber(rules.number, value));
  if (typeof value === 'boolean') return (types & typeBits.boolean) !== 0;
  if (value === null) return (types & typeBits.null) !== 0;
  if (Array.isArray(value))
    return (types & typeBits.array) !== 0 && (rules.list === undefined || matchesList(rules.list, value, budget));
  if (typeof value !== 'object' || (types & typeBits.object) === 0) return false;
  return rules.object === undefined || matchesObject(rules.object, value as UnknownRecord, budget);
}

function matchesChoices({ values, anyOf, allOf }: ChoiceRules, value: unknown, budget: StepBudget): boolean {
  for (const accepted of values) if (!accepted.has(value)) return false;
  for (const rules of allOf) if (!matches(rules, value, budget)) return false;
  if (anyOf === undefined) return true;
  for (const rules of anyOf) if (matches(rules, value, budget)) return true;
  return false;
}

function matchesString({ minUnits, maxUnits }: StringRules, { length }: string): boolean {
  return length >= minUnits && length <= maxUnits;
}

function isAcceptedNumber(types: number, value: number): boolean {
  return (types & typeBits.number) !== 0 || ((types & typeBits.integer) !== 0 && Number.isInteger(value));
}

function matchesNumber(rules: NumberRules, value: number): boolean {
  if (value <= rules.exclusiveMinimum || value >= rules.exclusiveMaximum) return false;
  return value >= rules.minimum && value <= rules.maximum;
}

function matchesList(rules: ListRules, list: readonly unknown[], budget: StepBudget): boolean {
  const { length } = list;
  if (length < rules.minItems || length > rules.maxItems) return false;
  const { items } = rules;
  if (items !== undefined) for (let at = 0; at < length; at += 1) if (!matches(items, list[at], budget)) return false;
  return !rules.isUnique || isSetOfScalars(list, budget);
}

function matchesObject(rules: ObjectRules, value: UnknownRecord, budget: StepBudget): boolean {
  let missing = rules.required;
  // Most objects have their properties in the order of the schema: looking there first avoids most searches by name.
  let expected = rules.first;
  for (const name in value) {
    const property = expected !== undefined && expected.name === name ? expected : rules.byName.get(name);
    let here = rules.others;
    if (property !== undefined) {
      here = property.rules;
      expected = property.next;
      if (property.isRequired) missing -= 1;
    }
    if (!matches(here, value[name], budget)) {
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
