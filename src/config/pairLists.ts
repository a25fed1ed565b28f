import { createScanner } from 'jsonc-parser';
import { isString } from '../base/json.ts';
import type { TextRange } from './configuredServer.ts';
import { type JsonNode, parseJsonDocument, propertyOf } from './jsonDocument.ts';
import type { JsonLimits } from './jsonLimits.ts';
import type { TextEdit } from './memberEdits.ts';

/** @returns the members of a list of `"NAME=value"`, `"Name: value"` or `{"name": …, "value": …}`; `undefined` for anything else */
export function readPairs({ items }: JsonNode): readonly (readonly [name: string, value: string])[] | undefined {
  const pairs = items.map((item) => {
    const [name, value] = ['name', 'value'].map((key) => propertyOf(item, key)?.value.value);
    if (isString(name) && isString(value) && item.properties.length === 2) return [name, value] as const;
    const [, before = '', after = ''] =
      (isString(item.value) && /^([\w.-]+)(?:=|\s*:\s*)(.*)$/s.exec(item.value)) || [];
    return [before, after] as const;
  });
  return pairs.length === 0 || pairs.some(([name]) => name === '') ? undefined : pairs;
}

/** @returns the edits that make an object of such a list, with its lines and comments; none if there is no list any more */
export function listToObjectEdits(whole: string, { offset, length }: TextRange, limits: JsonLimits): TextEdit[] {
  const text = whole.slice(offset, offset + length);
  const { root, problems } = parseJsonDocument(text, limits);
  const pairs = root?.type === 'array' && problems.length === 0 ? readPairs(root) : undefined;
  if (root === undefined || pairs === undefined) return [];
  const members = pairs.map(([name, value], index) => {
    const range = root.items[index]?.range ?? { offset: 0, length: 0 };
    const comments = commentsIn(text.slice(range.offset, range.offset + range.length)).map((comment) => ` ${comment}`);
    return { ...range, text: `${JSON.stringify(name)}: ${JSON.stringify(value)}${comments.join('')}` };
  });
  const brackets = [
    { offset: 0, length: 1, text: '{' },
    { offset: length - 1, length: 1, text: '}' },
  ];
  return [...brackets, ...members].map((edit) => ({ ...edit, offset: offset + edit.offset }));
}

/** Kinds of tokens; see `jsonLimits`. */
const token = { lineComment: 12, blockComment: 13, end: 17 } as const;

/** The comments of a text, each in one line. */
function commentsIn(text: string): readonly string[] {
  const scanner = createScanner(text, false);
  const found: string[] = [];
  for (let kind: number = scanner.scan(); kind !== token.end; kind = scanner.scan()) {
    // Its value would be one character more.
    const offset = scanner.getTokenOffset();
    const value = text.slice(offset, offset + scanner.getTokenLength());
    if (kind === token.blockComment) found.push(value);
    else if (kind === token.lineComment) found.push(`/*${value.slice(2).replaceAll('*/', '* /')} */`);
  }
  return found;
}
