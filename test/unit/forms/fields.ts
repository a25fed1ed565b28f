import type { JsonValue, UnknownRecord } from '../../../src/base/json.ts';
import type { Field, ListField, ObjectField, SubSchema, UnionField } from '../../../src/forms/field.ts';
import { FormEngine } from '../../../src/forms/formEngine.ts';

/** A field of a certain kind. @throws {Error} for another */
export function asKind<Kind extends Field['kind']>(field: Field, kind: Kind): Extract<Field, { readonly kind: Kind }> {
  if (field.kind !== kind) throw new Error(`The field is ${field.kind}, not ${kind}: ${JSON.stringify(field)}`);
  return field as Extract<Field, { readonly kind: Kind }>;
}

/** The field of the whole. */
export function rootField(schema: UnknownRecord, value?: JsonValue, chosen?: number): Field {
  const engine = new FormEngine(schema);
  return engine.fieldFor(engine.root, value, chosen);
}

/** The schema of a property of the arguments, and the engine that knows it. */
export function propertyIn(
  schema: UnknownRecord,
  key: string,
  value: JsonValue = {},
): { readonly engine: FormEngine; readonly schema: SubSchema } {
  const engine = new FormEngine(schema);
  const { properties } = asKind(engine.fieldFor(engine.root, value), 'object');
  return { engine, schema: properties.find((property) => property.key === key)?.schema ?? false };
}

/** The field of the property `a`, with definitions beside it. */
export function fieldOf(schema: SubSchema, value?: JsonValue, beside: UnknownRecord = {}): Field {
  const found = propertyIn({ type: 'object', properties: { a: schema }, ...beside }, 'a');
  return found.engine.fieldFor(found.schema, value);
}

/** An object as a form shows it: names, with a mark for those that are required. */
export function namesOf(field: Field): readonly string[] {
  return asKind(field, 'object').properties.map(({ key, isRequired }) => (isRequired ? `${key}!` : key));
}

/** The labels of a union. */
export function labelsOf(field: Field): readonly string[] {
  return asKind(field, 'union').branches.map(({ label }) => label);
}

/** The field of one branch. */
export function branchOf(engine: FormEngine, union: UnionField, index: number, value?: JsonValue): Field {
  return engine.fieldFor(union.branches[index]?.schema ?? false, value);
}

/** What an object says about its entries. */
export function entriesOf(field: ObjectField, key: string): unknown {
  return { entries: field.entries, key: field.entrySchema(key), others: field.otherKeys };
}

/** The schemas of the first items of a list. */
export function itemsOf(field: ListField, count: number): readonly SubSchema[] {
  return Array.from({ length: count }, (_, index) => field.itemSchema(index));
}
