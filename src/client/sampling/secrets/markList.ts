import type { FoundRange } from '../../../secrets/keyFormats.ts';
import { minimumNeedleLength } from '../../../secrets/needles.ts';
import { lastWhere } from '../../../base/lastWhere.ts';
import { replaceHidden } from '../../../base/visibleText.ts';
import type { TextPlace } from './requestTexts.ts';

/**
 * A text of a request that should not reach a model unseen.
 * - `secretInput`, `envFile`: the value of a secret input or setting, or of an env file, however it is written.
 * - `keyFormat`: a text with the form of a well-known key.
 * - `outsidePath`: an absolute path outside the workspace folders.
 * - `unsearched`: not a text, but a part of the request that was not searched, or has more marks than are listed. A rule must
 *   not let such a request through either.
 */
export interface SecretMark {
  readonly kind: 'secretInput' | 'envFile' | 'keyFormat' | 'outsidePath' | 'unsearched';
  /**
   * A few words for people: `the value of the input "apiKey"`, "GITHUB_TOKEN of .env", "a path outside the workspace". A
   * sentence without its full stop for `unsearched`.
   */
  readonly what: string;
  /** The text to mask, exactly as it is written, with hidden characters; empty for `unsearched`. */
  readonly value: string;
  /** "message 2", "system prompt", `tool "x"`, "metadata"; the first ones if there are many. */
  readonly places: readonly string[];
  /** False if the text also occurs in an id or the name of a tool, where masking leaves it. */
  readonly isMaskable: boolean;
}

const manyOf: Readonly<Record<SecretMark['kind'], string>> = {
  secretInput: 'forms of secret values',
  envFile: 'forms of values of env files',
  keyFormat: 'keys',
  outsidePath: 'paths outside the workspace',
  unsearched: 'parts',
};

/** Marks of each kind, and places of one mark. */
export const maximumMarks = 200;
export const maximumPlaces = 20;

interface GrowingMark extends SecretMark {
  readonly places: string[];
  isMaskable: boolean;
}

/**
 * Collects marks: one for each text, with its places. A text that several searches find has the words of the first. Each kind has its
 * own maximum: paths cannot displace keys.
 */
export class MarkList {
  readonly #marks = new Map<string, GrowingMark>();
  readonly #counts = new Map<SecretMark['kind'], number>();
  readonly #notes = new Set<string>();

  /** Adds a range of a searched text: each of its parts, if it lies in several texts of the request. */
  add(kind: SecretMark['kind'], { what, start, end }: FoundRange, searched: SearchableText): void {
    const isKnown = kind === 'secretInput' || kind === 'envFile';
    // A key that seems to go on in the next text ends with its own.
    const parts = searched.originalsOf(start, end).slice(0, isKnown ? Infinity : 1);
    const long = parts.filter(({ value }) => value.length >= minimumNeedleLength);
    for (const part of long) this.#addPart(kind, what, part);
    // A mask for a few letters would be everywhere.
    if (long.length === 0 && parts.length > 1)
      this.note(`${what.slice(0, 1).toUpperCase()}${what.slice(1)} is in parts too short to mask`);
  }

  /** Adds a mark `unsearched`, once for each text. */
  note(what: string): void {
    this.#notes.add(what);
  }

  list(): readonly SecretMark[] {
    return [...this.#marks.values(), ...[...this.#notes].map(unsearched)];
  }

  #addPart(kind: SecretMark['kind'], what: string, { value, place }: OriginalPart): void {
    const known = this.#marks.get(value);
    const count = this.#counts.get(kind) ?? 0;
    if (known !== undefined) {
      if (!known.places.includes(place.name) && known.places.length < maximumPlaces) known.places.push(place.name);
      known.isMaskable &&= place.isMaskable;
    } else if (count < maximumMarks) {
      this.#counts.set(kind, count + 1);
      this.#marks.set(value, { kind, what, value, places: [place.name], isMaskable: place.isMaskable });
    } else this.note(`There are more than ${maximumMarks} ${manyOf[kind]}: the others are not listed`);
  }
}

/** @param what a sentence without its full stop */
export function unsearched(what: string): SecretMark {
  return { kind: 'unsearched', what, value: '', places: [], isMaskable: false };
}

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
