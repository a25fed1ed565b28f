import { isRecord, type JsonObject, type JsonValue } from '../base/json.ts';
import type { SubSchema } from './field.ts';
import type { FormEngine } from './formEngine.ts';
import { memberOf, withValueAt } from './valueAt.ts';
import { digitsAt } from '../base/exactIntegers.ts';

const maximumDepth = 20;

/**
 * The arguments with the default of each property that is absent, also inside of objects that are there. Not with `null`: servers
 * write it for what is simply absent, also where their schema does not allow it.
 */
export function withDefaults(engine: FormEngine, args: JsonObject): JsonObject {
  const filled = filledIn(engine, engine.root, args, 0);
  return isRecord(filled) ? filled : args;
}

function filledIn(engine: FormEngine, schema: SubSchema, value: JsonValue, depth: number): JsonValue {
  const field = engine.fieldFor(schema, value);
  if (field.kind !== 'object' || depth > maximumDepth) return value;
  let filled = value;
  for (const { key, schema: own } of field.properties) {
    const member = memberOf(value, key);
    const preset =
      member === undefined ? engine.fieldFor(own, undefined).default : filledIn(engine, own, member, depth + 1);
    if (preset !== undefined && preset !== null && preset !== member)
      filled =
        withValueAt(filled, [key], preset, member === undefined ? digitsAt(own, 'default') : undefined) ?? filled;
  }
  return filled;
}
