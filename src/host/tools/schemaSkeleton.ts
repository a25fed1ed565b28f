import { limits } from '../../base/limits.ts';
import { boundJson } from '../../base/shownJson.ts';
import { isRecord, isStringArray, type JsonValue } from '../../base/json.ts';
import { createPropertyReader, type ReadProperty } from '../../protocol/mcp/propertySchema.ts';
import type { JsonSchema } from '../../protocol/mcp/tools.ts';

/** Deeper, and for schemas that contain themselves, the skeleton ends. */
const maximumDepth = 8;

/** Properties looked at for a default. */
const maximumLooks = 2_000;

/** What may still be made and looked at: what a schema that names itself many times makes of itself doubles with every level. */
interface Room {
  /** Values. */
  left: number;
  looks: number;
  readonly read: ReadProperty;
}

function roomFor(schema: JsonSchema): Room {
  return { left: limits.shown.suggested, looks: maximumLooks, read: createPropertyReader(schema) };
}

/**
 * A value to start writing from: what the schema requires and what has a default, empty of its kind, and not null where it can
 * be something else. It need not be valid yet. Only references within the schema are followed.
 */
export function schemaSkeleton(schema: JsonSchema): JsonValue {
  return skeletonOf(schema, 0, roomFor(schema));
}

/** Top-level properties the skeleton leaves out. */
export function optionalProperties(schema: JsonSchema): readonly string[] {
  const room = roomFor(schema);
  const { properties, required } = room.read(schema).schema;
  if (!isRecord(properties)) return [];
  const listed = namesOf(required);
  return Object.keys(properties).filter((name) => !listed.has(name) && !hasDefault(properties[name], room));
}

function skeletonOf(value: unknown, depth: number, room: Room): JsonValue {
  if (depth > maximumDepth || room.left <= 0) return null;
  room.left -= 1;
  const { schema } = room.read(value);
  const given = [schema['default'], schema['const'], firstOf(schema['examples']), firstOf(schema['enum'])].find(
    (each) => each !== undefined,
  );
  if (given !== undefined) return fitting(given, room);
  const variant = firstOf(schema['oneOf']) ?? firstOf(schema['anyOf']);
  if (variant !== undefined && !isRecord(schema['properties'])) return skeletonOf(variant, depth + 1, room);
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, depth, room);
    case 'array':
      return typeof schema['minItems'] === 'number' && schema['minItems'] > 0
        ? [skeletonOf(schema['items'], depth + 1, room)]
        : [];
    case 'string':
      return '';
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 0;
    case 'boolean':
      return false;
    default:
      return null;
  }
}

function objectOf({ properties, required }: JsonSchema, depth: number, room: Room): JsonValue {
  const known = isRecord(properties) ? properties : {};
  const listed = namesOf(required);
  const names = Object.keys(known).filter((name) => listed.has(name) || hasDefault(known[name], room));
  const all = [...new Set([...names, ...listed])].slice(0, room.left);
  return Object.fromEntries(all.map((name) => [name, skeletonOf(known[name], depth + 1, room)]));
}

function namesOf(required: unknown): ReadonlySet<string> {
  return new Set(isStringArray(required) ? required : []);
}

function hasDefault(property: unknown, room: Room): boolean {
  if (room.looks <= 0) return false;
  room.looks -= 1;
  return room.read(property).schema['default'] !== undefined;
}

/** What a schema gives as a value, where it is not too much to begin with. */
function fitting(value: unknown, room: Room): JsonValue {
  const { isCut, used } = boundJson(value, { depth: 16, members: room.left, characters: 20_000, text: 20_000 });
  room.left -= used.members;
  return isCut ? null : (value as JsonValue);
}

function typeOf({ type, properties, items }: JsonSchema): unknown {
  if (type === undefined) return properties !== undefined ? 'object' : items !== undefined ? 'array' : undefined;
  return Array.isArray(type) ? type.find((entry) => entry !== 'null') : type;
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}
