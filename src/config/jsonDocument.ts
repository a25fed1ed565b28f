import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { isRounded, keepDigits } from '../base/exactIntegers.ts';
import { limits } from '../base/limits.ts';
import type { ConfigurationProblem, PropertyPath } from './configurationProblem.ts';
import type { TextRange } from './configuredServer.ts';
import { findExceededLimit, type JsonLimits } from './jsonLimits.ts';

export interface JsonProperty {
  readonly key: string;
  /** The key with its quotes. */
  readonly keyRange: TextRange;
  readonly value: JsonNode;
  /** The same key occurs again later, and JSON uses the last one. */
  readonly isOverridden: boolean;
}

export interface JsonNode {
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  readonly value: unknown;
  readonly range: TextRange;
  /** Of a number that is written otherwise than a number of JavaScript is: `3.10`, or one beyond 2^53. */
  readonly written?: string;
  readonly properties: readonly JsonProperty[];
  readonly items: readonly JsonNode[];
}

/** Later ones are usually consequences of the first. */
const maximumSyntaxProblems = 10;

/**
 * Parses JSON with comments and trailing commas, in linear time and with error recovery.
 * A text that is empty or has only comments is an empty document, without a problem.
 * @returns no root for an empty document, and for one beyond the limits, which has a problem `tooLarge`
 */
export function parseJsonDocument(text: string, within: JsonLimits = limits.configuration) {
  const exceeded = findExceededLimit(text, within);
  if (exceeded !== undefined) return { root: undefined, problems: [exceeded] };
  const { root, faults } = readJson(text, true);
  return { root, problems: faults.slice(0, maximumSyntaxProblems).map(toProblem) };
}

/** The same without limits. @returns faults such as "comma expected" */
export function readJson(text: string, allowEmptyContent: boolean) {
  const errors: ParseError[] = [];
  // A byte order mark is no character of the document. What replaces it keeps the places.
  const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true, allowEmptyContent });
  const faults = errors.map((error) => ({
    range: rangeIn(text, error),
    fault: faultNames[error.error - 1] ?? 'unknown fault',
  }));
  return { root: root && toJsonNode(root, text), faults };
}

export function propertyOf(node: JsonNode, key: string): JsonProperty | undefined {
  return node.properties.findLast((property) => property.key === key);
}

/** @returns the value at a path, in which an index of a list may be a text; the root itself for an empty one */
export function nodeAt(root: JsonNode | undefined, path: PropertyPath): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>(
    (node, key) => (node?.type === 'array' ? node.items[Number(key)] : node && propertyOf(node, String(key))?.value),
    root,
  );
}

/** @returns the spaces and comments from an offset on. It never tries a comment in two ways: that would take forever. */
export function gapAt(text: string, offset: number): string {
  return /^(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/.exec(text.slice(offset))?.[0] ?? '';
}

/** @returns the spaces and tabs at the beginning of the line with this offset */
export function indentationAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** The parser's range of an unclosed value reaches one character beyond the text. */
export function rangeIn(text: string, { offset, length }: TextRange): TextRange {
  return { offset, length: Math.min(length, text.length - offset) };
}

function toJsonNode(node: Node, text: string): JsonNode {
  const children = node.children ?? [];
  const range = rangeIn(text, node);
  if (node.type === 'object') {
    const properties = toProperties(children, text);
    // The last value of a repeated key is used.
    const value = Object.fromEntries(properties.map((property) => [property.key, property.value.value]));
    for (const property of properties) keepDigits(value, property.key, digitsOf(property.value, text));
    return { type: 'object', value, range, properties, items: [] };
  }
  if (node.type === 'array') {
    const items = children.map((child) => toJsonNode(child, text));
    const value = items.map((item) => item.value);
    for (const [index, item] of items.entries()) keepDigits(value, index, digitsOf(item, text));
    return { type: 'array', value, range, properties: [], items };
  }
  // `toProperties` handles `property` nodes: they do not occur here.
  const scalar = {
    type: node.type as JsonNode['type'],
    value: node.value as unknown,
    range,
    properties: [],
    items: [],
  };
  const written = text.slice(range.offset, range.offset + range.length);
  return scalar.type === 'number' && String(scalar.value) !== written ? { ...scalar, written } : scalar;
}

function digitsOf({ type, range }: JsonNode, text: string): string | undefined {
  const written = type === 'number' ? text.slice(range.offset, range.offset + range.length) : '';
  return isRounded(written) ? written : undefined;
}

function toProperties(nodes: readonly Node[], text: string): JsonProperty[] {
  const pairs = nodes.flatMap((property) => {
    const [key, value] = property.children ?? [];
    // A key without a value is already reported as a syntax error.
    return key === undefined || value === undefined ? [] : [{ key, value }];
  });
  const last = new Map(pairs.map(({ key }, index) => [String(key.value), index]));
  return pairs.map(({ key, value }, index) => ({
    key: String(key.value),
    keyRange: { offset: key.offset, length: key.length },
    value: toJsonNode(value, text),
    isOverridden: last.get(String(key.value)) !== index,
  }));
}

function toProblem({ range, fault }: { range: TextRange; fault: string }): ConfigurationProblem {
  const message = `This is not valid JSON: ${fault}. What can be read is used; entries near here may be missing.`;
  return { code: 'brokenJson', severity: 'error', message, range };
}

/** Indexed by the parser's error codes, which start with 1. Importing its enum would bundle its whole main module. */
const faultNames = [
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
