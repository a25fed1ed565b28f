import { truncate } from '../base/truncate.ts';
import { withoutHidden } from '../base/visibleText.ts';
import { decodeEscapes } from './escapes.ts';
import { DecodedText } from './decodedText.ts';
import { foldedLetters, foldText } from './foldedText.ts';

/** A text to look for. */
export interface ValueForm {
  readonly text: string;
  /**
   * - `folded`: letters and digits alone, see `foldText`: in any case, with anything between them, also reversed.
   * - `exact`: the value as it is. Few letters and digits would be found in ordinary words: `node-20` in "Node 20".
   */
  readonly kind: 'folded' | 'exact';
  /** Punctuation at both ends of a folded value, which belongs to it. */
  readonly before: string;
  readonly after: string;
}

/** Minimum letters and digits of a value that is looked for in its folded form, if it has both, and otherwise. */
const minimumFolded = { mixed: 8, plain: 12 };

/** Characters of a value that are looked for; of a longer one, the beginning. */
const maximumValueLength = 8_000;
/** Characters of one form: a longer value is looked for in parts, which together are all of it. */
const maximumFormLength = 256;
/** Minimum characters of one line of a value with several, such as a private key, and how many lines are looked for. */
const lineLimits = { length: 16, count: 20 };
/** A value with escapes in it is also looked for as what they stand for, as everything is decoded so often. */
const maximumLevels = 3;

/** The texts to look for in a text, and in all that it decodes to. @param shortest characters of an exact form */
export function formsOf(value: string, shortest: number): readonly ValueForm[] {
  const text = truncate(withoutHidden(value).trim(), maximumValueLength);
  const lines = text.split(/\r?\n/).filter(({ length }) => length >= lineLimits.length);
  const texts = new Set([text, ...(lines.length > 1 || lines[0] !== text ? spread(lines, lineLimits.count) : [])]);
  const forms = new Map<string, ValueForm>();
  for (const each of texts) {
    for (const level of levelsOf(each))
      for (const form of formsAt(level, shortest)) forms.set(`${form.kind}${form.text}`, form);
  }
  return [...forms.values()];
}

/** A text, and what its escapes stand for, if it has any. */
function levelsOf(text: string): readonly DecodedText[] {
  const levels: DecodedText[] = [];
  for (let level: DecodedText | undefined = DecodedText.of(text); level !== undefined; level = decodeEscapes(level)) {
    if (levels.length > maximumLevels) break;
    levels.push(level);
  }
  return levels;
}

function formsAt(level: DecodedText, shortest: number): readonly ValueForm[] {
  const folded = foldText(level.codes);
  const { places } = folded;
  const text = foldedLetters(folded);
  if (!isLongEnough(text)) {
    // Forms of pages write a plus for a blank.
    const texts = new Set([level.text, level.text.replaceAll(' ', '+')]);
    if (level.length < shortest) return [];
    return [...texts].map((each) => ({ text: each, kind: 'exact', before: '', after: '' }));
  }
  const before = level.text.slice(0, places[0]);
  const after = level.text.slice((places[text.length - 1] ?? 0) + 1);
  const parts: ValueForm[] = [];
  for (let from = 0; from < text.length; from += maximumFormLength) {
    // The last part is as long as the others, so that it is not found by chance.
    const start = Math.max(0, Math.min(from, text.length - maximumFormLength));
    const part = text.slice(start, start + maximumFormLength);
    parts.push({
      text: part,
      kind: 'folded',
      before: start === 0 ? before : '',
      after: start + part.length === text.length ? after : '',
    });
    parts.push({ text: part.split('').toReversed().join(''), kind: 'folded', before: '', after: '' });
  }
  return parts;
}

function isLongEnough(folded: string): boolean {
  const isMixed = /[0-9]/.test(folded) && /[^0-9]/.test(folded);
  return folded.length >= (isMixed ? minimumFolded.mixed : minimumFolded.plain);
}

/** At most `maximum` entries, at equal distances: a copy of a part of a long value then holds one of them. */
function spread<T>(entries: readonly T[], maximum: number): readonly T[] {
  const distance = Math.ceil(entries.length / maximum);
  return entries.filter((_entry, index) => index % distance === 0);
}
