import type { FoundRange } from './keyFormats.ts';
import { minimumNeedleLength } from './needles.ts';
import type { SearchableText } from './searchableText.ts';
import type { SecretMark } from './secretMark.ts';

/** Collects marks: one for each text, with its places. */
export interface MarkList {
  /** Adds a range of the searched text. */
  add(kind: SecretMark['kind'], range: FoundRange): void;
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
export function createMarkList(
  searched: SearchableText,
  { marks: maximum, places: maximumPlaces }: MarkLimits,
): MarkList {
  const marks = new Map<string, GrowingMark>();
  const counts = new Map<SecretMark['kind'], number>();
  const notes = new Set<string>();
  return {
    add(kind, { what, start, end }) {
      const part = searched.originalOf(start, end);
      if (part === undefined || part.value.length < minimumNeedleLength) return;
      const { value, place } = part;
      const known = marks.get(value);
      const count = counts.get(kind) ?? 0;
      if (known !== undefined) {
        if (!known.places.includes(place.name) && known.places.length < maximumPlaces) known.places.push(place.name);
        known.isMaskable &&= place.isMaskable;
      } else if (count < maximum) {
        counts.set(kind, count + 1);
        marks.set(value, { kind, what, value, places: [place.name], isMaskable: place.isMaskable });
      } else notes.add(`There are more than ${maximum} ${manyOf[kind]}: the others are not listed`);
    },
    note: (what) => void notes.add(what),
    list: () => [
      ...marks.values(),
      ...[...notes].map((what): SecretMark => ({ kind: 'unsearched', what, value: '', places: [], isMaskable: false })),
    ],
  };
}
