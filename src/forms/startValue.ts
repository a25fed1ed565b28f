import { isRecord, type JsonObject, type JsonValue } from '../base/json.ts';
import type { Kind } from '../schema/kinds.ts';
import { objectPartsOf } from './objectParts.ts';
import { numberIn, own } from '../schema/schemaNode.ts';
import { onlyValue, type Shape } from './shape.ts';
import { anySchema, type Shapes } from './shapes.ts';
import type { SubSchema } from './field.ts';

const maximumDepth = 20;

/** A value to begin with; see `FormEngine`. */
export function startValueOf(schema: SubSchema, shapes: Shapes, depth = 0): JsonValue {
  const shape = shapes.shapeOf(schema, undefined);
  const { obstacle, isNever, isNullOnly, listed, union, kinds } = shape;
  const [first] = listed ?? [];
  if (obstacle !== undefined || isNever || isNullOnly || depth > maximumDepth) return null;
  if (first !== undefined) return first.value;
  if (union !== undefined) {
    const [{ index } = { index: 0 }] = union.alternatives;
    const node = isRecord(schema) ? schema : anySchema;
    return startValueOf(shapes.tools.combined.branch(node, { list: union.list, index }), shapes, depth + 1);
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
  const presets = parts.map(({ schema }) => own(schema, 'default')).filter((value) => typeof value === 'number');
  if (presets[0] !== undefined) return presets[0];
  const numbers = (name: string): readonly number[] => parts.flatMap(({ schema }) => numberIn(schema, name) ?? []);
  const minimums = numbers('minimum').filter((number) => number > Number.MIN_SAFE_INTEGER);
  const above = numbers('exclusiveMinimum').map((number) => number + 1);
  const least = Math.max(...minimums, ...above);
  const most = Math.min(...numbers('maximum'), ...numbers('exclusiveMaximum').map((number) => number - 1));
  const number = Number.isFinite(least) ? least : Math.min(0, most);
  return types?.has('number') === false ? Math.ceil(number) : number;
}

/** Only what can have one value is filled in. */
function startObject(shape: Shape, shapes: Shapes): JsonObject {
  const required = objectPartsOf(shape, shapes).properties.filter(({ isRequired }) => isRequired);
  const constants = required.flatMap(({ key, schema }): readonly (readonly [string, JsonValue])[] => {
    const only = onlyValue(shapes.shapeOf(schema, undefined));
    return only === undefined ? [] : [[key, only.value]];
  });
  return Object.fromEntries(constants);
}
