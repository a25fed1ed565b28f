import { lastWhere } from '../base/lastWhere.ts';

/** A text to look for, and what it is a form of. */
export interface Needle<T> {
  readonly text: string;
  readonly owner: T;
}

export const minimumNeedleLength = 4;

/** Work of one call of `search`: comparisons, and more for long needles; and the positions that it looks at. */
const maximumWork = 10_000;
const maximumPositions = 100_000;

const filterSize = 65_536;

interface SortedNeedle<T> extends Needle<T> {
  /** The longest other needle that this one begins with. */
  readonly shorter: SortedNeedle<T> | undefined;
}

/** Finds many texts at once. Needles shorter than {@link minimumNeedleLength} are left out. Of equal ones, the first is found. */
export class NeedleIndex<T> {
  readonly #buckets: ReadonlyMap<string, readonly SortedNeedle<T>[]>;
  /** Most positions of a text begin no needle; this tells them apart without making a string. */
  readonly #filter = new Uint8Array(filterSize);

  constructor(needles: readonly Needle<T>[]) {
    this.#buckets = sortIntoBuckets(needles);
    for (const start of this.#buckets.keys()) this.#filter[keyOf(start)] = 1;
  }

  /**
   * Searches `text` from one position to another, and calls `found` with the longest needle at each position. It stops early,
   * after at most a few milliseconds.
   * @returns the position to go on from
   */
  search(text: string, from: number, to: number, found: (start: number, end: number, owner: T) => void): number {
    const [filter, buckets] = [this.#filter, this.#buckets];
    if (buckets.size === 0) return to;
    const end = Math.min(to, from + maximumPositions);
    let work = 0;
    let key = keyOf(text.slice(from, from + minimumNeedleLength - 1));
    for (let position = from; position < end; position += 1) {
      key = withNext(key, text, position + minimumNeedleLength - 1);
      if (filter[key] === 0) continue;
      work += 1;
      const bucket = buckets.get(text.slice(position, position + minimumNeedleLength)) ?? [];
      const needle = longestAt(text, position, bucket, (compared) => (work += 1 + compared.length / 128));
      if (needle !== undefined) found(position, position + needle.text.length, needle.owner);
      if (work >= maximumWork) return position + 1;
    }
    return end;
  }
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

/** Only the last needle that sorts before the text, and its `shorter` ones, can be at its beginning. */
function longestAt<T>(
  text: string,
  position: number,
  bucket: readonly SortedNeedle<T>[],
  compared: (needle: string) => void,
): SortedNeedle<T> | undefined {
  const last = lastWhere(bucket, ({ text: needle }) => {
    compared(needle);
    return needle <= text.slice(position, position + needle.length);
  });
  let candidate = bucket[last];
  while (candidate !== undefined && !text.startsWith(candidate.text, position)) {
    compared(candidate.text);
    candidate = candidate.shorter;
  }
  return candidate;
}

/** Adds a character to a key of {@link minimumNeedleLength} characters: those before are shifted out of it. */
function withNext(key: number, text: string, at: number): number {
  return ((key << 4) ^ ((text.charCodeAt(at) * 40_503) >> 3)) & (filterSize - 1);
}

function keyOf(text: string): number {
  let key = 0;
  for (let at = 0; at < text.length; at += 1) key = withNext(key, text, at);
  return key;
}
