import { memoize } from '../base/memoize.ts';
import { isPrintable, replaceHidden } from '../base/visibleText.ts';
import { DecodedBuilder, type DecodedText } from './decodedText.ts';
import { digitValue, PlacedBytes } from './encodedBytes.ts';

const [backslash, percent, equals, ampersand] = [0x5c, 0x25, 0x3d, 0x26] as const;
const [letterU, letterX, capitalU, hash, openBrace, closeBrace] = [0x75, 0x78, 0x55, 0x23, 0x7b, 0x7d] as const;
const controls: ReadonlyMap<number, number> = new Map([
  [0x6e, 10],
  [0x72, 13],
  [0x74, 9],
  [0x62, 8],
  [0x66, 12],
  [0x76, 11],
  [0x30, 0],
]);
/** Characters that a backslash is written before, so that they stand for themselves: quotes and the slash. */
const quoted: readonly number[] = [0x22, 0x27, 0x60, 0x2f];

/** Zero, tab and line breaks. */
const blanks: readonly number[] = [0, 9, 10, 13];

/** Names of entities that browsers read without a semicolon before a letter. */
const unendedName = /^(?:amp|lt|gt|quot|AMP|LT|GT|QUOT)/;

/** What an escape stands for, and where it ends; a byte may be one of several for a character. */
interface Escape {
  readonly kind: 'point' | 'byte';
  readonly value: number;
  readonly end: number;
}

/**
 * Decodes what stands for another character in JSON, JavaScript, C, Python and shells, in addresses, mails and HTML. Any number of
 * backslashes counts as one: JSON in JSON then reads as JSON, at any depth.
 * @returns `undefined` if there is nothing to decode
 */
export function decodeEscapes(source: DecodedText): DecodedText | undefined {
  return decodeEach(source, beginsEscape);
}

function beginsEscape(code: number): boolean {
  return code === backslash || code === percent || code === ampersand;
}

/** True if {@link decodeMail} gave an escape: without one, it makes no difference which of the two decodes first. */
export function hasNewEscape(decoded: DecodedText): boolean {
  const { codes } = decoded;
  return codes.some((code, at) => beginsEscape(code) && decoded.isDecoded(at) && escapeAt(codes, at) !== undefined);
}

/** The same for mails (quoted-printable), by themselves: `token=2F` is more often a value. */
export function decodeMail(source: DecodedText): DecodedText | undefined {
  return decodeEach(source, (code) => code === equals);
}

function decodeEach(source: DecodedText, isEscape: (code: number) => boolean): DecodedText | undefined {
  const { codes } = source;
  let builder: DecodedBuilder | undefined;
  let copied = 0;
  // Escaped bytes that follow each other.
  const bytes = new PlacedBytes();
  for (let at = 0; at < codes.length;) {
    const escape = isEscape(codes[at] ?? 0) ? escapeAt(codes, at) : undefined;
    if (escape === undefined) {
      at += 1;
      continue;
    }
    builder ??= new DecodedBuilder(source, codes.length);
    if (at > copied || escape.kind !== 'byte') bytes.flush(builder);
    builder.copy(copied, at);
    if (escape.kind === 'byte') bytes.add(escape.value, at, escape.end);
    else builder.addPoint(escape.value, at, escape.end);
    copied = at = escape.end;
  }
  if (builder === undefined) return undefined;
  bytes.flush(builder);
  builder.copy(copied, codes.length);
  return builder.built();
}

function escapeAt(codes: Uint16Array, at: number): Escape | undefined {
  switch (codes[at] ?? 0) {
    case backslash:
      return afterBackslashes(codes, at);
    case percent:
      return codes[at + 1] === letterU ? point(codes, at + 2, 4) : byte(codes, at + 1);
    case equals:
      return mailByte(codes, at + 1);
    default:
      return entityAt(codes, at);
  }
}

/** Its digits are capitals, and it stands for no letter, digit or control: `data=05` is a parameter of an address. */
function mailByte(codes: Uint16Array, at: number): Escape | undefined {
  const escape = byte(codes, at);
  if (escape === undefined || (codes[at] ?? 0) >= 0x61 || (codes[at + 1] ?? 0) >= 0x61) return undefined;
  const isControl = escape.value < 0x20 && !blanks.includes(escape.value);
  return isControl || digitValue(escape.value) < 36 ? undefined : escape;
}

function afterBackslashes(codes: Uint16Array, at: number): Escape | undefined {
  let next = at + 1;
  while (codes[next] === backslash) next += 1;
  const code = codes[next] ?? 0;
  const escape = letterEscape(codes, next, code);
  if (escape !== undefined) return escape;
  if (quoted.includes(code)) return { kind: 'point', value: code, end: next + 1 };
  return next > at + 1 ? { kind: 'point', value: backslash, end: next } : undefined;
}

