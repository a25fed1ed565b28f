import type { TextRange } from './decodedText.ts';
import type { FoldedText } from './foldedText.ts';
import { minimumNeedleLength } from './needles.ts';
import type { ValueForm, WholeValue } from './valueForms.ts';

/** Letters or digits of a value that may have any blanks between them. */
const minimumSpacedLength = 8;

/** Where a part of a text is that was folded or packed. */
export function rangeOf({ places }: FoldedText, { start, end }: TextRange, codes: Uint16Array): TextRange {
  const last = places[end - 1] ?? 0;
  const isPair = ((codes[last] ?? 0) & 0xfc00) === 0xd800;
  return { start: places[start] ?? 0, end: last + (isPair ? 2 : 1) };
}

/** A few letters or digits with more than one blank between them: a table of numbers, or words of a sentence. */
export function isByChance(value: string, written: string): boolean {
  return (
    value.length < minimumSpacedLength && /^[\p{L}\p{N}]*$/u.test(value) && (written.match(/\s+/g)?.length ?? 0) > 1
  );
}

/** What was found of a value, and the punctuation that belongs to it. */
interface FoundPart extends TextRange, Pick<WholeValue, 'before' | 'after'> {}

/**
 * A part of a value, and what is before and after it, as far as the text goes on as the value does. A few letters more may be there
 * by chance.
 * @param from what is before it was found before
 */
export function extended(
  letters: string,
  { start, end }: TextRange,
  { whole, offset }: Required<ValueForm>['part'],
  from: number,
): FoundPart {
  const { text, before, after } = whole;
  const isSame = (at: number, inText: number): boolean => letters[at] === text[inText];
  const shift = offset - start;
  let first = start;
  while (first > from && first + shift > 0 && isSame(first - 1, first + shift - 1)) first -= 1;
  if (start - first < minimumNeedleLength && first > from && first + shift > 0) first = start;
  let last = end;
  while (last < letters.length && last + shift < text.length && isSame(last, last + shift)) last += 1;
  if (last - end < minimumNeedleLength && last < letters.length && last + shift < text.length) last = end;
  return {
    start: first,
    end: last,
    before: first + shift === 0 ? before : '',
    after: last + shift === text.length ? after : '',
  };
}

/** With the punctuation around the letters and digits that belongs to the value, as far as it is there. */
export function withPunctuation(text: string, { start, end }: TextRange, { before, after }: FoundPart): TextRange {
  const range = { start, end };
  let at = end;
  for (let index = 0; index < after.length && at < text.length; at += 1) {
    if (text[at] === after[index]) {
      index += 1;
      range.end = at + 1;
    } else if (!/[\s\\"']/.test(text[at] ?? '')) break;
  }
  at = start - 1;
  for (let index = before.length - 1; index >= 0 && at >= 0; at -= 1) {
    if (text[at] === before[index]) {
      index -= 1;
      range.start = at;
    } else if (!/[\s\\"']/.test(text[at] ?? '')) break;
  }
  return range;
}
