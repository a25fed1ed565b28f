import { memoize } from '../base/memoize.ts';
import { DecodedBuilder, type DecodedText } from './decodedText.ts';

/** Which bytes are added, and where each of them is in the source. */
interface BytePlaces {
  readonly from: number;
  readonly to: number;
  readonly startOf: (index: number) => number;
  readonly endOf: (index: number) => number;
}

/**
 * Adds bytes as UTF-8, and those that are none as Latin-1. Zeros are left out: UTF-16 of ASCII and Latin-1 then reads like UTF-8,
 * in either order of bytes.
 */
export function addBytesAsText(builder: DecodedBuilder, bytes: Uint8Array, places: BytePlaces): void {
  const { to, startOf, endOf } = places;
  for (let at = places.from; at < to;) {
    const byte = bytes[at] ?? 0;
    const length = byte < 0x80 ? 1 : Math.max(1, sequenceLength(bytes, at));
    if (byte !== 0)
      builder.addPoint(length === 1 ? byte : pointAt(bytes, at, length), startOf(at), endOf(at + length - 1));
    at += length;
  }
}

/** The bytes of the sequence of UTF-8 that begins at `at`; 0 if none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  const length =
    byte >= 0xc2 && byte < 0xe0 ? 2 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
  for (let next = at + 1; next < at + length; next += 1) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

function pointAt(bytes: Uint8Array, at: number, length: number): number {
  let point = (bytes[at] ?? 0) & (0xff >> (length + 1));
  for (let next = at + 1; next < at + length; next += 1) point = (point << 6) | ((bytes[next] ?? 0) & 0x3f);
  return Math.min(point, 0x10ffff);
}

/** 1 for bytes of ordinary text, and for the zeros of UTF-16. */
const textBytes = memoize(() =>
  Uint8Array.from({ length: 256 }, (_, byte) =>
    Number((byte >= 0x20 && byte < 0x7f) || byte === 0 || byte === 9 || byte === 10 || byte === 13),
  ),
);

function isTextAt(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at] ?? 0;
  return byte >= 0x80 && (isContinued(bytes, at) || (byte >= 0xa0 && (bytes[at - 1] === 0 || bytes[at + 1] === 0)));
}

/** True for each byte of a sequence of UTF-8. */
function isContinued(bytes: Uint8Array, at: number): boolean {
  let lead = at;
  while (lead > at - 3 && ((bytes[lead] ?? 0) & 0xc0) === 0x80) lead -= 1;
  return lead + sequenceLength(bytes, lead) > at;
}

/** Characters that were kept of a text, and where they are. */
interface Digits {
  readonly values: Uint8Array;
  readonly places: Uint32Array;
  readonly length: number;
}

/** For each character of ASCII, its value as a digit; -1 for all others. */
function digitValues(digits: string): Int8Array {
  const values = new Int8Array(128).fill(-1);
  for (let value = 0; value < digits.length; value += 1) values[digits.charCodeAt(value)] = value;
  return values;
}

