import { isRecord, type JsonObject, type JsonValue } from '../base/json.ts';
import type { Kind } from '../schema/kinds.ts';
import { ObjectParts } from './memberParts.ts';
import { numbersIn } from '../schema/schemaNode.ts';
import { onlyValue, type Shape } from './shape.ts';
import { anySchema, type Shapes } from './shapes.ts';
import type { SubSchema } from './field.ts';

const maximumDepth = 20;

export function startValueOf(schema: SubSchema, shapes: Shapes, depth = 0): JsonValue {
  const shape = shapes.shapeOf(schema, undefined);
  const { obstacle, isNever, isNullOnly, listed, union, kinds } = shape;
  const [first] = listed ?? [];
  if (obstacle !== undefined || isNever || isNullOnly || depth > maximumDepth) return null;
  if (first !== undefined) return first.value;
  if (union !== undefined) {
    const [{ index } = { index: 0 }] = union.alternatives;
    const node = isRecord(schema) ? schema : anySchema;
    return startValueOf(shapes.combined.branch(node, { list: union.list, index }), shapes, depth + 1);
  }
  const [kind] = kinds;
  return kind === undefined ? null : startOfKind(kind, shape, shapes);
}

function startOfKind(kind: Kind, shape: Shape, shapes: Shapes): JsonValue {
  switch (kind) {
    case 'text':
      return '';
    case 'number':
      return startNumber(shape);
    case 'boolean':
      return false;
    case 'list':
      return [];
    case 'object':
      return startObject(shape, shapes);
  }
}

/** A number has no empty value. */
function startNumber({ parts, types }: Shape): number {
  const schemas = parts.map(({ schema }) => schema);
  const numbers = (name: string): readonly number[] => numbersIn(schemas, name);
  const [preset] = numbers('default');
  if (preset !== undefined) return preset;
  const minimums = numbers('minimum').filter((number) => number > Number.MIN_SAFE_INTEGER);
  const above = numbers('exclusiveMinimum').map((number) => number + 1);
  const least = Math.max(...minimums, ...above);
  const most = Math.min(...numbers('maximum'), ...numbers('exclusiveMaximum').map((number) => number - 1));
  const number = Number.isFinite(least) ? least : Math.min(0, most);
  return types?.has('number') === false ? Math.ceil(number) : number;
}

/** Only what can have one value is filled in. */
function startObject(shape: Shape, shapes: Shapes): JsonObject {
  const required = new ObjectParts(shape, shapes).properties.filter(({ isRequired }) => isRequired);
  const only = required.map(({ key, schema }) => [key, onlyValue(shapes.shapeOf(schema, undefined))?.value] as const);
  return Object.fromEntries(only.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}
