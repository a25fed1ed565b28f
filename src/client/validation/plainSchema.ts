import { isRecord, isString, isStringArray, type UnknownRecord } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';

/** @returns true if the value certainly matches; false if it does not, or if this check cannot decide */
export type PlainCheck = (value: unknown) => boolean;

type Check = (value: unknown, budget: StepBudget) => boolean;

/** Remaining steps. A step is one check of a value against a schema, one key, or one option. */
interface StepBudget {
  steps: number;
}

/** Maximum entries of a set: hashes of numbers are predictable, so a server could make a larger set slow. */
const maximumSetSize = 100;

/** Keywords without assertions, and those that only matter with `$ref`. */
const annotations = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  '$defs',
  'definitions',
]);

const dialects = /^https?:\/\/json-schema\.org\/(draft\/20(20-12|19-09)|draft-0[67])\/schema#?$/;

/**
 * Compiles a check of the most common keywords that runs in this process. The checker process handles everything else, and
 * every value that does not match. The check generates no code and runs no pattern, and its work is limited for every
 * schema: without references each value is checked against each schema at most once, and after `limits.check.steps` steps,
 * a few milliseconds, it stops. Strings are measured, hashed and compared, never searched.
 * @param schema within `limits.schema`
 * @returns `undefined` for a schema with other keywords
 */
export function compilePlainSchema({ $schema: dialect, ...schema }: UnknownRecord): PlainCheck | undefined {
  if (dialect !== undefined && !(isString(dialect) && dialects.test(dialect))) return undefined;
  const check = compile(schema);
  return check && ((value) => check(value, { steps: limits.check.steps }));
}

function compile(schema: unknown): Check | undefined {
  if (typeof schema === 'boolean') return () => schema;
  if (!isRecord(schema)) return undefined;
  const checks: Check[] = [];
  let isObject = false;
  let isList = false;
  for (const [keyword, operand] of Object.entries(schema)) {
    if (annotations.has(keyword) || keyword.startsWith('x-')) continue;
    if (objectKeywords.has(keyword)) isObject = true;
    else if (listKeywords.has(keyword)) isList = true;
    else {
      const check = compileKeyword(keyword, operand);
      if (check === undefined) return undefined;
      checks.push(check);
    }
  }
  const structures = [...(isObject ? [compileObject(schema)] : []), ...(isList ? [compileList(schema)] : [])];
  for (const check of structures) {
    if (check === undefined) return undefined;
    checks.push(check);
  }
  return (value, budget) => {
    budget.steps -= checks.length + 1;
    if (budget.steps < 0) return false;
    for (const check of checks) if (!check(value, budget)) return false;
    return true;
  };
}

/** Keywords that do not depend on other keywords. */
function compileKeyword(keyword: string, operand: unknown): Check | undefined {
  switch (keyword) {
    case 'type':
      return compileType(operand);
    case 'enum':
      return Array.isArray(operand) && operand.length <= maximumSetSize ? compileEnum(operand) : undefined;
    case 'const':
      return compileEnum([operand]);
    case 'anyOf':
      return compileAnyOf(operand);
    default:
      return typeof operand === 'number' ? compileBound(keyword, operand) : undefined;
  }
}

/** A keyword that does not apply to the type of a value accepts it (JSON Schema 2020-12 Validation, section 6). */
function compileBound(keyword: string, bound: number): Check | undefined {
  switch (keyword) {
    case 'minimum':
      return (value) => typeof value !== 'number' || value >= bound;
    case 'maximum':
      return (value) => typeof value !== 'number' || value <= bound;
    case 'exclusiveMinimum':
      return (value) => typeof value !== 'number' || value > bound;
    case 'exclusiveMaximum':
      return (value) => typeof value !== 'number' || value < bound;
    // Lengths count characters, which have one or two UTF-16 units: the checker process counts exactly.
    case 'minLength':
      return (value) => !isString(value) || value.length >= 2 * bound || (bound === 1 && value !== '');
    case 'maxLength':
      return (value) => !isString(value) || value.length <= bound;
    default:
      return undefined;
  }
}

const types = new Map<unknown, (value: unknown) => boolean>([
  ['string', isString],
  ['number', (value) => typeof value === 'number'],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['null', (value) => value === null],
  ['array', (value) => Array.isArray(value)],
  ['object', isRecord],
]);

function compileType(operand: unknown): Check | undefined {
  const names = isString(operand) ? [operand] : operand;
  if (!isStringArray(names) || names.length > 7) return undefined;
  const tests = names.map((name) => types.get(name)).filter((test) => test !== undefined);
  if (tests.length !== names.length) return undefined;
  const [only] = tests;
  return tests.length === 1 ? only : (value) => tests.some((test) => test(value));
}

function compileEnum(values: readonly unknown[]): Check {
  // Arrays and objects never match here: the checker process compares them.
  const set = new Set(values.filter((value) => typeof value !== 'object' || value === null));
  return (value) => set.has(value);
}

function compileAnyOf(operand: unknown): Check | undefined {
  const options = Array.isArray(operand) ? operand.map(compile) : [];
  if (options.length === 0 || options.includes(undefined)) return undefined;
  return (value, budget) => options.some((option) => option?.(value, budget));
}

const objectKeywords = new Set(['properties', 'required', 'additionalProperties']);

function compileObject(schema: UnknownRecord): Check | undefined {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  if (!isRecord(properties) || !isStringArray(required)) return undefined;
  const known = new Map<string, Check>();
  for (const [name, property] of Object.entries(properties)) {
    const check = compile(property);
    if (check === undefined) return undefined;
    known.set(name, check);
  }
  const others = compile(additionalProperties);
  if (others === undefined) return undefined;
  return (value, budget) => {
    if (!isRecord(value)) return true;
    const names = Object.keys(value);
    budget.steps -= required.length + names.length;
    if (budget.steps < 0) return false;
    for (const name of required) if (!Object.hasOwn(value, name)) return false;
    for (const name of names) if (!(known.get(name) ?? others)(value[name], budget)) return false;
    return true;
  };
}

const listKeywords = new Set(['items', 'minItems', 'maxItems', 'uniqueItems']);

function compileList(schema: UnknownRecord): Check | undefined {
  const { items = true, minItems = 0, maxItems = Infinity, uniqueItems = false } = schema;
  const check = compile(items);
  if (check === undefined || typeof minItems !== 'number' || typeof maxItems !== 'number') return undefined;
  if (typeof uniqueItems !== 'boolean') return undefined;
  return (value, budget) => {
    if (!Array.isArray(value)) return true;
    if (value.length < minItems || value.length > maxItems) return false;
    for (const item of value) if (!check(item, budget)) return false;
    return !uniqueItems || isSetOfScalars(value);
  };
}

/** True for an array of different scalars; a set distinguishes scalars of different types. */
function isSetOfScalars(items: readonly unknown[]): boolean {
  if (items.length > maximumSetSize) return false;
  for (const item of items) if (typeof item === 'object' && item !== null) return false;
  return items.length < 2 || new Set(items).size === items.length;
}