const base64Values = memoize(() => {
  const values = digitValues('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
  values['-'.charCodeAt(0)] = 62;
  values['_'.charCodeAt(0)] = 63;
  return values;
});

/**
 * Reads a whole text as base64, standard or for addresses, whatever stands between its characters, in each of the four ways to
 * group them. Only what decodes to text is kept.
 * @param shortest bytes of text that are kept
 */
export function* decodeBase64(source: DecodedText, shortest: number): Generator<DecodedText> {
  const { codes } = source;
  yield* decodeBase64Digits(source, collectBase64(codes), shortest);
  // Lines of a difference begin with these digits, and texts of code are joined by them.
  if (codes.some((_code, at) => isSign(codes, at)))
    yield* decodeBase64Digits(source, collectBase64(codes, isSign), shortest);
}

/** True for a plus or minus at the beginning of a line, and for a plus with no other digit next to it. */
function isSign(codes: Uint16Array, at: number): boolean {
  const code = codes[at];
  if (code !== 0x2b && code !== 0x2d) return false;
  const [before, isFollowed] = [codes[at - 1], isBase64(codes[at + 1])];
  if (before === undefined || before === 0x0a) return isFollowed || code === 0x2b;
  return code === 0x2b && !isFollowed && !isBase64(before);
}

function isBase64(code: number | undefined): boolean {
  return code !== undefined && code < 128 && base64Values()[code] !== -1;
}

function* decodeBase64Digits(source: DecodedText, digits: Digits, shortest: number): Generator<DecodedText> {
  if (digits.length * 3 < shortest * 4) return;
  const bytes = new Uint8Array(Math.ceil((digits.length * 3) / 4));
  for (let offset = 0; offset < 4; offset += 1) {
    const length = base64Bytes(digits, offset, bytes);
    const decoded = keepText(source, bytes, {
      length,
      shortest,
      startOf: (index) => digits.places[offset + (((index * 8) / 6) | 0)] ?? 0,
      endOf: (index) => (digits.places[offset + (((index * 8 + 7) / 6) | 0)] ?? 0) + 1,
    });
    if (decoded !== undefined) yield decoded;
  }
}

/** @param isLeftOut tells digits that are none */
function collectBase64(codes: Uint16Array, isLeftOut?: (codes: Uint16Array, at: number) => boolean): Digits {
  const valueOf = base64Values();
  const values = new Uint8Array(codes.length);
  const places = new Uint32Array(codes.length);
  let length = 0;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    const value = code < 128 ? (valueOf[code] ?? -1) : -1;
    if (value === -1 || (value === 62 && isLeftOut?.(codes, at) === true)) continue;
    values[length] = value;
    places[length] = at;
    length += 1;
  }
  return { values, places, length };
}

function base64Bytes({ values, length }: Digits, offset: number, bytes: Uint8Array): number {
  let count = 0;
  let at = offset;
  for (; at + 3 < length; at += 4, count += 3) {
    const group =
      ((values[at] ?? 0) << 18) | ((values[at + 1] ?? 0) << 12) | ((values[at + 2] ?? 0) << 6) | (values[at + 3] ?? 0);
    bytes[count] = group >> 16;
    bytes[count + 1] = (group >> 8) & 0xff;
    bytes[count + 2] = group & 0xff;
  }
  if (at + 1 < length) bytes[count++] = ((values[at] ?? 0) << 2) | ((values[at + 1] ?? 0) >> 4);
  if (at + 2 < length) bytes[count++] = (((values[at + 1] ?? 0) & 15) << 4) | ((values[at + 2] ?? 0) >> 2);
  return count;
}

/** Bytes, and where each of them is in the source. */
interface ByteRun {
  readonly length: number;
  readonly shortest: number;
  readonly startOf: (index: number) => number;
  readonly endOf: (index: number) => number;
}

/** @returns the runs of text of some length, with a line break after each; `undefined` if there are none */
function keepText(source: DecodedText, bytes: Uint8Array, run: ByteRun): DecodedText | undefined {
  const { length, shortest, startOf, endOf } = run;
  const isText = textBytes();
  let builder: DecodedBuilder | undefined;
  for (let from = 0; from + shortest <= length;) {
    // From the end of a run of the shortest length: most runs of what is no text are skipped with one look.
    let last = from + shortest - 1;
    while (last >= from && (isText[bytes[last] ?? 0] === 1 || isTextAt(bytes, last))) last -= 1;
    if (last >= from) {
      from = last + 1;
      continue;
    }
    let end = from + shortest;
    while (end < length && (isText[bytes[end] ?? 0] === 1 || isTextAt(bytes, end))) end += 1;
    builder ??= new DecodedBuilder(source, Math.ceil(length * (1 + 1 / shortest)) + 1);
    addBytesAsText(builder, bytes, { from, to: end, startOf, endOf });
    builder.add(0x0a, startOf(end - 1), endOf(end - 1));
    from = end + 1;
  }
  return builder?.built();
}

const alphanumerics = memoize(() => {
  const values = digitValues('0123456789abcdefghijklmnopqrstuvwxyz');
  for (let code = 0x41; code <= 0x5a; code += 1) values[code] = values[code | 0x20] ?? -1;
  return values;
});

/** What no digit has as its value: more than those of all bases. */
const noDigit = 99;

