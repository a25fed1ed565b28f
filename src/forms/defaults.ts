import { exactEntries, withMembers } from '../base/exactIntegers.ts';
import { type ExactValue, isRecord, type JsonObject } from '../base/json.ts';
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

function filledIn(engine: FormEngine, schema: SubSchema, value: ExactValue, depth: number): ExactValue {
  const field = engine.fieldFor(schema, value);
  if (field.kind !== 'object' || !isRecord(value) || depth > maximumDepth) return value;
  const filled: [string, ExactValue][] = [];
  for (const { key, schema: own } of field.properties) {
    const member = memberOf(value, key);
    const preset =
      member === undefined ? engine.fieldFor(own, undefined).default : filledIn(engine, own, member, depth + 1);
    if (preset !== undefined && preset !== null && preset !== member) filled.push([key, preset]);
  }
  return filled.length === 0 ? value : withMembers<JsonObject>({}, [...exactEntries(value), ...filled]);
}
