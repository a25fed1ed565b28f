import { textOfCodes } from './decodedText.ts';

/** A text to look for, and what it is a form of. */
export interface Needle<T> {
  readonly text: string;
  readonly owner: T;
}

/** Finds many texts at once. */
export interface NeedleIndex<T> {
  /**
   * Searches `text` from one position to another, and calls `found` with the longest needle at each position. It stops early,
   * after at most a few milliseconds.
   * @returns the position to go on from
   */
  search(text: string, from: number, to: number, found: FoundNeedle<T>): number;
  /** {@link search} in code units: they become a text only where a needle may be. */
  searchCodes(codes: Uint16Array, from: number, found: FoundNeedle<T>): number;
}

/** Called for each needle that is found. */
export type FoundNeedle<T> = (start: number, end: number, owner: T) => void;

/** Minimum characters of a needle. */
export const minimumNeedleLength = 4;

/** Work of one call of `search`, in {@link workOf}, and the positions that it looks at. */
const maximumWork = 10_000;
const maximumPositions = 100_000;

const filterSize = 65_536;

interface SortedNeedle<T> extends Needle<T> {
  /** The longest other needle that this one begins with. */
  readonly shorter: SortedNeedle<T> | undefined;
}

/** Creates an index; needles shorter than {@link minimumNeedleLength} are left out. Of equal ones, the first is found. */
export function createNeedleIndex<T>(needles: readonly Needle<T>[]): NeedleIndex<T> {
  const buckets = sortIntoBuckets(needles);
  // Most positions of a text begin no needle; this tells them apart without making a string.
  const filter = new Uint8Array(filterSize);
  for (const start of buckets.keys()) filter[textKey(start, 0)] = 1;
  const longest = needles.reduce((most, { text }) => Math.max(most, text.length), 0);

  /** @returns the work that was done */
  function findAt(text: string, inText: number, found: FoundNeedle<T>, position: number): number {
    let work = 1;
    const bucket = buckets.get(text.slice(inText, inText + minimumNeedleLength));
    if (bucket === undefined) return work;
    const needle = longestAt(text, inText, bucket, (compared) => (work += workOf(compared)));
    if (needle !== undefined) found(position, position + needle.text.length, needle.owner);
    return work;
  }

  return {
    search(text, from, to, found) {
      if (buckets.size === 0) return to;
      const end = Math.min(to, from + maximumPositions);
      let work = 0;
      for (let position = from; position < end; position += 1) {
        if (filter[textKey(text, position)] === 0) continue;
        work += findAt(text, position, found, position);
        if (work >= maximumWork) return position + 1;
      }
      return end;
    },
    searchCodes(codes, from, found) {
      if (buckets.size === 0) return codes.length;
      const end = Math.min(codes.length, from + maximumPositions);
      let work = 0;
      for (let position = from; position < end; position += 1) {
        if (filter[filterKey(codes, position)] === 0) continue;
        const start = String.fromCharCode(...codes.subarray(position, position + minimumNeedleLength));
        const isThere = buckets.has(start);
        work += isThere ? findAt(textOfCodes(codes.subarray(position, position + longest)), 0, found, position) : 1;
        if (work >= maximumWork) return position + 1;
      }
      return end;
    },
  };
}

/** The needles by their first characters, sorted in each bucket by code units, as `<=` compares. */
function sortIntoBuckets<T>(needles: readonly Needle<T>[]): ReadonlyMap<string, readonly SortedNeedle<T>[]> {
  const sorted = needles
    .filter(({ text }) => text.length >= minimumNeedleLength)
    .toSorted((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)));
  const buckets = new Map<string, SortedNeedle<T>[]>();
  let previous: string | undefined;
  for (const { text, owner } of sorted) {
    if (text === previous) continue;
    previous = text;
    const start = text.slice(0, minimumNeedleLength);
    const bucket = buckets.get(start) ?? [];
    if (bucket.length === 0) buckets.set(start, bucket);
    let shorter = bucket.at(-1);
    while (shorter !== undefined && !text.startsWith(shorter.text)) ({ shorter } = shorter);
    bucket.push({ text, owner, shorter });
  }
  return buckets;
}

/**
 * Of the needles that sort before the text, the last one begins with every needle that the text begins with: that one and its
 * `shorter` ones are the only candidates.
 */
function longestAt<T>(
  text: string,
  position: number,
  bucket: readonly SortedNeedle<T>[],
  compared: (needle: string) => void,
): SortedNeedle<T> | undefined {
  let low = 0;
  let high = bucket.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const { text: needle } = bucket[middle] as SortedNeedle<T>;
    compared(needle);
    if (needle <= text.slice(position, position + needle.length)) low = middle + 1;
    else high = middle;
  }
  let candidate = bucket[low - 1];
  while (candidate !== undefined && !text.startsWith(candidate.text, position)) {
    compared(candidate.text);
    candidate = candidate.shorter;
  }
  return candidate;
}

function workOf(compared: string): number {
  return 1 + compared.length / 128;
}

function filterKey(codes: Uint16Array, position: number): number {
  return keyOf(codes[position] ?? 0, codes[position + 1] ?? 0, codes[position + 2] ?? 0, codes[position + 3] ?? 0);
}

function textKey(text: string, position: number): number {
  const [first, second] = [text.charCodeAt(position), text.charCodeAt(position + 1)];
  return keyOf(first, second, text.charCodeAt(position + 2), text.charCodeAt(position + 3));
}

function keyOf(first: number, second: number, third: number, fourth: number): number {
  return (((first * 31 + second) * 31 + third) * 31 + fourth) & (filterSize - 1);
}
