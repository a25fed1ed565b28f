import { isRecord, type JsonValue, type UnknownRecord } from '../base/json.ts';
import { getOrMake } from '../base/memoize.ts';
import { CombinedSchemas } from './combinedSchemas.ts';
import type { SubSchema } from './field.ts';
import { isSchema } from '../schema/schemaNode.ts';
import { neverShape, obstacleShape, type Shape } from './shape.ts';
import { ShapeBuilder } from './shapeBuilder.ts';
import { type QuickCheck, stepsOfField, type StepBudget } from '../schema/quickCheck.ts';
import type { SchemaRefs } from '../schema/schemaRefs.ts';

/** The schema `true`, as an object. */
export const anySchema: UnknownRecord = Object.freeze({});

/** Stands for what is in the place of a schema, but is none. */
const noSchema: UnknownRecord = Object.freeze({});

export function orNoSchema(value: unknown): SubSchema {
  return isSchema(value) ? value : noSchema;
}

const anyValue = {};

const maximumDepth = 64;

/** Says what shapes values have, and remembers it. */
export class Shapes {
  readonly refs: SchemaRefs;
  readonly check: QuickCheck;
  readonly combined = new CombinedSchemas();
  /** By schema and value; those that are the same for all values are under {@link anyValue}. */
  readonly #known = new WeakMap<UnknownRecord, WeakMap<object, Shape>>();
  readonly #open = new Set<UnknownRecord>();
  #budget: StepBudget = { left: 0 };

  constructor(refs: SchemaRefs, check: QuickCheck) {
    this.refs = refs;
    this.check = check;
  }

  /**
   * The shape of a value.
   * @param schema unchecked
   * @param value `undefined` if it is absent
   */
  shapeOf(schema: unknown, value: JsonValue | undefined): Shape {
    if (schema === false) return neverShape;
    const node = schema === true ? anySchema : isRecord(schema) ? schema : noSchema;
    if (node === noSchema) return obstacleShape('Its schema is not valid.');
    const known = getOrMake(this.#known, node, () => new WeakMap<object, Shape>());
    const key = typeof value === 'object' && value !== null ? value : undefined;
    const before = known.get(anyValue) ?? (key && known.get(key));
    if (before !== undefined) return before;
    // An alternative of itself adds nothing.
    if (this.#open.has(node)) return neverShape;
    if (this.#open.size > maximumDepth) return obstacleShape('Its schema is nested too deeply.');
    if (this.#open.size === 0) this.#budget = { left: stepsOfField };
    this.#open.add(node);
    try {
      const shape = new ShapeBuilder(this, node, value).build();
      const under = shape.isLive ? key : anyValue;
      if (under !== undefined) known.set(under, shape);
      return shape;
    } finally {
      this.#open.delete(node);
    }
  }

  /** Whether a condition of a schema holds for a value, as far as can be found out. */
  holds(schema: unknown, value: JsonValue): boolean | undefined {
    return this.check.accepts(schema, value, this.#budget);
  }
}
