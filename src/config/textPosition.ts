import type { TextRange } from './configuredServer.ts';

/** Zero-based, in UTF-16 units, as editors count. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** Where a range starts and ends, by lines. Ranges that reach past the text end with it. */
export function positionsOf(
  text: string,
  { offset, length }: TextRange,
): { readonly start: TextPosition; readonly end: TextPosition } {
  return { start: positionAt(text, offset), end: positionAt(text, offset + length) };
}

function positionAt(text: string, offset: number): TextPosition {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}
