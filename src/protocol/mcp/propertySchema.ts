import { isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import type { JsonSchema } from './tools.ts';

/** What a property takes, once the many ways to write "or null" and "as defined there" are taken off. */
export interface PropertySchema {
  /** Takes no `null` at its top, and refers to nothing there, but for what leads nowhere. It has no default of `null`. */
  readonly schema: JsonSchema;
  readonly isNullable: boolean;
}

/** Reads the schema of a property, or of the items of a list. What is no schema demands nothing. */
export type ReadProperty = (value: unknown) => PropertySchema;

/** Wrappers within one another. */
const maximumDepth = 16;
/** Keywords of a schema that many may refer to: there are about 60, and each of those who refer to it gets a copy. */
const maximumKeywords = 80;

/** Keywords that describe and demand nothing: the outermost one counts. */
const describing = new Set(['title', 'description', 'default', 'examples', 'deprecated', '$comment']);

/**
 * Follows `$ref` within `root`, takes `null` out of `type`, `enum`, `anyOf` and `oneOf`, and unwraps what is then the only
 * variant: servers in Python write every optional argument so. What is referred to is read once, however many refer to it.
 */
export function createPropertyReader(root: JsonSchema): ReadProperty {
  /** `undefined` for what leads nowhere, to itself, or to more than a schema can be. */
  const targets = new Map<string, PropertySchema | undefined>();

  function targetOf(reference: string, depth: number): PropertySchema | undefined {
    if (targets.has(reference)) return targets.get(reference);
    targets.set(reference, undefined);
    const found = lookUp(reference, root);
    if (found === undefined || Object.keys(found).length > maximumKeywords) return undefined;
    // What is defined for many properties carries the name of its type, which is not the name of this one.
    const { title: _title, ...named } = found;
    const target = read(named, depth + 1);
    targets.set(reference, target);
    return target;
  }

  function read(value: unknown, depth: number): PropertySchema {
    const plain = withoutNull(isRecord(value) ? value : {});
    const { inner, others } = depth > maximumDepth ? nothing : innerOf(plain.schema, depth);
    const schema = inner && join(others, inner.schema);
    return inner === undefined || schema === undefined
      ? plain
      : { schema, isNullable: plain.isNullable || inner.isNullable };
  }

  /** What a reference or the only variant stands for, and what is said beside it. */
  function innerOf(schema: JsonSchema, depth: number): { inner?: PropertySchema | undefined; others: JsonSchema } {
    const { $ref: reference, ...beside } = schema;
    if (isString(reference)) return { inner: targetOf(reference, depth), others: beside };
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
      const { [keyword]: variants, ...others } = schema;
      if (!Array.isArray(variants) || variants.length !== 1) continue;
      const [only] = variants as unknown[];
      // An option with a title: to be chosen, not to be taken apart.
      const isOption = isRecord(only) && 'const' in only && 'title' in only;
      return isRecord(only) && !isOption ? { inner: read(only, depth + 1), others } : nothing;
    }
    return nothing;
  }

  return (value) => read(value, 0);
}

const nothing: { readonly inner?: undefined; readonly others: JsonSchema } = { others: {} };

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

/** What both demand; `undefined` where one keyword says two things. */
function join(outer: UnknownRecord, inner: UnknownRecord): JsonSchema | undefined {
  if (Object.keys(outer).length === 0) return inner;
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
