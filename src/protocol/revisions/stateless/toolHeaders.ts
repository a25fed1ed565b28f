import { PatchbayError } from '../../../base/errors.ts';
import { isRecord, isString, type UnknownRecord } from '../../../base/json.ts';
import { membersIn, schemasBelow } from '../../../schema/schemaNode.ts';
import type { JsonSchema } from '../../mcp/tools.ts';
import { encodeHeaderValue } from './requestMetadata.ts';

/** An argument of a tool that is also sent as a header. */
export interface ToolHeader {
  /** The full name, `Mcp-Param-…`. */
  readonly name: string;
  /** The property names from the arguments to this one. */
  readonly path: readonly string[];
}

const annotation = 'x-mcp-header';

/** The `properties` from the root to a schema, as a linked list; `undefined` where other keywords lead to it. */
type Path = { readonly parent: Path; readonly key: string } | 'root' | undefined;

/** Keywords other than `properties` with schemas in them: data under any other is no schema. */
const keywords: ReadonlySet<string> = new Set(
  `$defs additionalItems additionalProperties allOf anyOf contains contentSchema definitions dependencies dependentSchemas else if
  items not oneOf patternProperties prefixItems propertyNames then unevaluatedItems unevaluatedProperties`.split(/\s+/),
);

/**
 * Finds and checks `x-mcp-header` annotations (2026-07-28, Basic / Transports / Streamable HTTP, "Schema Extension").
 * @returns a text for a fault, which completes a sentence that starts with "its input schema"
 */
export function readToolHeaders(inputSchema: JsonSchema): readonly ToolHeader[] | string {
  const found = new Map<string, ToolHeader>();
  const places: { readonly schema: unknown; readonly path: Path }[] = [{ schema: inputSchema, path: 'root' }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { schema, path } = place;
    if (!isRecord(schema)) continue;
    if (annotation in schema) {
      const fault = faultOf(schema, path);
      if (fault !== undefined) return fault;
      const name = `Mcp-Param-${String(schema[annotation])}`;
      if (found.has(name.toLowerCase())) return `asks for the header ${name} twice`;
      found.set(name.toLowerCase(), { name, path: toKeys(path) });
    }
    for (const [key, property] of membersIn(schema, 'properties'))
      places.push({ schema: property, path: path && { parent: path, key } });
    for (const other of schemasBelow(schema, (keyword) => keywords.has(keyword)))
      places.push({ schema: other, path: undefined });
  }
  return [...found.values()];
}

/** @throws {PatchbayError} `invalidArguments` for a number that is not a safe integer */
export function toolHeaderValues(headers: readonly ToolHeader[], args: unknown): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name, path } of headers) {
    const text = toText(valueAt(args, path), path);
    if (text !== undefined) values[name] = encodeHeaderValue(text);
  }
  return values;
}

/** A header name (RFC 9110, section 5.1). */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function faultOf(schema: UnknownRecord, path: Path): string | undefined {
  const name = schema[annotation];
  const shown = JSON.stringify(name).slice(0, 60);
  if (!isString(name) || name === '') return `has an "${annotation}" that is not a name: ${shown}`;
  if (!token.test(name)) return `has an "${annotation}" that cannot name a header: ${shown}`;
  if (path === undefined || path === 'root')
    return `has the "${annotation}" ${shown} where it is not tied to one argument`;
  const { type } = schema;
  if (type === 'string' || type === 'integer' || type === 'boolean') return undefined;
  return `has the "${annotation}" ${shown} on an argument that is neither string, integer nor boolean`;
}

function toKeys(path: Path): readonly string[] {
  const keys: string[] = [];
  for (let at = path; at !== undefined && at !== 'root'; at = at.parent) keys.push(at.key);
  return keys.toReversed();
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const key of path) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** The header value of an argument; `undefined` for types that headers cannot have, which the server will refuse. */
function toText(value: unknown, path: readonly string[]): string | undefined {
  if (isString(value)) return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return undefined;
  if (Number.isSafeInteger(value)) return String(value);
  throw new PatchbayError(
    'invalidArguments',
    `The argument ${path.join('.')} must be a whole number between -(2^53-1) and 2^53-1: its server wants it in a header.`,
  );
}
