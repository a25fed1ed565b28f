import { replaceHidden } from '../../../base/visibleText.ts';
import type { TextPlace } from './requestTexts.ts';

/** Characters between two texts: together no pattern for keys crosses them, and NUL occurs in no text without hidden characters. */
const separator = '\n\0\n';

/** Characters from which hidden ones are removed at once. */
const chunkLength = 16_384;

/** Hidden characters that were removed before the character at `at`; `total` counts those before it too. */
interface Removal {
  readonly at: number;
  total: number;
}

interface Segment {
  /** In the joined text. */
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly removals: readonly Removal[];
  readonly place: TextPlace;
}

/** A part of one of the texts, as it is written there, hidden characters included. */
export interface OriginalPart {
  readonly value: string;
  readonly place: TextPlace;
}

/** See {@link joinTexts}. */
export type SearchableText = Awaited<ReturnType<typeof joinTexts>>;

/**
 * Joins texts to one, without their hidden characters: many short texts are then searched as fast as one long one, and a key with a
 * zero width space in it is found.
 * @param pause called between pieces of work, each of about a millisecond
 */
export async function joinTexts(
  texts: readonly { readonly text: string; readonly place: TextPlace }[],
  pause: () => Promise<void>,
) {
  const pieces: string[] = [];
  const segments: Segment[] = [];
  let length = 0;
  let work = 0;
  for (const { text, place } of texts) {
    const removals: Removal[] = [];
    const start = length;
    for (let from = 0; from < text.length; from = chunkEnd(text, from)) {
      const piece = removeHidden(text.slice(from, chunkEnd(text, from)), length - start, removals);
      pieces.push(piece);
      length += piece.length;
      work += chunkEnd(text, from) - from;
      if (work >= chunkLength) {
        work = 0;
        await pause();
      }
    }
    segments.push({ start, end: length, original: text, removals, place });
    pieces.push(separator);
    length += separator.length;
  }
  return {
    text: pieces.join(''),
    /** The parts of texts that a range of the joined text stands for, in order. */
    originalsOf(start: number, end: number): readonly OriginalPart[] {
      const parts: OriginalPart[] = [];
      let index = Math.max(
        0,
        lastWhere(segments, (candidate) => candidate.start <= start),
      );
      for (
        let segment = segments[index];
        segment !== undefined && segment.start < end;
        segment = segments[(index += 1)]
      ) {
        const { original, removals, place } = segment;
        const first = Math.max(start, segment.start) - segment.start;
        const last = Math.min(end, segment.end) - segment.start - 1;
        if (first > last) continue;
        const value = original.slice(first + removedBefore(removals, first), last + removedBefore(removals, last) + 1);
        parts.push({ value, place });
      }
      return parts;
    },
  };
}

/** The end of the chunk that begins at `from`; a pair of surrogates stays together. */
function chunkEnd(text: string, from: number): number {
  const end = Math.min(from + chunkLength, text.length);
  return end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end;
}

/** @param offset where the chunk begins in its text, without what was removed before */
function removeHidden(chunk: string, offset: number, removals: Removal[]): string {
  if (/^[\n\t -~]*$/.test(chunk)) return chunk;
  let removed = 0;
  return replaceHidden(chunk, (hidden, index) => {
    const at = offset + index - removed;
    const last = removals.at(-1);
    if (last?.at === at) last.total += hidden.length;
    else removals.push({ at, total: (last?.total ?? 0) + hidden.length });
    removed += hidden.length;
    return '';
  });
}

function removedBefore(removals: readonly Removal[], offset: number): number {
  return removals[lastWhere(removals, ({ at }) => at <= offset)]?.total ?? 0;
}

/** The index of the last entry of a sorted list that is early enough; -1 for none. */
function lastWhere<T>(sorted: readonly T[], isEarly: (entry: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isEarly(sorted[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
