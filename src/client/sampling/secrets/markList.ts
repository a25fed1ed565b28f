import type { FoundRange } from '../../../secrets/keyFormats.ts';
import { minimumNeedleLength } from '../../../secrets/needles.ts';
import type { OriginalPart, SearchableText } from './searchableText.ts';

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

interface GrowingMark extends SecretMark {
  readonly places: string[];
  isMaskable: boolean;
}

/**
 * Collects marks: one for each text, with its places. A text that several searches find has the words of the first. Each kind has its
 * own maximum: paths cannot displace keys.
 */
export class MarkList {
  readonly #maximum: number;
  readonly #maximumPlaces: number;
  readonly #marks = new Map<string, GrowingMark>();
  readonly #counts = new Map<SecretMark['kind'], number>();
  readonly #notes = new Set<string>();

  /** @param maximum marks of one kind @param maximumPlaces of one mark */
  constructor(maximum: number, maximumPlaces: number) {
    this.#maximum = maximum;
    this.#maximumPlaces = maximumPlaces;
  }

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
      if (!known.places.includes(place.name) && known.places.length < this.#maximumPlaces)
        known.places.push(place.name);
      known.isMaskable &&= place.isMaskable;
    } else if (count < this.#maximum) {
      this.#counts.set(kind, count + 1);
      this.#marks.set(value, { kind, what, value, places: [place.name], isMaskable: place.isMaskable });
    } else this.note(`There are more than ${this.#maximum} ${manyOf[kind]}: the others are not listed`);
  }
}

/** @param what a sentence without its full stop */
export function unsearched(what: string): SecretMark {
  return { kind: 'unsearched', what, value: '', places: [], isMaskable: false };
}
