import { isRecord, isStringArray, type JsonValue } from '../../base/json.ts';
import type { JsonSchema } from '../../protocol/mcp/tools.ts';

/** Deeper, and for schemas that contain themselves, the skeleton ends. */
const maximumDepth = 8;

/**
 * A value to start writing from: what the schema requires and what has a default, empty of its kind. It need not be valid
 * yet. Only references within the schema are followed.
 */
export function schemaSkeleton(schema: JsonSchema): JsonValue {
  return skeletonOf(schema, schema, 0);
}

/** Top-level properties the skeleton leaves out. */
export function optionalProperties(schema: JsonSchema): readonly string[] {
  const { properties, required } = resolve(schema, schema);
  if (!isRecord(properties)) return [];
  return Object.keys(properties).filter((name) => !isIncluded(properties[name], name, required, schema));
}

function skeletonOf(value: unknown, root: JsonSchema, depth: number): JsonValue {
  if (depth > maximumDepth) return null;
  const schema = resolve(value, root);
  const given = [schema['default'], schema['const'], firstOf(schema['examples']), firstOf(schema['enum'])].find(
    (each) => each !== undefined,
  );
  if (given !== undefined) return given as JsonValue;
  const variant = firstOf(schema['oneOf']) ?? firstOf(schema['anyOf']);
  if (variant !== undefined && !isRecord(schema['properties'])) return skeletonOf(variant, root, depth + 1);
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, root, depth);
    case 'array':
      return typeof schema['minItems'] === 'number' && schema['minItems'] > 0
        ? [skeletonOf(schema['items'], root, depth + 1)]
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

function objectOf({ properties, required }: JsonSchema, root: JsonSchema, depth: number): JsonValue {
  const known = isRecord(properties) ? properties : {};
  const names = Object.keys(known).filter((name) => isIncluded(known[name], name, required, root));
  const listed = isStringArray(required) ? required : [];
  return Object.fromEntries(
    [...new Set([...names, ...listed])].map((name) => [name, skeletonOf(known[name], root, depth + 1)]),
  );
}

function isIncluded(property: unknown, name: string, required: unknown, root: JsonSchema): boolean {
  return (isStringArray(required) && required.includes(name)) || resolve(property, root)['default'] !== undefined;
}

function typeOf({ type, properties, items }: JsonSchema): unknown {
  if (type === undefined) return properties !== undefined ? 'object' : items !== undefined ? 'array' : undefined;
  return Array.isArray(type) ? type.find((entry) => entry !== 'null') : type;
}

/** Follows `$ref: "#/…"`; anything that leads nowhere is a schema without demands. */
function resolve(value: unknown, root: JsonSchema): JsonSchema {
  let schema = isRecord(value) ? value : {};
  for (let hops = 0; hops < 10 && typeof schema['$ref'] === 'string'; hops += 1) {
    const found = lookUp(schema['$ref'], root);
    if (found === undefined) return {};
    schema = found;
  }
  return schema;
}

function lookUp(reference: string, root: JsonSchema): JsonSchema | undefined {
  if (!reference.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const token of reference.slice(1).split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return isRecord(found) ? found : undefined;
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}
