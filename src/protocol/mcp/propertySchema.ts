import { isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import type { JsonSchema } from './tools.ts';

/** What a property takes, once the many ways to write "or null" and "as defined there" are taken off. */
export interface PropertySchema {
  /** Takes no `null` at its top, and refers to nothing there, but for what leads nowhere. It has no default of `null`. */
  readonly schema: JsonSchema;
  readonly isNullable: boolean;
}

/** References and wrappers within one another; more is a schema that contains itself. */
const maximumSteps = 16;

/** Keywords that describe and demand nothing: the outermost one counts. */
const describing = new Set(['title', 'description', 'default', 'examples', 'deprecated', '$comment']);

/**
 * Reads the schema of a property or of the items of a list: follows `$ref` within `root`, takes `null` out of `type`, `enum`,
 * `anyOf` and `oneOf`, and unwraps what is then the only variant. Servers in Python write every optional argument so.
 * @param value anything; what is no schema demands nothing
 */
export function readProperty(value: unknown, root: JsonSchema): PropertySchema {
  let found: PropertySchema = { schema: isRecord(value) ? value : {}, isNullable: false };
  for (let steps = 0; steps < maximumSteps; steps += 1) {
    const plain = withoutNull(found.schema);
    const isNullable = found.isNullable || plain.isNullable;
    const inner = unwrap(plain.schema, root);
    found = { schema: inner ?? plain.schema, isNullable };
    if (inner === undefined) return found;
  }
  return found;
}

function lookUp(reference: string, root: JsonSchema): JsonSchema | undefined {
  if (!reference.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const token of reference.slice(1).split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return isRecord(found) ? found : undefined;
}

/** Without `null` in the keywords at the top. */
function withoutNull(schema: JsonSchema): PropertySchema {
  const { type, enum: values, enumNames } = schema;
  let isNullable = false;
  // A keyword of null counts as absent, but for the one that says null is the only value.
  const changed = new Map(Object.entries(schema).filter(([key, value]) => value !== null || key === 'const'));
  if (Array.isArray(type)) {
    const others = type.filter((one) => one !== 'null');
    isNullable = others.length < type.length;
    if (others.length > 0) changed.set('type', others.length === 1 ? others[0] : others);
  }
  if (Array.isArray(values) && values.includes(null)) {
    isNullable ||= type === undefined;
    const isKept = (_: unknown, index: number): boolean => values[index] !== null;
    changed.set('enum', values.filter(isKept));
    if (Array.isArray(enumNames)) changed.set('enumNames', enumNames.filter(isKept));
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const variants: unknown = schema[keyword];
    if (!Array.isArray(variants)) continue;
    const others = variants.filter((variant) => !isNull(variant));
    if (others.length === variants.length || others.length === 0) continue;
    isNullable = true;
    changed.set(keyword, others);
  }
  return { schema: Object.fromEntries(changed), isNullable };
}

/** @returns the same with its reference or its only variant put in place; `undefined` where it has none */
function unwrap(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  const { $ref: reference, ...beside } = schema;
  if (isString(reference)) {
    const target = lookUp(reference, root);
    if (target === undefined) return undefined;
    // What is defined for many properties carries the name of its type, which is not the name of this one.
    const { title: _title, ...inner } = target;
    return join(beside, inner);
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
    const { [keyword]: variants, ...others } = schema;
    if (!Array.isArray(variants) || variants.length !== 1) continue;
    const [only] = variants as unknown[];
    // An option with a title: to be chosen, not to be taken apart.
    if (isRecord(only) && 'const' in only && 'title' in only) return undefined;
    return isRecord(only) ? join(others, only) : undefined;
  }
  return undefined;
}

/** What both demand; `undefined` where one keyword says two things. */
function join(outer: UnknownRecord, inner: UnknownRecord): JsonSchema | undefined {
  const isClash = ([keyword, value]: readonly [string, unknown]): boolean =>
    !describing.has(keyword) && Object.hasOwn(inner, keyword) && inner[keyword] !== value;
  if (Object.entries(outer).some(isClash)) return undefined;
  return Object.fromEntries([...Object.entries(inner), ...Object.entries(outer)]);
}

function isNull(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  const { type, enum: values } = schema;
  const isOnlyNull = Array.isArray(values) && values.length > 0 && values.every((value) => value === null);
  return type === 'null' || schema['const'] === null || isOnlyNull;
}
