import { isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import type { JsonSchema } from './tools.ts';

/** The schema of a property without references and without the various forms of "or null". */
export interface PropertySchema {
  /** At its top level it allows no `null`, has no default of `null`, and no `$ref` that can be resolved. */
  readonly schema: JsonSchema;
  readonly isNullable: boolean;
}

/** Reads the schema of a property, or of the items of a list. An invalid schema counts as empty. */
export type ReadProperty = (value: unknown) => PropertySchema;

/** Maximum nesting of references and variants that are resolved. */
const maximumDepth = 16;
/** Maximum keywords of a referenced schema, since each reference gets a copy. JSON Schema has about 60. */
const maximumKeywords = 80;

/** Keywords without constraints: the outermost one counts. */
const describing = new Set(['title', 'description', 'default', 'examples', 'deprecated', '$comment']);

/**
 * Creates a reader that follows `$ref` within `root`, removes `null` from `type`, `enum`, `anyOf` and `oneOf`, and unwraps
 * a single remaining variant: Python servers write optional arguments this way. Each referenced schema is read once.
 */
export function createPropertyReader(root: JsonSchema): ReadProperty {
  /** By reference; `undefined` for targets that are missing, circular or too large. */
  const targets = new Map<string, PropertySchema | undefined>();

  function targetOf(reference: string, depth: number): PropertySchema | undefined {
    if (targets.has(reference)) return targets.get(reference);
    targets.set(reference, undefined);
    const found = lookUp(reference, root);
    if (found === undefined || Object.keys(found).length > maximumKeywords) return undefined;
    // The title of a shared definition is the name of its type, not of this property.
    const { title: _title, ...named } = found;
    const target = read(named, depth + 1);
    targets.set(reference, target);
    return target;
  }

  function read(value: unknown, depth: number): PropertySchema {
    const schemaWithoutNull = withoutNull(isRecord(value) ? value : {});
    const { inner, others } = depth > maximumDepth ? nothing : innerOf(schemaWithoutNull.schema, depth);
    const schema = inner && join(others, inner.schema);
    return inner === undefined || schema === undefined
      ? schemaWithoutNull
      : { schema, isNullable: schemaWithoutNull.isNullable || inner.isNullable };
  }

  /** The schema that a reference or a single variant stands for, and the keywords beside it. */
  function innerOf(schema: JsonSchema, depth: number): { inner?: PropertySchema | undefined; others: JsonSchema } {
    const { $ref: reference, ...beside } = schema;
    if (isString(reference)) return { inner: targetOf(reference, depth), others: beside };
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
      const { [keyword]: variants, ...others } = schema;
      if (!Array.isArray(variants) || variants.length !== 1) continue;
      const [only] = variants as unknown[];
      // An option with a title stays a choice.
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

/** Removes `null` from the keywords at the top level. */
function withoutNull(schema: JsonSchema): PropertySchema {
  const { type, enum: values, enumNames } = schema;
  let isNullable = false;
  // A keyword with the value null counts as absent, except `const`.
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

/** Merges two schemas; `undefined` where they conflict in a keyword. */
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