/** The value of a digit or letter, in any base up to 36; a large number for all others. */
export function digitValue(code: number | undefined): number {
  const value = code === undefined || code >= 128 ? -1 : (alphanumerics()[code] ?? -1);
  return value === -1 ? noDigit : value;
}

/**
 * Reads runs of hexadecimal digits as bytes, also `0x68, 0x75`, `\x68\x75` and `68:75`, in both ways to pair them.
 * @param shortest bytes of text that are kept
 */
export function* decodeHex(source: DecodedText, shortest: number): Generator<DecodedText> {
  const digits = collectHex(source.codes, shortest * 2);
  if (digits.length < shortest * 2) return;
  const { values, places, length } = digits;
  const bytes = new Uint8Array((length >> 1) + 1);
  for (let offset = 0; offset < 2; offset += 1) {
    const count = (length - offset) >> 1;
    for (let at = 0; at < count; at += 1)
      bytes[at] = ((values[offset + at * 2] ?? 0) << 4) | (values[offset + at * 2 + 1] ?? 0);
    const decoded = keepText(source, bytes, {
      length: count,
      shortest,
      startOf: (index) => places[offset + index * 2] ?? 0,
      endOf: (index) => (places[offset + index * 2 + 1] ?? 0) + 1,
    });
    if (decoded !== undefined) yield decoded;
  }
}

/** The digits of all runs that are long enough, with bytes that are no text between two runs. */
function collectHex(codes: Uint16Array, shortest: number): Digits {
  const valueOf = alphanumerics();
  const values = new Uint8Array(codes.length + 4);
  const places = new Uint32Array(codes.length + 4);
  let length = 0;
  let runStart = 0;
  const endRun = (at: number): void => {
    if (length - runStart < shortest) length = runStart;
    // 0x1f and 0xf1 are no text, in either way to pair digits.
    else
      for (const pad of [1, 15, 1])
        [values[length], places[length], length] = [pad, at, Math.min(length + 1, values.length - 1)];
    runStart = length;
  };
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    const value = code < 128 ? (valueOf[code] ?? -1) : noDigit;
    if (value >= 0 && value < 16) {
      values[length] = value;
      places[length] = at;
      length += 1;
    } else if (value !== -1 && length > runStart) {
      if (!isHexPrefix(codes, at)) endRun(at);
      else if (codes[at - 1] === 0x30 && places[length - 1] === at - 1) length -= 1;
    }
  }
  endRun(codes.length);
  return { values, places, length };
}

/** True for the `x` of `0x`, `\x` and `#x`. */
function isHexPrefix(codes: Uint16Array, at: number): boolean {
  if (((codes[at] ?? 0) | 0x20) !== 0x78) return false;
  const before = codes[at - 1];
  return before === 0x30 || before === 0x5c || before === 0x23;
}

/** Lists of at least six numbers, such as `[104, 117, …]`, or bytes in binary digits. */
const numberList = /(?:\d{2,8}[^0-9A-Za-z]{1,20}){5,}\d{2,8}/g;

/** Reads lists of numbers as bytes or characters: decimal, octal or binary. */
export function* decodeNumbers(source: DecodedText): Generator<DecodedText> {
  for (const match of source.text.matchAll(numberList)) {
    const numbers = [...match[0].matchAll(/\d+/g)];
    for (const base of [10, 8, 2]) {
      if (!numbers.every(([digits]) => isNumber(digits, base))) continue;
      const codes = numbers.map(([digits]) => Number.parseInt(digits, base));
      const startOf = (index: number): number => match.index + (numbers[index]?.index ?? 0);
      const endOf = (index: number): number => startOf(index) + (numbers[index]?.[0].length ?? 0);
      const builder = new DecodedBuilder(source, codes.length * 2);
      if (codes.every((code) => code < 256)) {
        addBytesAsText(builder, Uint8Array.from(codes), { from: 0, to: codes.length, startOf, endOf });
      } else
        for (const [index, code] of codes.entries())
          builder.addPoint(Math.min(code, 0x10ffff), startOf(index), endOf(index));
      yield builder.built();
    }
  }
}

function isNumber(digits: string, base: number): boolean {
  return base === 10 || (base === 8 ? /^[0-7]{2,4}$/ : /^[01]{7,8}$/).test(digits);
}
