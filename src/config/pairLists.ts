import { createScanner } from 'jsonc-parser';
import type { TextRange } from './configuredServer.ts';
import { parseJsonDocument } from './jsonDocument.ts';
import type { JsonLimits } from './jsonLimits.ts';
import type { TextEdit } from './memberEdits.ts';
import { readPairs } from './readServerEntry.ts';

/** @returns the edits that make an object of a list of pairs, with its lines and comments; none if it is no longer a list */
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
