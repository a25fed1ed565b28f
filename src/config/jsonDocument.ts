import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { limits } from '../base/limits.ts';
import type { ConfigurationProblem } from './configurationProblem.ts';
import type { TextRange } from './configuredServer.ts';
import { findExceededLimit, type JsonLimits } from './jsonLimits.ts';

/** A property of an object, with the places of its key and value. */
export interface JsonProperty {
  readonly key: string;
  /** The key with its quotes. */
  readonly keyRange: TextRange;
  readonly value: JsonNode;
  /** The same key stands again further down, and JSON lets the last one count. */
  readonly isOverridden: boolean;
}

/** A value and where it stands. */
export interface JsonNode {
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  /** The plain value. */
  readonly value: unknown;
  readonly range: TextRange;
  readonly properties: readonly JsonProperty[];
  readonly items: readonly JsonNode[];
}

export interface JsonDocument {
  /** `undefined` for a document without content, and for one beyond the limits, which has a problem `tooLarge`. */
  readonly root: JsonNode | undefined;
  /** At most {@link maximumSyntaxProblems}: the rest follows from the first ones. */
  readonly problems: readonly ConfigurationProblem[];
}

const maximumSyntaxProblems = 10;

/**
 * Reads JSON with comments and trailing commas, as much of it as can be understood, in time linear in its length.
 * An empty text (or one of comments alone) is an empty document, not a broken one.
 */
export function parseJsonDocument(text: string, within: JsonLimits = limits.configuration): JsonDocument {
  const exceeded = findExceededLimit(text, within);
  if (exceeded !== undefined)
    return { root: undefined, problems: [{ code: 'tooLarge', severity: 'error', ...exceeded }] };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  return {
    root: root === undefined ? undefined : toJsonNode(root, text.length),
    problems: errors.slice(0, maximumSyntaxProblems).map((error) => toProblem(error, text.length)),
  };
}

/** The property that counts for `key`, if there is one. */
export function propertyOf(node: JsonNode, key: string): JsonProperty | undefined {
  return node.properties.findLast((property) => property.key === key);
}

/** @param end of the text: the parser lets what is not closed reach one character beyond */
function toJsonNode(node: Node, end: number): JsonNode {
  const children = node.children ?? [];
  const range = { offset: node.offset, length: Math.min(node.length, end - node.offset) };
  if (node.type === 'object') {
    const properties = toProperties(children, end);
    // Of two with one key the last counts.
    const value = Object.fromEntries(properties.map((property) => [property.key, property.value.value]));
    return { type: 'object', value, range, properties, items: [] };
  }
  if (node.type === 'array') {
    const items = children.map((child) => toJsonNode(child, end));
    return { type: 'array', value: items.map((item) => item.value), range, properties: [], items };
  }
  // `property` nodes are taken apart by `toProperties` and never get here.
  return { type: node.type as JsonNode['type'], value: node.value as unknown, range, properties: [], items: [] };
}

function toProperties(nodes: readonly Node[], end: number): JsonProperty[] {
  const pairs = nodes.flatMap((property) => {
    const [key, value] = property.children ?? [];
    // A key whose value is not written yet: the syntax error already says so.
    return key === undefined || value === undefined ? [] : [{ key, value }];
  });
  const last = new Map(pairs.map(({ key }, index) => [String(key.value), index]));
  return pairs.map(({ key, value }, index) => ({
    key: String(key.value),
    keyRange: { offset: key.offset, length: key.length },
    value: toJsonNode(value, end),
    isOverridden: last.get(String(key.value)) !== index,
  }));
}

function toProblem({ error, offset, length }: ParseError, end: number): ConfigurationProblem {
  return {
    code: 'brokenJson',
    severity: 'error',
    message: `This is not valid JSON: ${faults[error - 1] ?? 'unknown fault'}. What can be read is used; entries near here may be missing.`,
    range: { offset, length: Math.min(length, end - offset) },
  };
}

/** By the parser's error codes, which begin with 1. Its own names for them would bring its whole main module along. */
const faults = [
  'invalid symbol',
  'invalid number format',
  'property name expected',
  'value expected',
  'colon expected',
  'comma expected',
  'close brace expected',
  'close bracket expected',
  'end of file expected',
  'invalid comment token',
  'unexpected end of comment',
  'unexpected end of string',
  'unexpected end of number',
  'invalid unicode',
  'invalid escape character',
  'invalid character',
];
