import { replaceMarked } from '../../base/exactIntegers.ts';
import { JsonScanner, truncateDepth } from '../../base/jsonScanner.ts';
import { parseLenientJson } from '../../base/lenientJson.ts';
import type { MessageLimits } from '../../base/limits.ts';
import type { MessageExcess } from '../messageLimits.ts';
import { decodeUtf8, noBytes } from './byteBuffer.ts';

/** A string of this many bytes is decoded by itself, and bytes are read in pieces of this size to find such strings. */
const longStringBytes = 1024;
/** Of a message that is not longer, all is decoded at once. */
const shortMessageBytes = 64 * 1024;
/** Bytes that are decoded at once: they stay in the processor's cache. */
const blockBytes = 256 * 1024;
/** Bytes before a string that are kept with it: the quote, and space after the colon. */
const leadBytes = 64;
/** Bytes of an escape sequence such as `\u00e4`. */
const longestEscape = 6;

const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;
const byteOrderMark = '\uFEFF';

/**
 * Reads one JSON text from its bytes while they arrive, within limits. Each long string is decoded by itself, a block at a time,
 * and replaced by a mark in the text that is parsed at the end. So neither the bytes nor the text of a message
 * that is long because of such strings are ever in memory as a whole, and the value refers to none of them.
 */
export class JsonReader {
  readonly #limits: MessageLimits;
  readonly #scan: JsonScanner;
  #bytes = 0;
  /** Bytes that are not decoded. Of a long string, they start with its quote. */
  #block: Uint8Array = noBytes;
  #length = 0;
  #text = '';
  readonly #strings: string[] = [];
  #isInLongString = false;
  #mark: string | undefined;

  constructor(limits: MessageLimits) {
    this.#limits = limits;
    this.#scan = new JsonScanner(limits);
  }

  /** The caller must not reuse the memory. @throws {SyntaxError} for invalid JSON in a long string */
  write(bytes: Uint8Array): MessageExcess | undefined {
    this.#bytes += bytes.length;
    if (this.#bytes > this.#limits.bytes) return 'bytes';
    if (this.#bytes <= shortMessageBytes) return this.#readText(bytes);
    for (let at = 0; at < bytes.length;) {
      if (this.#isInLongString) {
        at += this.#readString(bytes.subarray(at, at + shortMessageBytes));
        continue;
      }
      const excess = this.#readText(bytes.subarray(at, at + longStringBytes));
      if (excess !== undefined) return excess;
      at += longStringBytes;
      if (this.#scan.openStringBytes >= longStringBytes) this.#beginString();
    }
    return undefined;
  }

  /** @returns the value; `undefined` when there was no text. @throws {SyntaxError} for invalid JSON */
  end(): unknown {
    this.#decodeText(this.#length);
    const text = this.#text.startsWith(byteOrderMark) ? this.#text.slice(1) : this.#text;
    this.#text = '';
    if (text === '') return undefined;
    const value = parseLenientJson(text);
    if (this.#mark !== undefined) replaceMarked(value, this.#mark, (index) => this.#strings[Number(index)]);
    if (this.#scan.hasSeenDeep) truncateDepth(value, this.#limits.keptDepth ?? this.#limits.depth);
    return value;
  }

  #readText(bytes: Uint8Array): MessageExcess | undefined {
    const excess = this.#scan.scan(bytes);
    if (excess === undefined) this.#append(bytes);
    return excess;
  }

  /** @returns the number of bytes that belong to the long string */
  #readString(bytes: Uint8Array): number {
    const end = this.#scan.scanString(bytes);
    this.#append(bytes.subarray(0, end));
    if (this.#scan.openStringBytes > 0) return end;
    // Its closing quote is the last byte.
    this.#decodeString(this.#length - 1);
    this.#length = 0;
    this.#isInLongString = false;
    return end;
  }

  /** Decodes a string by itself from here on, if it is the value of a member: a mark cannot replace a name. */
  #beginString(): void {
    const start = this.#length - this.#scan.openStringBytes - 1;
    if (start < 0 || !isAfterColon(this.#block, start)) return;
    this.#mark ??= randomMark();
    this.#decodeText(start);
    this.#text += `"${this.#mark}${this.#strings.length}"`;
    this.#strings.push('');
    this.#isInLongString = true;
  }

  #append(bytes: Uint8Array): void {
    if (this.#block.length === 0) {
      this.#block = bytes;
      this.#length = bytes.length;
      return;
    }
    if (this.#length + bytes.length > blockBytes) {
      if (this.#isInLongString) this.#decodeString(stringCut(this.#block, this.#length));
      else this.#decodeText(characterStart(this.#block, this.#length - longStringBytes - leadBytes));
    }
    this.#reserve(this.#length + bytes.length);
    this.#block.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #reserve(length: number): void {
    if (length <= this.#block.length) return;
    const block = new Uint8Array(Math.max(length, Math.min(4 * this.#block.length, blockBytes)));
    block.set(this.#block.subarray(0, this.#length));
    this.#block = block;
  }

  /** Moves the first `count` bytes of the block to the text. */
  #decodeText(count: number): void {
    if (count <= 0) return;
    this.#text += decodeUtf8(this.#block.subarray(0, count));
    this.#block.copyWithin(0, count, this.#length);
    this.#length -= count;
  }

  /** Moves the first `count` bytes of the block, but their quote, to the long string. */
  #decodeString(count: number): void {
    const next = this.#block[count] as number;
    this.#block[count] = quote;
    const piece = JSON.parse(decodeUtf8(this.#block.subarray(0, count + 1))) as string;
    this.#block[count] = next;
    this.#strings[this.#strings.length - 1] += piece;
    this.#block.copyWithin(1, count, this.#length);
    this.#length -= count - 1;
  }
}

/** Looks back over a few spaces only: it is asked again with each chunk. */
function isAfterColon(bytes: Uint8Array, at: number): boolean {
  const first = Math.max(0, at - leadBytes);
  let before = at - 1;
  while (before >= first && isSpace(bytes[before])) before -= 1;
  return bytes[before] === colon;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** @returns the last index up to `at` that is not inside a character of UTF-8 */
function characterStart(bytes: Uint8Array, at: number): number {
  // A character has at most three continuation bytes: more of them are not valid, and each is decoded by itself.
  for (let start = at; start > at - 4; start -= 1) if (!isContinuation(bytes[start])) return start;
  return at;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** @returns an index near the end that is neither inside a character nor inside an escape sequence */
function stringCut(bytes: Uint8Array, length: number): number {
  const cut = characterStart(bytes, length - 1);
  let last = cut - 1;
  while (last > cut - longestEscape && bytes[last] !== backslash) last -= 1;
  if (bytes[last] !== backslash) return cut;
  let first = last;
  while (bytes[first - 1] === backslash) first -= 1;
  // The second of two backslashes is a character.
  return (last - first) % 2 === 0 ? last : cut;
}

/** Random, so that a server cannot write it. */
function randomMark(): string {
  return `${crypto.getRandomValues(new Uint32Array(4)).join('-')}:`;
}
