import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { isRecord, isStringArray, type JsonObject, type JsonValue } from '../../base/json.ts';
import { previewJson } from '../../base/jsonPreview.ts';
import { limits } from '../../base/limits.ts';
import type { SchemaProblem } from '../../base/schemaCheck.ts';
import { createPropertyReader, type ReadProperty } from '../../protocol/mcp/propertySchema.ts';
import type { JsonSchema, Tool } from '../../protocol/mcp/tools.ts';
import { singleLine } from '../platform/displayText.ts';

/** Something wrong with the text, at a place of it: offsets in UTF-16 units. */
export interface TextProblem {
  readonly offset: number;
  readonly length: number;
  readonly message: string;
  /** A note, not an error. */
  readonly isNote?: boolean;
}

/** The arguments in a document, with the place of each value; or why the text cannot be read. */
export type ParsedArguments =
  | { readonly kind: 'ok'; readonly args: JsonObject; readonly locate: (problem: SchemaProblem) => TextProblem }
  | { readonly kind: 'broken'; readonly problems: readonly TextProblem[] };

const parseOptions = { allowTrailingComma: true, disallowComments: false };

/** A document to write a tool's arguments in. @param args what to begin with; a skeleton of the schema by default */
export function argumentText(server: string, tool: Tool, args?: JsonObject): string {
  const optional = optionalProperties(tool.inputSchema)
    .slice(0, 100)
    .map((name) => singleLine(name, 60));
  const left =
    args === undefined && optional.length > 0 ? [`// Optional: ${singleLine(optional.join(', '), 500)}`] : [];
  return [
    `// Arguments of the tool ${singleLine(tool.name, 100)} of ${singleLine(server, 60)}. Call it with the link below.`,
    ...left,
    JSON.stringify(args ?? schemaSkeleton(tool.inputSchema) ?? {}, undefined, 2),
    '',
  ].join('\n');
}

/** Parses a document that {@link argumentText} made; comments and trailing commas are allowed. */
export function parseArguments(text: string): ParsedArguments {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, parseOptions);
  if (errors.length > 0) {
    return {
      kind: 'broken',
      problems: errors.map(({ error, ...place }) => ({ ...place, message: wordsOf(printParseErrorCode(error)) })),
    };
  }
  const value: unknown = root && getNodeValue(root);
  if (root === undefined || !isRecord(value)) {
    return {
      kind: 'broken',
      problems: [
        { offset: root?.offset ?? 0, length: root?.length ?? text.length, message: 'Arguments are an object: { … }.' },
      ],
    };
  }
  return { kind: 'ok', args: value as JsonObject, locate: (problem) => locate(root, problem) };
}

/** The nearest place in the text: a missing member is reported at its parent. */
function locate(root: Node, { path, message }: SchemaProblem): TextProblem {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = findNodeAtLocation(root, toLocation(root, path.slice(0, depth)));
    if (node === undefined) continue;
    const missing = path.slice(depth).join('.');
    return { offset: node.offset, length: node.length, message: missing === '' ? message : `${missing} ${message}` };
  }
  return { offset: root.offset, length: 1, message: [path.join('.'), message].join(' ').trim() };
}

/** `1` is an index in a list and a key in an object. */
function toLocation(root: Node, path: readonly string[]): (string | number)[] {
  const location: (string | number)[] = [];
  for (const step of path) {
    const parent = location.length === 0 ? root : findNodeAtLocation(root, location);
    location.push(parent?.type === 'array' ? Number(step) : step);
  }
  return location;
}

/** `PropertyNameExpected` is "Property name expected." */
function wordsOf(code: string): string {
  const words = code.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** The skeleton ends at this depth, also for recursive schemas. */
const maximumDepth = 8;

/** Maximum number of properties examined for a default. */
const maximumLooks = 2_000;

/** What may still be generated and examined: a recursive schema can double with every level. */
interface Room {
  /** Values. */
  left: number;
  looks: number;
  readonly read: ReadProperty;
}

function roomFor(schema: JsonSchema): Room {
  return { left: limits.shown.suggestedValues, looks: maximumLooks, read: createPropertyReader(schema) };
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
  const { isTruncated, used } = previewJson(value, {
    depth: 16,
    members: room.left,
    characters: 20_000,
    text: 20_000,
  });
  room.left -= used.members;
  return isTruncated ? null : (value as JsonValue);
}

function typeOf({ type, properties, items }: JsonSchema): unknown {
  if (type === undefined) return properties !== undefined ? 'object' : items !== undefined ? 'array' : undefined;
  return Array.isArray(type) ? type.find((entry) => entry !== 'null') : type;
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}
