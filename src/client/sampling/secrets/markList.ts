import type { FoundRange } from '../../../secrets/keyFormats.ts';
import { minimumNeedleLength } from '../../../secrets/needles.ts';
import type { OriginalPart, SearchableText } from './searchableText.ts';
import type { SecretMark } from './secretMark.ts';

/** Collects marks: one for each text, with its places. */
export interface MarkList {
  /** Adds a range of a searched text: each of its parts, if it lies in several texts of the request. */
  add(kind: SecretMark['kind'], range: FoundRange, searched: SearchableText): void;
  /** Adds a mark `unsearched`, once for each text. */
  note(what: string): void;
  list(): readonly SecretMark[];
}

/** Maximum numbers: marks of one kind, places of one mark. */
export interface MarkLimits {
  readonly marks: number;
  readonly places: number;
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

/** A text that several searches find has the words of the first. Each kind has its own maximum: paths cannot displace keys. */
export function createMarkList({ marks: maximum, places: maximumPlaces }: MarkLimits): MarkList {
  const marks = new Map<string, GrowingMark>();
  const counts = new Map<SecretMark['kind'], number>();
  const notes = new Set<string>();

  function addPart(kind: SecretMark['kind'], what: string, { value, place }: OriginalPart): void {
    const known = marks.get(value);
    const count = counts.get(kind) ?? 0;
    if (known !== undefined) {
      if (!known.places.includes(place.name) && known.places.length < maximumPlaces) known.places.push(place.name);
      known.isMaskable &&= place.isMaskable;
    } else if (count < maximum) {
      counts.set(kind, count + 1);
      marks.set(value, { kind, what, value, places: [place.name], isMaskable: place.isMaskable });
    } else notes.add(`There are more than ${maximum} ${manyOf[kind]}: the others are not listed`);
  }

  return {
    add(kind, { what, start, end }, searched) {
      const isKnown = kind === 'secretInput' || kind === 'envFile';
      // A key that seems to go on in the next text ends with its own.
      const parts = searched.originalsOf(start, end).slice(0, isKnown ? Infinity : 1);
      const long = parts.filter(({ value }) => value.length >= minimumNeedleLength);
      for (const part of long) addPart(kind, what, part);
      // A mask for a few letters would be everywhere.
      if (long.length === 0 && parts.length > 1)
        notes.add(`${what.slice(0, 1).toUpperCase()}${what.slice(1)} is in parts too short to mask`);
    },
    note: (what) => void notes.add(what),
    list: () => [
      ...marks.values(),
      ...[...notes].map((what): SecretMark => ({ kind: 'unsearched', what, value: '', places: [], isMaskable: false })),
    ],
  };
}
