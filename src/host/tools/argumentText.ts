import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  applyEdits,
  modify,
} from 'jsonc-parser';
import { isRounded, keepDigits, stringifyExactly, withMarks, withoutMarks } from '../../base/exactIntegers.ts';
import { isRecord, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { SchemaProblem } from '../../base/schemaCheck.ts';

/** Something wrong with the text, at a place of it: offsets in UTF-16 units. */
export interface TextProblem {
  readonly offset: number;
  readonly length: number;
  readonly message: string;
  readonly isNote?: boolean;
}

/** The arguments in a document, with the place of each value; or why the text cannot be read. */
export type ParsedArguments =
  | { readonly kind: 'ok'; readonly args: JsonObject; readonly locate: (problem: SchemaProblem) => TextProblem }
  | { readonly kind: 'broken'; readonly problems: readonly TextProblem[] };

const parseOptions = { allowTrailingComma: true, disallowComments: false };

export function parseArguments(text: string): ParsedArguments {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, parseOptions);
  if (errors.length > 0) {
    const problems = errors.map(({ error, ...place }) => ({ ...place, message: wordsOf(printParseErrorCode(error)) }));
    return { kind: 'broken', problems };
  }
  const value: unknown = root && getNodeValue(root);
  if (root === undefined || !isRecord(value)) {
    const { offset, length } = root ?? { offset: 0, length: text.length };
    return { kind: 'broken', problems: [{ offset, length, message: 'Arguments are an object: { … }.' }] };
  }
  keepDigitsOf(root, value, text);
  return { kind: 'ok', args: value as JsonObject, locate: (problem) => locate(root, problem) };
}

/** Numbers of the tree are rounded. @param value what the node stands for */
function keepDigitsOf({ type, children = [] }: Node, value: object, text: string): void {
  for (const [index, child] of children.entries()) {
    const [name, node = child] = type === 'object' ? (child.children ?? []) : [];
    const key = name === undefined ? index : String(name.value);
    const member: unknown = value[key as never];
    const written = text.slice(node.offset, node.offset + node.length);
    if (node.type === 'number') keepDigits(value, key, isRounded(written) ? written : undefined);
    else if (typeof member === 'object' && member !== null) keepDigitsOf(node, member, text);
  }
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

interface Change {
  readonly path: readonly (string | number)[];
  readonly value: JsonValue | undefined;
}

/** More changes than this, and the text is written anew. */
const maximumChanges = 50;

const formatting = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/**
 * The text of a document after its value has changed: comments and formatting of what stays the same are kept.
 * @param text holds `before`
 * @param after what it is to hold
 */
export function editArguments(text: string, before: JsonObject, after: JsonObject): string {
  const changes: Change[] = [];
  collect(withMarks(before), withMarks(after), [], changes);
  if (changes.length > maximumChanges) return writeArguments(after);
  let edited = text;
  for (const { path, value } of changes) edited = applyEdits(edited, modify(edited, [...path], value, formatting));
  return withoutMarks(edited);
}

export function writeArguments(args: JsonObject): string {
  return `${stringifyExactly(args, 2)}\n`;
}

function collect(before: JsonValue, after: JsonValue, path: Change['path'], changes: Change[]): void {
  if (before === after || changes.length > maximumChanges) return;
  if (isRecord(before) && isRecord(after)) return collectMembers(before, after, path, changes);
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, value] of after.entries()) {
      collect(before[index] as JsonValue, value as JsonValue, [...path, index], changes);
    }
    return;
  }
  if (JSON.stringify(before) !== JSON.stringify(after)) changes.push({ path, value: after });
}

function collectMembers(before: JsonObject, after: JsonObject, path: Change['path'], changes: Change[]): void {
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key) || after[key] === undefined)
      changes.push({ path: [...path, key], value: undefined });
  }
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (old === undefined) changes.push({ path: [...path, key], value });
    else collect(old, value, [...path, key], changes);
  }
}
