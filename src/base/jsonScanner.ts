import type { ByteStream } from './httpClient.ts';
import type { MessageLimits } from './limits.ts';

export type ExceededJsonLimit = 'members' | 'depth';

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The first bytes of a string are read one by one, the rest is skipped with a search: most strings are shorter. */
const shortStringBytes = 64;
/** A member name that did not occur before costs a parser about as much as this many additional members. */
const distinctNameWeight = 4;
/** Distinct names are counted from this many members on: smaller messages are cheap to parse in any case. */
const distinctNameThreshold = 10_000;
const nameSlots = 2 ** 20;
/**
 * Counts the members and the depth of JSON while its bytes arrive, before anything is parsed: twenty million empty objects
 * fit into 60 MB and take a parser ten seconds and 2 GB. Linear in the bytes for any chunk sizes; long strings are skipped
 * with a search. For bytes that are not JSON the counts have no meaning.
 *
 * A member is a `,`, `{` or `[` outside strings. In large messages, names that did not occur before count additionally.
 */
export class JsonScanner {
  readonly #limits: Pick<MessageLimits, 'members' | 'depth'>;
  readonly #keptDepth: number;
  #hasExceededKeptDepth = false;
  /** Random from the first name that is counted, so that a server cannot choose names whose hashes collide. */
  #hashFactor = 1;
  #members = 0;
  #depth = 0;
  #isInString = false;
  /** The previous chunk ended with a backslash that escapes the next byte. */
  #isEscaped = false;
  /** Of the last string: its length so far, and a hash of its first bytes. */
  #stringLength = 0;
  #stringHash = 0;
  #names: Uint32Array | undefined;

  constructor(limits: Pick<MessageLimits, 'members' | 'depth' | 'keptDepth'>) {
    this.#limits = limits;
    this.#keptDepth = Math.min(limits.keptDepth ?? limits.depth, limits.depth);
  }

  /** True after a message was nested deeper than `keptDepth`. Stays true: a server that does this once usually does it again. */
  get hasSeenDeep(): boolean {
    return this.#hasExceededKeptDepth;
  }

