import type { UnknownRecord } from '../base/json.ts';
import type { ListParts, SubSchema } from './field.ts';
import { isSchema, listIn, numbersIn, own } from '../schema/schemaNode.ts';
import type { Shape } from './shape.ts';
import { orNoSchema, type Shapes } from './shapes.ts';

/** Items that have a place of their own. */
const maximumPrefix = 1_000;

export function listPartsOf({ parts }: Shape, { combined }: Shapes): ListParts {
  const schemas = parts.map(({ schema }) => schema);
  const tuples = schemas.map((schema) => ({ prefix: prefixOf(schema), rest: restOf(schema) }));
  const schemaAt = (index: number): SubSchema =>
    combined.all(tuples.map(({ prefix, rest }) => (index < prefix.length ? orNoSchema(prefix[index]) : rest)));
  const prefixLength = Math.max(0, ...tuples.map(({ prefix }) => prefix.length));
  const prefix = Array.from({ length: prefixLength }, (_, index) => schemaAt(index));
  const rest = combined.both(schemaAt(prefixLength), unevaluatedOf(schemas));
  const itemSchema = (index: number): SubSchema => prefix[index] ?? rest;
  const count = (name: string): readonly number[] => numbersIn(schemas, name).filter((number) => number >= 0);
  const firstNone = prefix.indexOf(false);
  const room = firstNone >= 0 ? firstNone : rest === false ? prefixLength : Infinity;
  return {
    prefixLength,
    itemSchema,
    minimumItems: Math.max(0, ...count('minItems')),
    maximumItems: Math.min(room, ...count('maxItems')),
    isUnique: schemas.some((schema) => own(schema, 'uniqueItems') === true),
  };
}

function prefixOf(schema: UnknownRecord): readonly unknown[] {
  const prefix = listIn(schema, 'prefixItems');
  return (prefix.length > 0 ? prefix : listIn(schema, 'items')).slice(0, maximumPrefix);
}

function restOf(schema: UnknownRecord): SubSchema {
  const items = own(schema, 'items');
  const rest = Array.isArray(items) ? own(schema, 'additionalItems') : items;
  return rest === undefined ? true : orNoSchema(rest);
}

/** The schema of items that nothing else is said of. The innermost one counts: it leaves nothing for others. */
function unevaluatedOf(schemas: readonly UnknownRecord[]): SubSchema {
  const others = ['items', 'additionalItems', 'contains'];
  if (schemas.some((schema) => others.some((name) => isSchema(own(schema, name))))) return true;
  return schemas.map((schema) => own(schema, 'unevaluatedItems')).findLast(isSchema) ?? true;
}