function letterEscape(codes: Uint16Array, at: number, code: number): Escape | undefined {
  if (code === letterU) return codes[at + 1] === openBrace ? braced(codes, at + 2) : point(codes, at + 1, 4);
  if (code === capitalU) return point(codes, at + 1, 8);
  if (code === letterX) return byte(codes, at + 1);
  const octal = numberAt(codes, at, 3, 8);
  if (octal !== undefined && octal < 256) return { kind: 'byte', value: octal, end: at + 3 };
  const control = controls.get(code);
  return control === undefined ? undefined : { kind: 'point', value: control, end: at + 1 };
}

function byte(codes: Uint16Array, at: number): Escape | undefined {
  const value = numberAt(codes, at, 2, 16);
  return value === undefined ? undefined : { kind: 'byte', value, end: at + 2 };
}

function point(codes: Uint16Array, at: number, digits: number): Escape | undefined {
  const value = numberAt(codes, at, digits, 16);
  return value === undefined ? undefined : { kind: 'point', value: Math.min(value, 0x10ffff), end: at + digits };
}

function braced(codes: Uint16Array, from: number): Escape | undefined {
  const at = afterZeros(codes, from);
  const length = digitsAt(codes, at, 16);
  if (codes[at + length] !== closeBrace) return undefined;
  const escape = point(codes, at, length);
  return escape && { ...escape, end: escape.end + 1 };
}

/** `&#38;`, `&#x26;`, `&amp;`; the semicolon may be missing. */
function entityAt(codes: Uint16Array, at: number): Escape | undefined {
  let end = at + 1;
  let value: number | undefined;
  if (codes[end] === hash) {
    const isHex = ((codes[end + 1] ?? 0) | 0x20) === letterX;
    const from = afterZeros(codes, end + (isHex ? 2 : 1));
    const length = digitsAt(codes, from, isHex ? 16 : 10);
    value = numberAt(codes, from, length, isHex ? 16 : 10);
    end = from + length;
  } else {
    while (end - at <= 8 && isLetter(codes[end])) end += 1;
    const letters = String.fromCharCode(...codes.subarray(at + 1, end));
    const name = entityNamed(letters) === undefined ? (unendedName.exec(letters)?.[0] ?? '') : letters;
    value = entityNamed(name);
    end = at + 1 + name.length;
  }
  if (value === undefined) return undefined;
  return { kind: 'point', value: Math.min(value, 0x10ffff), end: codes[end] === 0x3b ? end + 1 : end };
}

function isLetter(code: number | undefined): boolean {
  const lower = (code ?? 0) | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Any number of zeros may come first; the last one is a digit like others. */
function afterZeros(codes: Uint16Array, from: number): number {
  let at = from;
  while (codes[at] === 0x30 && digitValue(codes[at + 1]) < 16) at += 1;
  return at;
}

/** How many digits follow, eight at most. */
function digitsAt(codes: Uint16Array, at: number, base: number): number {
  let length = 0;
  while (length < 8 && digitValue(codes[at + length]) < base) length += 1;
  return length;
}

/** @returns `undefined` if there are fewer digits */
function numberAt(codes: Uint16Array, at: number, digits: number, base: number): number | undefined {
  let value = 0;
  for (let index = at; index < at + digits; index += 1) {
    const digit = digitValue(codes[index]);
    if (digit >= base) return undefined;
    value = value * base + digit;
  }
  return digits === 0 ? undefined : value;
}

/** @returns the text without characters that are not displayed; `undefined` if it has none */
export function removeHidden(source: DecodedText): DecodedText | undefined {
  if (isPrintable(source.text)) return undefined;
  const builder = new DecodedBuilder(source, source.length);
  let from = 0;
  replaceHidden(source.text, (hidden, index) => {
    builder.copy(from, index);
    from = index + hidden.length;
    return '';
  });
  if (from === 0) return undefined;
  builder.copy(from, source.length);
  return builder.built();
}

/** The names that HTML has for ASCII characters that are no letters or digits. */
const entityNames = `amp & AMP & lt < LT < gt > GT > quot " QUOT " apos ' excl ! num # dollar $ percnt % lpar ( rpar ) ast * midast * plus +
  comma , period . hyphen - dash - sol / colon : semi ; equals = quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] Hat ^
  lowbar _ UnderBar _ grave \` lcub { lbrace { verbar | vert | rcub } rbrace }`;
/** They make no difference inside of a secret. */
const blankNames: readonly string[] = ['nbsp', 'ensp', 'emsp', 'thinsp', 'Tab', 'NewLine', 'shy', 'zwj', 'zwnj'];
const byName = memoize((): ReadonlyMap<string, number> => {
  const parts = entityNames.split(/\s+/);
  const pairs = parts.flatMap((name, index) =>
    index % 2 === 0 ? [[name, parts[index + 1]?.charCodeAt(0) ?? 0] as const] : [],
  );
  return new Map([...pairs, ...blankNames.map((name) => [name, 0x20] as const)]);
});

/** `&eacute;` and the like: the letter, as texts are compared without accents. */
const accented = /^([A-Za-z])(?:acute|grave|circ|uml|tilde|ring|cedil|slash|caron)$/;

/** @returns the code point that an entity of HTML stands for; `undefined` for one that is not known */
function entityNamed(name: string): number | undefined {
  return byName().get(name) ?? accented.exec(name)?.[1]?.charCodeAt(0);
}
