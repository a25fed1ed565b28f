import type { ExactValue, JsonObject } from '../base/json.ts';
import type { Field, SubSchema, ValuePath } from './field.ts';
import type { FormEngine } from './formEngine.ts';
import { memberOf } from './valueAt.ts';

/** A place in the arguments: its schema, and the value that is there. */
export interface SchemaPlace {
  readonly schema: SubSchema;
  readonly value: ExactValue | undefined;
  /** Its parent requires it. */
  readonly isRequired: boolean;
}

/** Unions in unions that are looked through. */
const maximumUnions = 8;

/** The place at a path of the arguments; `undefined` where the schema has none. */
export function placeAt(engine: FormEngine, args: JsonObject, path: ValuePath): SchemaPlace | undefined {
  let place: SchemaPlace = { schema: engine.root, value: args, isRequired: true };
  for (const step of path) {
    const next = childOf(shownField(engine, place), step);
    if (next === undefined) return undefined;
    place = { ...next, value: memberOf(place.value, step) };
  }
  return place;
}

/** The field of a place, looked up in the branches that its value is of. */
export function shownField(engine: FormEngine, { schema, value }: Omit<SchemaPlace, 'isRequired'>): Field {
  let field = engine.fieldFor(schema, value);
  for (let depth = 0; field.kind === 'union' && depth < maximumUnions; depth += 1) {
    const branch = field.branches[field.chosen ?? 0];
    if (branch === undefined) return field;
    field = engine.fieldFor(branch.schema, value);
  }
  return field;
}

function childOf(field: Field, step: string | number): Omit<SchemaPlace, 'value'> | undefined {
  if (field.kind === 'list' && typeof step === 'number') return { schema: field.itemSchema(step), isRequired: true };
  if (field.kind !== 'object') return undefined;
  const property = field.properties.find(({ key }) => key === step);
  if (property !== undefined) return property;
  const schema = field.entrySchema(String(step));
  return schema === undefined ? undefined : { schema, isRequired: false };
}
