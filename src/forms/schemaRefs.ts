import { dereference, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';
import { isRecord, isString, type JsonValue, type UnknownRecord } from '../base/json.ts';
import type { SubSchema } from './field.ts';
import { own } from './ownSchema.ts';
import { memberOf } from './valueAt.ts';

/** The references of one schema, and which of its parts accept a value. */
export interface SchemaRefs {
  /** The schema that a `$ref` means; `undefined` if it is missing or elsewhere. */
  readonly follow: (schema: UnknownRecord) => SubSchema | undefined;
  /** Whether a value is valid, patterns and formats apart; `undefined` if that takes too long to find out. */
  readonly accepts: (schema: SubSchema, value: JsonValue) => boolean | undefined;
}

/** Steps of one decision; some ten milliseconds. */
const maximumSteps = 20_000;

/** Levels of schemas and values in one decision. */
const maximumDepth = 200;

/** @param root our own copy: the validator writes into it */
export function createSchemaRefs(root: UnknownRecord): SchemaRefs {
  const lookup = tryDereference(root);
  const draft: SchemaDraft = /draft-0[467]/.test(String(root['$schema'])) ? '7' : '2020-12';
  const verdicts = new WeakMap<UnknownRecord, WeakMap<object, boolean>>();

  function follow(schema: UnknownRecord): SubSchema | undefined {
    const absolute = own(schema, '__absolute_ref__');
    const found: unknown = isString(absolute) && Object.hasOwn(lookup, absolute) ? lookup[absolute] : undefined;
    const target = found ?? pointedAt(root, own(schema, '$ref'));
    return typeof target === 'boolean' || isRecord(target) ? target : undefined;
  }

  function decide(schema: UnknownRecord, value: JsonValue): boolean | undefined {
    if (!isCheap(schema, value, follow)) return undefined;
    try {
      return validate(value, schema, draft, lookup, true).valid;
    } catch {
      // A reference that leads nowhere, or recursion without end.
      return undefined;
    }
  }

  return {
    follow,
    accepts(schema, value) {
      if (typeof schema === 'boolean') return schema;
      if (typeof value !== 'object' || value === null) return decide(schema, value);
      const known = verdicts.get(schema) ?? new WeakMap<object, boolean>();
      verdicts.set(schema, known);
      const verdict = known.get(value) ?? decide(schema, value);
      if (verdict !== undefined) known.set(value, verdict);
      return verdict;
    },
  };
}

type Lookup = Record<string, Schema | boolean>;

/** Ids that occur twice, and depth, make it throw: then only pointers from the root are followed. */
function tryDereference(root: UnknownRecord): Lookup {
  try {
    return dereference(root);
  } catch {
    return {};
  }
}

function pointedAt(root: UnknownRecord, reference: unknown): unknown {
  if (!isString(reference) || !reference.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const token of reference.slice(1).split('/').slice(1)) {
    const key = decode(token).replaceAll('~1', '/').replaceAll('~0', '~');
    found = isRecord(found) ? own(found, key) : Array.isArray(found) ? (found as unknown[])[Number(key)] : undefined;
  }
  return found;
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    // Not percent-encoded.
    return token;
  }
}

const inPlaceLists = ['allOf', 'anyOf', 'oneOf'];
const inPlace = ['not', 'if', 'then', 'else'];

/** The validator tries every branch, each with all that is below: nested alternatives take time that doubles with each level. */
function isCheap(root: UnknownRecord, whole: JsonValue, follow: SchemaRefs['follow']): boolean {
  let steps = 0;
  const visit = (schema: unknown, value: JsonValue, depth: number): boolean => {
    steps += 1;
    if (steps > maximumSteps || depth > maximumDepth) return false;
    if (!isRecord(schema)) return true;
    const applied: unknown[] = inPlace.map((name) => own(schema, name));
    for (const name of inPlaceLists) {
      const list = own(schema, name);
      if (Array.isArray(list)) for (const each of list as unknown[]) applied.push(each);
    }
    for (const name of ['dependentSchemas', 'dependencies']) {
      const map = own(schema, name);
      if (isRecord(map)) applied.push(...Object.values(map));
    }
    if (own(schema, '$ref') !== undefined) applied.push(follow(schema));
    return applied.every((each) => visit(each, value, depth + 1)) && visitMembers(schema, value, depth);
  };
  const visitMembers = (schema: UnknownRecord, value: JsonValue, depth: number): boolean => {
    if (typeof value !== 'object' || value === null) return true;
    const properties = own(schema, 'properties');
    const prefix = own(schema, 'prefixItems') ?? own(schema, 'items');
    const keys = Object.keys(value);
    steps += keys.length;
    return keys.every((key, index) => {
      const member = memberOf(value, key) ?? null;
      const named = isRecord(properties) ? own(properties, key) : undefined;
      const item = Array.isArray(prefix) ? ((prefix as unknown[])[index] ?? own(schema, 'items')) : prefix;
      const below = Array.isArray(value)
        ? [item, own(schema, 'contains')]
        : [named ?? own(schema, 'additionalProperties'), own(schema, 'propertyNames')];
      return below.every((each) => visit(each, member, depth + 1));
    });
  };
  return visit(root, whole, 0);
}
