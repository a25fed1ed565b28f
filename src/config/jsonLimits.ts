import { createScanner } from 'jsonc-parser';
import type { TextRange } from './configuredServer.ts';

/** How much JSON is read. */
export interface JsonLimits {
  /** Of the file; also the most UTF-16 units of its text. */
  readonly bytes: number;
  readonly depth: number;
  /** Names with a value, and items of lists, in the whole document. */
  readonly members: number;
}

/** What goes beyond the limits, and where. `message` is one or more full sentences. */
export interface ExceededLimit {
  readonly message: string;
  readonly range: TextRange;
}

/** By the scanner's kinds of tokens. Its own names for them would bring its whole main module along. */
const token = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, colon: 6, string: 10, end: 17 } as const;
/** Null, true, false, string, number, or what the parser makes no sense of. */
const isScalar = (kind: number): boolean => (kind >= 7 && kind <= 11) || kind === 16;

/**
 * Checks a text in one flat pass, before anything recursive or costly is done with it. Broken JSON counts as at least what
 * a parser that goes on after faults makes of it.
 */
export function findExceededLimit(text: string, { bytes, depth, members }: JsonLimits): ExceededLimit | undefined {
  if (text.length > bytes) return exceededAt(tooManyBytes(bytes), 0, 0);
  const scanner = createScanner(text, true);
  const open: number[] = [];
  let count = 0;
  // The string before a colon is a name: the value after it makes one member of both.
  let before: 'name' | 'colon' | undefined;
  for (let kind: number = scanner.scan(); kind !== token.end; kind = scanner.scan()) {
    const isOpening = kind === token.openBrace || kind === token.openBracket;
    const isValue = isOpening || isScalar(kind);
    const isOfName = isValue && before === 'colon';
    if (isValue && !isOfName) count += 1;
    if (isOpening) open.push(kind);
    else if (open.at(-1) === openingOf(kind)) open.pop();
    // The root is no member of anything.
    if (count > members + 1)
      return exceededAt(tooManyMembers(members), scanner.getTokenOffset(), scanner.getTokenLength());
    if (open.length > depth) return exceededAt(tooDeep(depth), scanner.getTokenOffset(), scanner.getTokenLength());
    if (kind === token.string && !isOfName) before = 'name';
    else before = kind === token.colon && before === 'name' ? 'colon' : undefined;
  }
  return undefined;
}

function tooManyBytes(bytes: number): string {
  return `It is larger than ${bytes / 1024 / 1024} MB. ${remedy}`;
}

const remedy = 'None of it is used. Remove what does not belong to a configuration of MCP servers.';

function tooManyMembers(members: number): string {
  return `It has more than ${members} names and list items. ${remedy}`;
}

function tooDeep(depth: number): string {
  return `It is nested more than ${depth} levels deep. ${remedy}`;
}

function openingOf(kind: number): number | undefined {
  if (kind === token.closeBrace) return token.openBrace;
  return kind === token.closeBracket ? token.openBracket : undefined;
}

function exceededAt(message: string, offset: number, length: number): ExceededLimit {
  return { message, range: { offset, length } };
}
