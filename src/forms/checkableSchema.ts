import type { Schema } from '@cfworker/json-schema';
import { isRecord, isString, type UnknownRecord } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { typesOf } from './kinds.ts';
import { isSchema, listIn, membersIn, numberIn, own, textsIn } from './schemaNode.ts';
import type { SchemaRefs } from './schemaRefs.ts';

/**
 * A schema as the validator may get it: well formed, and without patterns, formats and `uniqueItems`, whose time is unbounded.
 * References are keys of the copies; all keywords are checked, so that it finds nothing it could throw for.
 */
export type Checkable = boolean | CheckableNode;

/** One schema of {@link Checkable}; other members are plain limits. */
export interface CheckableNode {
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly not?: Checkable;
  readonly if?: Checkable;
  readonly then?: Checkable;
  readonly else?: Checkable;
  readonly contains?: Checkable;
  readonly additionalProperties?: Checkable;
  readonly unevaluatedProperties?: Checkable;
  readonly additionalItems?: Checkable;
  readonly unevaluatedItems?: Checkable;
  readonly propertyNames?: Checkable;
  readonly items?: Checkable | readonly Checkable[];
  readonly prefixItems?: readonly Checkable[];
  readonly allOf?: readonly Checkable[];
  readonly anyOf?: readonly Checkable[];
  readonly oneOf?: readonly Checkable[];
  readonly properties?: Readonly<Record<string, Checkable>>;
  readonly dependentSchemas?: Readonly<Record<string, Checkable>>;
  readonly dependencies?: Readonly<Record<string, Checkable | readonly string[]>>;
}

const numberKeywords = [
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'exclusiveMinimum',
  'exclusiveMaximum',
];
const schemaKeywords = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'additionalItems',
  'unevaluatedItems',
  'propertyNames',
  'items',
];
const listKeywords = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const mapKeywords = ['properties', 'dependentSchemas', 'dependentRequired', 'dependencies'];

interface Copy {
  /** In {@link CheckableSchemas.lookup}. */
  readonly key: string;
  readonly copy: Record<string, unknown>;
}

/** Makes copies of schemas, each once. */
export class CheckableSchemas {
  /** All copies so far, by the keys that are in `$ref`. */
  readonly lookup = Object.create(null) as Record<string, Schema>;
  readonly #refs: SchemaRefs;
  readonly #copies = new Map<UnknownRecord, Copy>();
  /** Copied one after the other: recursion would fail on deep schemas. */
  readonly #waiting: { readonly schema: UnknownRecord; readonly copy: Copy['copy'] }[] = [];

  /** @param refs of the schemas that are copied */
  constructor(refs: SchemaRefs) {
    this.#refs = refs;
  }

  /** @param schema unchecked; anything but a schema accepts all */
  checkableOf(schema: unknown): Checkable {
    const copy = this.#copyOf(schema);
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop())
      this.#fill(next.copy, next.schema);
    return copy;
  }

  #begin(schema: UnknownRecord): Copy {
    const known = this.#copies.get(schema);
    if (known !== undefined) return known;
    const begun = { key: String(this.#copies.size), copy: {} };
    this.#copies.set(schema, begun);
    this.lookup[begun.key] = begun.copy;
    this.#waiting.push({ schema, copy: begun.copy });
    return begun;
  }

  #copyOf(schema: unknown): Checkable {
    return isRecord(schema) ? this.#begin(schema).copy : schema !== false;
  }

  #fill(copy: Copy['copy'], schema: UnknownRecord): void {
    const types = typesOf(schema);
    if (types !== undefined) copy['type'] = [...types];
    if (Object.hasOwn(schema, 'const')) copy['const'] = own(schema, 'const');
    if (Array.isArray(own(schema, 'enum'))) copy['enum'] = listIn(schema, 'enum');
    copy['required'] = textsIn(schema, 'required');
    takeNumbers(copy, schema);
    this.#takeSchemas(copy, schema);
    this.#takeReferences(copy, schema);
  }

  #takeSchemas(copy: Copy['copy'], schema: UnknownRecord): void {
    // Which keys match a pattern is not known: each one could.
    const isOpen = membersIn(schema, 'patternProperties').length > 0;
    for (const name of schemaKeywords) {
      const isLeftOut = isOpen && (name === 'additionalProperties' || name === 'unevaluatedProperties');
      if (isSchema(own(schema, name)) && !isLeftOut) copy[name] = this.#copyOf(own(schema, name));
    }
    for (const name of listKeywords) {
      const list = listIn(schema, name);
      if (list.length > 0) copy[name] = list.map((each) => this.#copyOf(each));
    }
    for (const name of mapKeywords) {
      const members = membersIn(schema, name).map(([key, member]) => [
        key,
        // What depends on a key can be a list of keys.
        Array.isArray(member) ? (member as unknown[]).filter(isString) : this.#copyOf(member),
      ]);
      if (members.length > 0) copy[name] = Object.fromEntries(members);
    }
  }

  /** A reference that leads nowhere accepts anything. */
  #takeReferences(copy: Copy['copy'], schema: UnknownRecord): void {
    const targets = this.#refs
      .targetsOf(schema)
      .flatMap((target) => (target.kind === 'found' ? [target.schema] : []))
      .map((target) => (typeof target === 'boolean' ? target : { $ref: this.#begin(target).key }));
    if (targets.length > 0) copy['allOf'] = [...listIn(copy, 'allOf'), ...targets];
  }
}

function takeNumbers(copy: Copy['copy'], schema: UnknownRecord): void {
  for (const name of numberKeywords) {
    const number = numberIn(schema, name);
    if (number !== undefined) copy[name] = number;
  }
  for (const [name, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    // In draft-04 it is a boolean beside the limit.
    const number = own(schema, name) === true ? numberIn(schema, limit) : undefined;
    if (number !== undefined) copy[name] = number;
  }
}

/** True for a schema with more members than one that is checked may have; stops counting there. */
export function isTooLargeToCheck(root: UnknownRecord): boolean {
  let members = 0;
  const waiting: unknown[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const values: readonly unknown[] = Object.values(next);
    members += values.length;
    if (members > limits.schema.members) return true;
    for (const value of values) if (typeof value === 'object' && value !== null) waiting.push(value);
  }
  return false;
}
