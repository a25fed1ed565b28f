import { truncate } from '../base/truncate.ts';
import { type Needle, NeedleIndex } from './needles.ts';
import { runNow, runPaused } from './steps.ts';

/** Shorter than every marked text, so that it cannot be one. */
const shortMask = '***';

/** Passes over one text: the texts around a mask can form another marked text with it. */
const maximumPasses = 5;

export interface MaskedText {
  readonly value: string;
  readonly what: string;
}

/** What a needle stands for. */
interface Marked {
  readonly mask: string;
  /** Characters of the marked text after those of the needle. */
  readonly left: number;
}

interface Hit {
  readonly start: number;
  end: number;
  readonly mask: string;
}

/**
 * Creates a masker for these marks. No marked text is left in what it returns.
 * @param compared characters of a marked text that are compared: where they are found, all of its length is masked
 */
export function createMasker(marks: readonly MaskedText[], compared = Infinity) {
  const needleFor = (value: string, mask: string): Needle<Marked> => {
    const text = value.slice(0, compared);
    return { text, owner: { mask, left: value.length - text.length } };
  };
  // Of those that begin alike, the longest is found.
  const sorted = marks.toSorted((a, b) => b.value.length - a.value.length);
  const plain = new NeedleIndex(sorted.map(({ value }) => needleFor(value, shortMask)));
  const index = new NeedleIndex(
    sorted.map(({ value, what }) => {
      const mask = `[masked: ${what}]`;
      let isSafe = true;
      plain.search(mask, 0, mask.length, () => (isSafe = false));
      return needleFor(value, isSafe ? mask : shortMask);
    }),
  );

  /** @param length characters of the text to mask and to keep; a marked text that begins in them may go on after them */
  function* steps(text: string, length: number): Generator<void, string> {
    let masked = replaceHits(text, yield* findHits(text, index, length), length);
    for (let pass = 1; pass < maximumPasses; pass += 1) {
      if (masked === text) return masked;
      const hits = yield* findHits(masked, plain, masked.length);
      if (hits.length === 0) return masked;
      masked = replaceHits(masked, hits, masked.length);
    }
    return shortMask;
  }

  return {
    mask: (text: string, pause: () => Promise<void>) => runPaused(steps(text, text.length), pause),
    /** The same at once, for short texts. */
    maskNow: (text: string) => runNow(steps(text, text.length)),
    /** The same at once, for the first `length` characters of a text of any length. */
    maskStart: (text: string, length: number) =>
      // Masks can be longer than what they replace.
      truncate(runNow(steps(text, truncate(text, length).length)), length),
  };
}

/** The ranges to replace that begin before `to`, in order; those that overlap are one, so that no end of a secret is left. */
function* findHits(text: string, index: NeedleIndex<Marked>, to: number): Generator<void, readonly Hit[]> {
  const hits: Hit[] = [];
  // What is masked up to the end needs no further search.
  for (let position = 0; position < to && (hits.at(-1)?.end ?? 0) < to;) {
    if (position > 0) yield;
    position = index.search(text, position, to, (start, compared, { mask, left }) => {
      const end = compared + left;
      const last = hits.at(-1);
      if (last === undefined || start >= last.end) hits.push({ start, end, mask });
      else last.end = Math.max(last.end, end);
    });
  }
  return hits;
}

/** @returns the first `length` characters, with the masks */
function replaceHits(text: string, hits: readonly Hit[], length: number): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, mask } of hits) {
    pieces.push(text.slice(from, start), mask);
    from = end;
  }
  return pieces.join('') + text.slice(from, length);
}