  /** A message of at most this many bytes is always within the limits and is not scanned. */
  get alwaysAcceptedBytes(): number {
    return Math.min(this.#keptDepth, this.#limits.members);
  }

  /** Reads the next bytes of a message. @returns the limit that is exceeded; call `reset()` then */
  scan(bytes: Uint8Array): ExceededJsonLimit | undefined {
    const { members: maximumMembers, depth: maximumDepth } = this.#limits;
    const { length } = bytes;
    const keptDepth = this.#keptDepth;
    let members = this.#members;
    let depth = this.#depth;
    for (let at = this.#isInString ? this.#passString(bytes, 0) : 0; at < length; at += 1) {
      switch (bytes[at] as number) {
        case quote:
          this.#beginString();
          at = this.#passString(bytes, at + 1) - 1;
          break;
        case colon:
          if (members >= distinctNameThreshold && this.#isNewName()) members += distinctNameWeight;
          break;
        case openBracket:
        case openBrace:
          depth += 1;
          if (depth > keptDepth) {
            if (depth > maximumDepth) return 'depth';
            this.#hasExceededKeptDepth = true;
          }
          members += 1;
          break;
        case comma:
          members += 1;
          if (members > maximumMembers) return 'members';
          break;
        case closeBracket:
        case closeBrace:
          if (depth > 0) depth -= 1;
          break;
      }
    }
    this.#members = members;
    this.#depth = depth;
    return members > maximumMembers ? 'members' : undefined;
  }

  /** Bytes that were read of the string in which the last bytes ended; 0 outside strings. */
  get openStringBytes(): number {
    return this.#isInString ? this.#stringLength : 0;
  }

  /** Like {@link scan}, but stops after the string in which the last bytes ended. @returns the number of bytes that were read */
  scanString(bytes: Uint8Array): number {
    return this.#isInString ? this.#passString(bytes, 0) : 0;
  }

  reset(): void {
    this.#members = 0;
    this.#depth = 0;
    this.#isInString = false;
    this.#isEscaped = false;
    this.#names = undefined;
  }

  /** Ends a line: strings of JSON do not continue on the next one. */
  endLine(): void {
    this.#isInString = false;
    this.#isEscaped = false;
  }

  #beginString(): void {
    this.#isInString = true;
    this.#stringLength = 0;
    this.#stringHash = 0;
  }

  /** Skips a string. @returns the index after its closing quote, or the end of the bytes */
  #passString(bytes: Uint8Array, start: number): number {
    const { length } = bytes;
    let at = start;
    while (at < length) {
      at = this.#passNear(bytes, at);
      if (!this.#isInString || at >= length) return Math.min(at, length);
      const found = bytes.indexOf(quote, at);
      const end = found === -1 ? length : found;
      const isEscaped = isEscapedAt(bytes, end, at);
      this.#stringLength += end - at + (isEscaped && found !== -1 ? 1 : 0);
      if (found === -1) {
        this.#isEscaped = isEscaped;
        return length;
      }
      at = found + 1;
      if (!isEscaped) {
        this.#isInString = false;
        return at;
      }
    }
    return length;
  }

  /** Reads the first bytes of a string one by one. @returns the index after the last byte read, which may be the quote */
  #passNear(bytes: Uint8Array, start: number): number {
    const { length } = bytes;
    const near = Math.min(length, start + shortStringBytes);
    let hash = this.#stringHash;
    const hashFactor = this.#hashFactor;
    let at = start;
    if (this.#isEscaped) hash = Math.imul(hash ^ (bytes[at++] as number), hashFactor);
    for (; at < near; at += 1) {
      const byte = bytes[at] as number;
      if (byte === quote) {
        this.#isInString = false;
        break;
      }
      hash = Math.imul(hash ^ byte, hashFactor);
      // The escaped byte is skipped too; at the end of the chunk it is the first byte of the next one.
      if (byte === backslash && ++at < length) hash = Math.imul(hash ^ (bytes[at] as number), hashFactor);
    }
    this.#isEscaped = at > length;
    this.#stringLength += Math.min(at, length) - start;
    this.#stringHash = hash;
    return this.#isInString ? at : at + 1;
  }

  /** @returns whether the last string, which is a member name, did not occur before */
  #isNewName(): boolean {
    // Such long names are rare: each counts as new.
    if (this.#stringLength > shortStringBytes) return true;
    this.#names ??= this.#createNames();
    const slot = (this.#stringHash ^ (this.#stringHash >>> 15)) & (nameSlots - 1);
    const word = slot >>> 5;
    const bit = 1 << (slot & 31);
    const seen = this.#names[word] as number;
    this.#names[word] = seen | bit;
    return (seen & bit) === 0;
  }

  #createNames(): Uint32Array {
    this.#hashFactor = (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) | 1;
    return new Uint32Array(nameSlots / 32);
  }
}

/** @param from an index that is not inside an escape sequence */
function isEscapedAt(bytes: Uint8Array, at: number, from: number): boolean {
  let first = at;
  while (first > from && bytes[first - 1] === backslash) first -= 1;
  return (at - first) % 2 === 1;
}

/**
 * Replaces objects and arrays nested deeper than `depth` levels with a text that says so, so that later code may use
 * recursion. Changes `value` in place. Not recursive itself.
 * @param value the result of `JSON.parse`
 */
export function truncateDepth(value: unknown, depth: number): void {
  let level: object[] = isContainer(value) ? [value] : [];
  for (let at = 1; at < depth && level.length > 0; at += 1)
    level = level.flatMap((each) => Object.values(each).filter(isContainer));
  const omitted = `… (left out: nested deeper than ${depth} levels)`;
  for (const container of level) {
    const members = container as Record<string, unknown>;
    for (const name of Object.keys(members)) if (isContainer(members[name])) members[name] = omitted;
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Reads a body up to the limits. @returns `excess`: the limit that it exceeds; the text then ends there */
export async function readScanned(
  body: ByteStream,
  limits: MessageLimits,
): Promise<{ readonly text: string; readonly excess: ExceededJsonLimit | 'bytes' | undefined }> {
  const decoder = new TextDecoder();
  const scanner = new JsonScanner(limits);
  let text = '';
  let bytes = 0;
  for (let chunk = await body.read(); chunk !== undefined; chunk = await body.read()) {
    bytes += chunk.byteLength;
    text += decoder.decode(chunk, { stream: true });
    const excess = bytes > limits.bytes ? 'bytes' : scanner.scan(chunk);
    if (excess === undefined) continue;
    body.cancel();
    return { text, excess };
  }
  return { text: text + decoder.decode(), excess: undefined };
}
