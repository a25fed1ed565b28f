import { createScanner } from 'jsonc-parser';
import type { ConfigurationProblem } from './configurationProblem.ts';

export interface JsonLimits {
  /** Bytes of the file; also the maximum number of UTF-16 units of its text. */
  readonly bytes: number;
  readonly depth: number;
  /** Names with a value, and items of lists, in the whole document. */
  readonly members: number;
}

/** The scanner's token kinds. Importing its enum would bundle its whole main module. */
const token = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, colon: 6, string: 10, end: 17 } as const;
/** Null, true, false, string, number, or an unknown token. */
const isScalar = (kind: number): boolean => (kind >= 7 && kind <= 11) || kind === 16;
const remedy = 'None of it is used. Remove what does not belong to a configuration of MCP servers.';

/**
 * Checks a text in one pass without recursion, before it is parsed. For invalid JSON the counts are at least those of a parser
 * with error recovery.
 * @returns the limit that is exceeded
 */
export function findExceededLimit(text: string, { bytes, depth, members }: JsonLimits) {
  const scanner = createScanner(text, true);
  const exceeded = (what: string): ConfigurationProblem => {
    const range = { offset: scanner.getTokenOffset(), length: scanner.getTokenLength() };
    return { code: 'tooLarge', severity: 'error', message: `It ${what}. ${remedy}`, range };
  };
  if (text.length > bytes) return exceeded(`is larger than ${bytes / 1024 / 1024} MB`);
  const open: number[] = [];
  let count = 0;
  // A string before a colon is a name: it is one member together with its value.
  let before: 'name' | 'colon' | undefined;
  for (let kind: number = scanner.scan(); kind !== token.end; kind = scanner.scan()) {
    const isOpening = kind === token.openBrace || kind === token.openBracket;
    const isClosing = kind === token.closeBrace || kind === token.closeBracket;
    const isValue = isOpening || isScalar(kind);
    const isOfName = isValue && before === 'colon';
    if (isValue && !isOfName) count += 1;
    if (isOpening) open.push(kind);
    // Each closing kind follows its opening one.
    else if (isClosing && open.at(-1) === kind - 1) open.pop();
    // The root is not a member.
    if (count > members + 1) return exceeded(`has more than ${members} names and list items`);
    if (open.length > depth) return exceeded(`is nested more than ${depth} levels deep`);
    if (kind === token.string && !isOfName) before = 'name';
    else before = kind === token.colon && before === 'name' ? 'colon' : undefined;
  }
  return undefined;
}
