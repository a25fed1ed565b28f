import { memoize } from '../base/memoize.ts';
import { DecodedBuilder, type DecodedText } from './decodedText.ts';

/** Bytes, and where each of them is in the source. */
interface ByteRun {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly startOf: (index: number) => number;
  readonly endOf: (index: number) => number;
}

/** Adds bytes as UTF-8, others as Latin-1. Without zeros, UTF-16 of ASCII and Latin-1 reads like UTF-8 in either order. */
function addBytesAsText(builder: DecodedBuilder, { bytes, startOf, endOf }: ByteRun, from: number, to: number): void {
  for (let at = from; at < to;) {
    const byte = bytes[at] ?? 0;
    const length = byte < 0x80 ? 1 : Math.max(1, sequenceLength(bytes, at));
    if (byte !== 0)
      builder.addPoint(length === 1 ? byte : pointAt(bytes, at, length), startOf(at), endOf(at + length - 1));
    at += length;
  }
}

/** Single bytes, each with its place in the source. */
export class PlacedBytes {
  #bytes: number[] = [];
  #starts: number[] = [];
  #ends: number[] = [];

  get length(): number {
    return this.#bytes.length;
  }

  add(value: number, start: number, end: number): void {
    this.#bytes.push(value);
    this.#starts.push(start);
    this.#ends.push(end);
  }

  /** Adds them as text, and forgets them. */
  flush(builder: DecodedBuilder): void {
    const [starts, ends, { length }] = [this.#starts, this.#ends, this.#bytes];
    if (length === 0) return;
    const startOf = (index: number): number => starts[index] ?? 0;
    const endOf = (index: number): number => ends[index] ?? 0;
    addBytesAsText(builder, { bytes: Uint8Array.from(this.#bytes), length, startOf, endOf }, 0, length);
    [this.#bytes, this.#starts, this.#ends] = [[], [], []];
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
  yield* decodeDigits(source, collectBase64(codes), 6, shortest);
  // Lines of a difference begin with these digits, and texts of code are joined by them.
  if (codes.some((_code, at) => isSign(codes, at)))
    yield* decodeDigits(source, collectBase64(codes, isSign), 6, shortest);
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

/**
 * Reads digits as bytes, in each of the ways to group them.
 * @param bits of a digit
 * @param shortest bytes of text that are kept
 */
function* decodeDigits(
  source: DecodedText,
  { values, places, length }: Digits,
  bits: 4 | 6,
  shortest: number,
): Generator<DecodedText> {
  if (length * bits < shortest * 8) return;
  const bytes = new Uint8Array(Math.ceil((length * bits) / 8));
  for (let offset = 0; offset < (bits === 4 ? 2 : 4); offset += 1) {
    let count = 0;
    let buffer = 0;
    let held = 0;
    for (let at = offset; at < length; at += 1) {
      buffer = ((buffer << bits) | (values[at] ?? 0)) & 0xfff;
      held += bits;
      if (held < 8) continue;
      held -= 8;
      bytes[count] = buffer >> held;
      count += 1;
    }
    const startOf = (index: number): number => places[offset + (((index * 8) / bits) | 0)] ?? 0;
    const endOf = (index: number): number => (places[offset + (((index * 8 + 7) / bits) | 0)] ?? 0) + 1;
    const decoded = keepText(source, { bytes, length: count, startOf, endOf }, shortest);
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

/** @returns the runs of text of some length, with a line break after each; `undefined` if there are none */
function keepText(source: DecodedText, run: ByteRun, shortest: number): DecodedText | undefined {
  const { bytes, length, startOf, endOf } = run;
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
    addBytesAsText(builder, run, from, end);
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

/** Reads runs of hexadecimal digits as bytes, also `0x68, 0x75`, `\x68\x75` and `68:75`, in both ways to pair them. */
export function decodeHex(source: DecodedText, shortest: number): Generator<DecodedText> {
  return decodeDigits(source, collectHex(source.codes, shortest * 2), 4, shortest);
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
        const bytes = Uint8Array.from(codes);
        addBytesAsText(builder, { bytes, length: codes.length, startOf, endOf }, 0, codes.length);
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
