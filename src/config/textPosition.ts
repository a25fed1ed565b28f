import type { TextRange } from './configuredServer.ts';

/** Zero-based, in UTF-16 units, as editors count. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** Where a range starts and ends, by lines. */
export interface TextPlace {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** Goes through `text` once, and then finds any number of ranges in it. Ranges that reach past the text end with it. */
export function createPlaceFinder(text: string): (range: TextRange) => TextPlace {
  const lineStarts = [0];
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n|\r|\n/g)) lineStarts.push(index + lineEnd.length);
  const positionAt = (offset: number): TextPosition => {
    const bounded = Math.min(offset, text.length);
    const line = lastAtMost(lineStarts, bounded);
    return { line, character: bounded - (lineStarts[line] ?? 0) };
  };
  return ({ offset, length }) => ({ start: positionAt(offset), end: positionAt(offset + length) });
}

/** The index of the last of `sorted` that is no greater than `value`; the first of them never is. */
function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  return low;
}
