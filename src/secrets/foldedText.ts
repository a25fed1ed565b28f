import { skeletonOf } from '../base/lookAlike.ts';
import { lazyPattern, memoize } from '../base/memoize.ts';
import { textOfCodes } from './decodedText.ts';

/** The letters and digits of a text, and where they are in it. */
export interface FoldedText {
  /** In lower case, without accents; full width and other styled letters, and those that look alike, as in ASCII. */
  readonly text: string;
  /** For each character, where it begins in the text that was folded. */
  readonly places: Uint32Array;
}

/** For each character of ASCII, its letter or digit; 0 for all others. */
const asciiFold = memoize(() =>
  Uint8Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code).toLowerCase();
    return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : 0;
  }),
);

/** The same for {@link packText}: the character itself, but for blanks and controls. */
const asciiPack = memoize(() => Uint8Array.from({ length: 128 }, (_, code) => (code > 0x20 && code < 0x7f ? code : 0)));

/** Code units that one character may become: more are left out, in texts and in what is looked for. */
const maximumUnits = 3;

/** Keeps letters and digits: quotes, escapes, blanks and hidden characters inside of a secret then make no difference. */
export function foldText(given: Uint16Array): FoldedText {
  return mapCharacters(given, asciiFold(), foldPoint);
}

/** Leaves out blanks, line breaks and hidden characters, and reads styled characters as ordinary ones. */
export function packText(given: Uint16Array): FoldedText {
  return mapCharacters(given, asciiPack(), packPoint);
}

/** @param ascii what each character of ASCII becomes; 0 for one that is left out */
function mapCharacters(given: Uint16Array, ascii: Uint8Array, mapPoint: (point: number) => string): FoldedText {
  const room = given.length * (given.some((code) => code >= 128) ? maximumUnits : 1);
  const codes = new Uint16Array(room);
  const places = new Uint32Array(room);
  let length = 0;
  for (let at = 0; at < given.length; at += 1) {
    const code = given[at] ?? 0;
    if (code < 128) {
      const folded = ascii[code] ?? 0;
      if (folded === 0) continue;
      codes[length] = folded;
      places[length] = at;
      length += 1;
      continue;
    }
    const isPair = (code & 0xfc00) === 0xd800 && ((given[at + 1] ?? 0) & 0xfc00) === 0xdc00;
    const point = isPair ? ((code & 0x3ff) << 10) + ((given[at + 1] ?? 0) & 0x3ff) + 0x10000 : code;
    const folded = mapPoint(point);
    for (let unit = 0; unit < folded.length; unit += 1) {
      codes[length] = folded.charCodeAt(unit);
      places[length] = at;
      length += 1;
    }
    if (isPair) at += 1;
  }
  return { text: textOfCodes(codes.subarray(0, length)), places };
}

const marks = lazyPattern('\\p{M}', 'gu');
const letterOrDigit = lazyPattern('^[\\p{L}\\p{N}]$');
const ignorable = lazyPattern('\\p{Default_Ignorable_Code_Point}');

/** What was folded before: most texts use few characters outside ASCII. */
const maximumRemembered = 10_000;

const foldPoint = rememberPoints(foldCharacter);
const packPoint = rememberPoints(packCharacter);

function rememberPoints(map: (character: string) => string): (point: number) => string {
  const remembered = memoize(() => new Map<number, string>());
  return (point) => {
    const known = remembered();
    const before = known.get(point);
    if (before !== undefined) return before;
    if (known.size >= maximumRemembered) known.clear();
    const mapped = map(String.fromCodePoint(point));
    known.set(point, mapped);
    return mapped;
  };
}

function foldCharacter(character: string): string {
  if (ignorable().test(character)) return '';
  const units: string[] = [];
  for (const each of character.normalize('NFKD').replaceAll(marks(), '').toLowerCase()) {
    const alike = each.charCodeAt(0) < 128 ? each : skeletonOf(each);
    const folded = /^[ -~]$/.test(alike) ? alike : each;
    if (letterOrDigit().test(folded)) units.push(folded);
  }
  return units.join('').slice(0, maximumUnits);
}

function packCharacter(character: string): string {
  return ignorable().test(character) ? '' : character.normalize('NFKD').replaceAll(/\s/g, '').slice(0, maximumUnits);
}
