import type { Schema } from '@cfworker/json-schema';
import type { JsonValue } from '../base/json.ts';
import type { Checkable, CheckableNode } from './checkableSchema.ts';

/** Schemas within each other for one value, and values within each other: the validator recurses for both. */
const maximumDepth = 400;

/**
 * Counts what the validator will do, which tries every branch, each with all that is below it: with nested alternatives the
 * time doubles with each level.
 * @param maximum steps after which counting stops
 * @returns `undefined` for more
 */
export function countSteps(
  schema: Checkable,
  value: JsonValue,
  lookup: Readonly<Record<string, Schema | boolean>>,
  maximum: number,
): number | undefined {
  const counter = new StepCounter(lookup, maximum);
  return counter.visit(schema, value, 0) ? counter.steps : undefined;
}

/** Its methods return `false` as soon as there are too many steps. */
class StepCounter {
  steps = 0;
  readonly #lookup: Readonly<Record<string, unknown>>;
  readonly #maximum: number;
  readonly #sizes = new Map<object, number>();

  constructor(lookup: Readonly<Record<string, unknown>>, maximum: number) {
    this.#lookup = lookup;
    this.#maximum = maximum;
  }

  visit(schema: Checkable | undefined, value: JsonValue, depth: number): boolean {
    if (schema === undefined) return true;
    this.steps += 1;
    if (this.steps > this.#maximum || depth > maximumDepth) return false;
    if (typeof schema === 'boolean') return true;
    this.steps += ((schema.enum?.length ?? 0) + (schema.required?.length ?? 0)) / 8;
    return this.#visitInPlace(schema, value, depth + 1) && this.#visitMembers(schema, value, depth + 1);
  }

  #visitInPlace(schema: CheckableNode, value: JsonValue, depth: number): boolean {
    const { $ref, allOf, anyOf, oneOf, dependentSchemas, dependencies } = schema;
    const visit = (each: Checkable | undefined): boolean => each === undefined || this.visit(each, value, depth);
    return (
      ($ref === undefined || visit(this.#lookup[$ref] as Checkable)) &&
      (allOf === undefined || allOf.every(visit)) &&
      (anyOf === undefined || anyOf.every(visit)) &&
      (oneOf === undefined || oneOf.every(visit)) &&
      visit(schema.not) &&
      visit(schema.if) &&
      visit(schema.then) &&
      visit(schema.else) &&
      (dependentSchemas === undefined || Object.values(dependentSchemas).every(visit)) &&
      (dependencies === undefined || Object.values(dependencies).every((each) => !isCheckable(each) || visit(each)))
    );
  }

  #visitMembers(schema: CheckableNode, value: JsonValue, depth: number): boolean {
    if (typeof value !== 'object' || value === null) return true;
    if (isList(value)) return this.#visitItems(schema, value, depth);
    const { properties, additionalProperties, unevaluatedProperties, propertyNames } = schema;
    if (properties !== undefined) this.steps += this.#sizeOf(properties) / 8;
    for (const key of Object.keys(value)) {
      const member = value[key] ?? null;
      const property = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
      const isBelow =
        this.visit(property ?? additionalProperties, member, depth) &&
        this.visit(unevaluatedProperties, member, depth) &&
        this.visit(propertyNames, key, depth);
      if (!isBelow) return false;
    }
    return true;
  }

  #sizeOf(properties: object): number {
    const size = this.#sizes.get(properties) ?? Object.keys(properties).length;
    this.#sizes.set(properties, size);
    return size;
  }

  #visitItems(schema: CheckableNode, list: readonly JsonValue[], depth: number): boolean {
    const { prefixItems, items, additionalItems, contains, unevaluatedItems } = schema;
    if ((prefixItems ?? items ?? contains ?? unevaluatedItems) === undefined) return true;
    return list.every((item, index) => {
      const rest = isTuple(items) ? (items[index] ?? additionalItems) : items;
      return (
        this.visit(prefixItems?.[index] ?? rest, item, depth) &&
        this.visit(contains, item, depth) &&
        this.visit(unevaluatedItems, item, depth)
      );
    });
  }
}

/** What depends on a key can be a list of keys. */
function isCheckable(value: Checkable | readonly string[]): value is Checkable {
  return !Array.isArray(value);
}

function isTuple(items: CheckableNode['items']): items is readonly Checkable[] {
  return Array.isArray(items);
}

/** `Array.isArray` does not know lists that are readonly. */
function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}
