import { isRecord, type JsonValue, type UnknownRecord } from '../base/json.ts';
import { getOrMake } from '../base/memoize.ts';
import { neverShape, obstacleShape, type Shape, type ShapeSource, type ShapeTools } from './shape.ts';
import { ShapeBuilder } from './shapeBuilder.ts';
import { stepsOfField, type StepBudget } from '../schema/quickCheck.ts';

/** The schema `true`, as an object. */
export const anySchema: UnknownRecord = Object.freeze({});

/** Stands for what is in the place of a schema, but is none. */
export const noSchema: UnknownRecord = Object.freeze({});

const maximumDepth = 64;

/** Says what shapes values have, and remembers it. */
export class Shapes implements ShapeSource {
  readonly tools: ShapeTools;
  /** Shapes that are the same for all values. */
  readonly #still = new WeakMap<UnknownRecord, Shape>();
  readonly #live = new WeakMap<UnknownRecord, WeakMap<object, Shape>>();
  readonly #open = new Set<UnknownRecord>();
  #budget: StepBudget = { left: 0 };

  constructor(tools: ShapeTools) {
    this.tools = tools;
  }

  shapeOf(schema: unknown, value: JsonValue | undefined): Shape {
    if (schema === false) return neverShape;
    const node = schema === true ? anySchema : isRecord(schema) ? schema : noSchema;
    if (node === noSchema) return obstacleShape('Its schema is no schema.');
    return this.#known(node, value) ?? this.#make(node, value);
  }

  holds(schema: unknown, value: JsonValue): boolean | undefined {
    return this.tools.check.accepts(schema, value, this.#budget);
  }

  #known(node: UnknownRecord, value: JsonValue | undefined): Shape | undefined {
    const still = this.#still.get(node);
    if (still !== undefined || typeof value !== 'object' || value === null) return still;
    return this.#live.get(node)?.get(value);
  }

  #make(node: UnknownRecord, value: JsonValue | undefined): Shape {
    // An alternative of itself adds nothing.
    if (this.#open.has(node)) return neverShape;
    if (this.#open.size > maximumDepth) return obstacleShape('Its schema is nested too deeply.');
    if (this.#open.size === 0) this.#budget = { left: stepsOfField };
    this.#open.add(node);
    try {
      const shape = new ShapeBuilder(this, node, value).build();
      this.#remember(node, value, shape);
      return shape;
    } finally {
      this.#open.delete(node);
    }
  }

  #remember(node: UnknownRecord, value: JsonValue | undefined, shape: Shape): void {
    if (!shape.isLive) this.#still.set(node, shape);
    else if (typeof value === 'object' && value !== null)
      getOrMake(this.#live, node, () => new WeakMap<object, Shape>()).set(value, shape);
  }
}
