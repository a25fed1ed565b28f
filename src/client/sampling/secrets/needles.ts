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
  search(text: string, from: number, to: number, found: (start: number, end: number, owner: T) => void): number;
}

/** Minimum characters of a needle. */
export const minimumNeedleLength = 4;

/** Work of one call of `search`, in {@link workOf}, and the positions that it looks at. */
const maximumWork = 10_000;
const maximumPositions = 100_000;

const filterSize = 4_096;

interface SortedNeedle<T> extends Needle<T> {
  /** The longest other needle that this one begins with. */
  readonly shorter: SortedNeedle<T> | undefined;
}

/** Creates an index; needles shorter than {@link minimumNeedleLength} are left out. Of equal ones, the first is found. */
export function createNeedleIndex<T>(needles: readonly Needle<T>[]): NeedleIndex<T> {
  const buckets = sortIntoBuckets(needles);
  // Most positions of a text begin no needle; this tells them apart without making a string.
  const filter = new Uint8Array(filterSize);
  for (const start of buckets.keys()) filter[filterKey(start, 0)] = 1;

  return {
    search(text, from, to, found) {
      if (buckets.size === 0) return to;
      const end = Math.min(to, from + maximumPositions);
      let work = 0;
      for (let position = from; position < end; position += 1) {
        if (filter[filterKey(text, position)] === 0) continue;
        const bucket = buckets.get(text.slice(position, position + minimumNeedleLength));
        work += 1;
        if (bucket !== undefined) {
          const needle = longestAt(text, position, bucket, (compared) => (work += workOf(compared)));
          if (needle !== undefined) found(position, position + needle.text.length, needle.owner);
        }
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

function filterKey(text: string, position: number): number {
  const first = text.charCodeAt(position);
  const second = text.charCodeAt(position + 1);
  const third = text.charCodeAt(position + 2);
  return ((first * 31 + second) * 31 + third) & (filterSize - 1);
}
