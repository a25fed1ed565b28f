import { isRecord, type JsonValue, type UnknownRecord } from '../base/json.ts';
import { limits } from '../base/limits.ts';

/*
 * Our own copy of a server's schema. Patterns and formats have other names in it: the validator that decides branches does not
 * know these, and so never runs a pattern of a server.
 */

/** Keywords of our copy, by the name that the server's schema has. */
export const hidden = {
  pattern: 'patchbay:pattern',
  format: 'patchbay:format',
  patternProperties: 'patchbay:patternProperties',
  additionalProperties: 'patchbay:additionalProperties',
} as const;

/** Keywords whose members are schemas, by names that the server chooses. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

/** Keywords that hold values, not schemas. */
const values = new Set(['enum', 'const', 'default', 'examples', 'enumNames', 'required', 'dependentRequired', 'type']);

/** @returns `undefined` for a schema that is too large or too deep to be drawn */
export function copySchema(schema: UnknownRecord): UnknownRecord | undefined {
  const room = { left: limits.schema.members as number };
  const copy = copyOf(schema, 0, room);
  return room.left < 0 || !isRecord(copy) ? undefined : copy;
}

interface Room {
  left: number;
}

/** The validator recurses, and fails on deeper schemas. */
const maximumDepth = 100;

function copyOf(schema: unknown, depth: number, room: Room): unknown {
  room.left -= depth > maximumDepth ? Infinity : 1;
  if (room.left < 0) return true;
  if (Array.isArray(schema)) return schema.map((each: unknown) => copyOf(each, depth + 1, room));
  if (!isRecord(schema)) return schema;
  const names = Object.keys(schema);
  room.left -= names.length;
  const hasPatterns = isRecord(schema['patternProperties']);
  return Object.fromEntries(
    names.map((name) => [nameOf(name, hasPatterns), memberOf(name, schema[name], depth + 1, room)] as const),
  );
}

function nameOf(name: string, hasPatterns: boolean): string {
  // Keys that match a pattern would be additional ones.
  if (name === 'additionalProperties' && !hasPatterns) return name;
  return Object.hasOwn(hidden, name) ? hidden[name as keyof typeof hidden] : name;
}

function memberOf(name: string, member: unknown, depth: number, room: Room): unknown {
  if (values.has(name) || name === 'pattern' || name === 'format') return boundedValue(member, room);
  if (!maps.has(name) || !isRecord(member)) return copyOf(member, depth, room);
  const keys = Object.keys(member);
  room.left -= keys.length;
  if (room.left < 0) return {};
  return Object.fromEntries(keys.map((key) => [key, copyOf(member[key], depth + 1, room)] as const));
}

/** Values are never changed, and so are shared with the server's schema; they count all the same. */
function boundedValue(value: unknown, room: Room): unknown {
  room.left -= Array.isArray(value) ? value.length : 1;
  return value;
}

/** The keyword as the server's schema has it, from our copy. */
export function keyword(schema: UnknownRecord, name: keyof typeof hidden): unknown {
  return Object.hasOwn(schema, hidden[name]) ? schema[hidden[name]] : own(schema, name);
}

/** A member of a schema; never one that is inherited. */
export function own(schema: UnknownRecord, name: string): unknown {
  return Object.hasOwn(schema, name) ? schema[name] : undefined;
}

/** Values of a schema come from JSON. */
export function asValue(value: unknown): JsonValue {
  return value as JsonValue;
}
