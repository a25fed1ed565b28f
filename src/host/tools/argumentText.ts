import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { isRecord, type JsonObject } from '../../base/json.ts';
import type { SchemaProblem } from '../../base/schemaCheck.ts';

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

/** Parses the document of a tool's arguments; comments and trailing commas are allowed. */
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
