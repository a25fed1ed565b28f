import { copyDigits, digitsAt, keepDigits } from '../base/exactIntegers.ts';
import { isRecord, type JsonObject, type JsonValue } from '../base/json.ts';
import type { SubSchema } from './field.ts';
import type { FormEngine } from './formEngine.ts';
import { memberOf } from './valueAt.ts';

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
  if (field.kind !== 'object' || !isRecord(value) || depth > maximumDepth) return value;
  const filled = new Map<string, readonly [value: JsonValue, digits: string | undefined]>();
  for (const { key, schema: own } of field.properties) {
    const member = memberOf(value, key);
    const preset =
      member === undefined ? engine.fieldFor(own, undefined).default : filledIn(engine, own, member, depth + 1);
    if (preset !== undefined && preset !== null && preset !== member)
      filled.set(key, [preset, member === undefined ? digitsAt(own, 'default') : undefined]);
  }
  if (filled.size === 0) return value;
  const presets = [...filled].map(([key, [preset]]) => [key, preset] as const);
  const copy = copyDigits(value, Object.fromEntries([...Object.entries(value), ...presets]));
  for (const [key, [, digits]] of filled) keepDigits(copy, key, digits);
  return copy;
}
