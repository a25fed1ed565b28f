import { isRecord, type JsonValue, type UnknownRecord } from '../base/json.ts';
import { CombinedSchemas } from './combinedSchemas.ts';
import type { Field, SubSchema } from './field.ts';
import { FieldFactory } from './fieldFactory.ts';
import { findRecursiveSchemas } from '../schema/recursiveSchemas.ts';
import { createSchemaRefs } from '../schema/schemaRefs.ts';
import { Shapes } from './shapes.ts';
import { startValueOf } from './startValue.ts';
import { QuickCheck } from '../schema/quickCheck.ts';
import { memoize } from '../base/memoize.ts';

/** Says what a form shows for a value. Knows no DOM, runs no pattern of the schema, changes neither schema nor value. */
export interface FormEngine {
  /** The schema of the arguments, which are an object even if the schema does not say so. */
  readonly root: SubSchema;
  /**
   * The field of a value. Never throws, for any schema and value; takes bounded time. The same schema and value give the same
   * schemas in the field, also those that are put together.
   * @param value `undefined` if it is absent
   * @param chosen the branch the person has chosen at this place, which counts as long as the value may be of it
   */
  fieldFor(schema: SubSchema, value: JsonValue | undefined, chosen?: number): Field;
  /** A value to begin with, as empty as its kind can be: constants are filled in, defaults are not. */
  startValue(schema: SubSchema): JsonValue;
}

/** @param schema of a server, unchecked; dialects 2020-12, 2019-09, draft-07 and none */
export function createFormEngine(schema: UnknownRecord): FormEngine {
  // Callers pass on what a server has sent.
  const root = isRecord(schema) ? schema : {};
  const refs = createSchemaRefs(root);
  const combined = new CombinedSchemas();
  const shapes = new Shapes({ refs, combined, check: new QuickCheck(root, refs) });
  const recursive = memoize(() => findRecursiveSchemas(root, refs));
  const factory = new FieldFactory(shapes, (part) => recursive()?.has(part) ?? true);
  return {
    // Arguments are an object, also where the schema only says what is in it.
    root: shapes.shapeOf(root, undefined).isGuessed ? combined.both(root, { type: 'object' }) : root,
    fieldFor: (at, value, chosen) => factory.fieldFor(at, value, chosen),
    startValue: (at) => startValueOf(at, shapes),
  };
}
