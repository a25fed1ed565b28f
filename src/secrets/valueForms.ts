import { truncate } from '../base/truncate.ts';
import { withoutHidden } from '../base/visibleText.ts';
import { decodeEscapes } from './escapes.ts';
import { DecodedText } from './decodedText.ts';
import { foldText, packText } from './foldedText.ts';

/** A text to look for. */
export interface ValueForm {
  readonly text: string;
  /**
   * - `folded`: letters and digits alone, see `foldText`: in any case, with anything between them, also reversed.
   * - `packed`: without blanks, see `packText`. Few letters and digits would be found in ordinary words: `node-20` in "Node 20".
   * - `exact`: the value as it is, for the shortest ones.
   */
  readonly kind: 'folded' | 'packed' | 'exact';
  /** What a folded form is a part of. */
  readonly part?: { readonly whole: WholeValue; readonly offset: number };
}

/** The letters and digits of all of a value, or of one of its lines. */
export interface WholeValue {
  readonly text: string;
  /** Punctuation at both ends, which belongs to it. */
  readonly before: string;
  readonly after: string;
}

/** Minimum letters and digits of a value that is looked for in its folded form, if it has both, and otherwise. */
const minimumFolded = { mixed: 8, plain: 12 };
/** Minimum characters of a packed value. */
const minimumPacked = 6;

/** Characters of a value that are looked for; of a longer one, the beginning. */
const maximumValueLength = 8_000;
/** Characters of a value that a part of it is compared with, where a text goes on after what was looked for. */
const maximumComparedLength = 100_000;
/** Characters of one form: a longer value is looked for in parts, which together are all of it. */
const maximumFormLength = 256;
/** Minimum characters of one line of a value with several, such as a private key, and how many lines are looked for. */
const lineLimits = { length: 16, count: 20 };
/** A value with escapes in it is also looked for as what they stand for, as everything is decoded so often. */
const maximumLevels = 3;

/** The texts to look for in a text, and in all that it decodes to. @param shortest characters of an exact form */
export function formsOf(value: string, shortest: number): readonly ValueForm[] {
  const text = truncate(withoutHidden(value).trim(), maximumComparedLength);
  const lines = truncate(text, maximumValueLength)
    .split(/\r?\n/)
    .filter(({ length }) => length >= lineLimits.length);
  const spreadLines = lines.length > 1 || lines[0] !== text ? spread(lines, lineLimits.count) : [];
  const forms = new Map<string, ValueForm>();
  const wholes: BothWays[] = [];
  for (const each of new Set([text, ...spreadLines])) {
    for (const level of levelsOf(each))
      for (const form of formsAt(level, shortest, wholes))
        if (!forms.has(`${form.kind}${form.text}`)) forms.set(`${form.kind}${form.text}`, form);
  }
  return [...forms.values()];
}

/** The forms of a value that is only looked for as it is, as there are too many. */
export function literalForms(value: string): readonly ValueForm[] {
  const text = truncate(withoutHidden(value).trim(), maximumComparedLength);
  const forms: ValueForm[] = [];
  for (let from = 0; from < text.length; from += maximumFormLength) {
    const start = Math.max(0, Math.min(from, text.length - maximumFormLength));
    forms.push({ text: text.slice(start, start + maximumFormLength), kind: 'exact' });
  }
  return forms;
}

interface BothWays {
  readonly forward: WholeValue;
  readonly reversed: WholeValue;
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

/** @param wholes those of the same value that came before, of which a line is a part */
function formsAt(level: DecodedText, shortest: number, wholes: BothWays[]): readonly ValueForm[] {
  const { text, places } = foldText(level.codes);
  if (!isLongEnough(text)) return formsAsWritten(level.text, shortest);
  const outer = wholes.find(({ forward }) => forward.text.includes(text));
  if (outer !== undefined) return partsOf(outer, outer.forward.text.indexOf(text), text.length);
  const whole: BothWays = {
    forward: {
      text,
      before: level.text.slice(0, places[0]),
      after: level.text.slice((places[text.length - 1] ?? 0) + 1),
    },
    reversed: { text: text.split('').toReversed().join(''), before: '', after: '' },
  };
  wholes.push(whole);
  return partsOf(whole, 0, Math.min(text.length, maximumValueLength));
}

function partsOf({ forward, reversed }: BothWays, offset: number, length: number): readonly ValueForm[] {
  const parts: ValueForm[] = [];
  for (let from = 0; from < length; from += maximumFormLength) {
    // The last part is as long as the others, so that it is not found by chance.
    const start = offset + Math.max(0, Math.min(from, length - maximumFormLength));
    const end = Math.min(start + maximumFormLength, offset + length);
    const fromEnd = forward.text.length - end;
    const part = (whole: WholeValue, at: number): ValueForm => ({
      text: whole.text.slice(at, at + end - start),
      kind: 'folded',
      part: { whole, offset: at },
    });
    parts.push(part(forward, start), part(reversed, fromEnd));
  }
  return parts;
}

function formsAsWritten(given: string, shortest: number): readonly ValueForm[] {
  const text = truncate(given, maximumValueLength);
  // Forms of pages write a plus for a blank.
  return [...new Set([text, text.replaceAll(' ', '+')])].flatMap((each): readonly ValueForm[] => {
    const packed = packText(DecodedText.of(each).codes).text;
    if (packed.length >= minimumPacked) return [{ text: packed, kind: 'packed' }];
    return each.length < shortest ? [] : [{ text: each, kind: 'exact' }];
  });
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
