import type { MessageLimits } from './limits.ts';

/** Which limit the structure of a JSON text is beyond. */
export type ExceededJsonLimit = 'members' | 'depth';

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Bytes of a string that are looked at one by one before its end is searched for: most strings are shorter. */
const shortStringBytes = 64;
/** A name that did not occur before takes a parser about as long as this many further members. */
const distinctNameWeight = 4;
/** Names are told apart from this many members on: smaller messages are parsed in no time whatever their names. */
const distinctNameThreshold = 10_000;
const nameSlots = 2 ** 20;
/**
 * Counts the members and the depth of JSON while its bytes come in, before anything is parsed: twenty million empty objects
 * fit into 60 MB and take a parser ten seconds and 2 GB. Linear in the bytes, whatever the chunks; long strings are passed
 * over at the speed of a search. What it counts of bytes that are no JSON means nothing.
 *
 * A member is a `,`, `{` or `[` outside strings. Names of members that did not occur before count more than once in large
 * messages.
 */
export class JsonScanner {
  readonly #limits: Pick<MessageLimits, 'members' | 'depth'>;
  readonly #keptDepth: number;
  #hasExceededKeptDepth = false;
  /** Not to be guessed, so that no one can choose names that are taken for the same. */
  readonly #hashFactor = (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) | 1;
  #members = 0;
  #depth = 0;
  #isInString = false;
  /** The bytes before ended with a backslash that holds for the next one. */
  #isEscaped = false;
  /** Of the last string: its bytes so far, and a hash of them while they are few. */
  #stringLength = 0;
  #stringHash = 0;
  #names: Uint32Array | undefined;

  constructor(limits: Pick<MessageLimits, 'members' | 'depth' | 'keptDepth'>) {
    this.#limits = limits;
    this.#keptDepth = Math.min(limits.keptDepth ?? limits.depth, limits.depth);
  }

  /** True once a message went deeper than is kept; it stays so for those after it, as servers that do it once do it again. */
  get hasSeenDeep(): boolean {
    return this.#hasExceededKeptDepth;
  }

  /** A message of so few bytes is within the limits whatever it holds, and need not be scanned. */
  get alwaysAcceptedBytes(): number {
    return Math.min(this.#keptDepth, this.#limits.members);
  }

  /** Takes the next bytes of a message. @returns the limit they go beyond; `reset()` comes next then */
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

  /** What comes next is another message. */
  reset(): void {
    this.#members = 0;
    this.#depth = 0;
    this.#isInString = false;
    this.#isEscaped = false;
    this.#names = undefined;
  }

  /** The line is over, and no string of JSON goes on in the next. */
  endLine(): void {
    this.#isInString = false;
    this.#isEscaped = false;
  }

  #beginString(): void {
    this.#isInString = true;
    this.#stringLength = 0;
    this.#stringHash = 0;
  }

  /** @returns where the string that `start` lies in is over, or the end of the bytes */
  #passString(bytes: Uint8Array, start: number): number {
    const { length } = bytes;
    let at = start;
    while (at < length) {
      at = this.#passNear(bytes, at);
      if (!this.#isInString || at >= length) return Math.min(at, length);
      const found = bytes.indexOf(quote, at);
      const end = found === -1 ? length : found;
      const isEscaped = isEscapedAt(bytes, end, at);
      this.#stringLength += end - at;
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

  /** Looks at the next few bytes of a string, one by one. @returns where the look ended; behind the quote, if there was one */
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
      // What it escapes is passed over with it; at the end of the bytes that is the first of the next.
      if (byte === backslash && ++at < length) hash = Math.imul(hash ^ (bytes[at] as number), hashFactor);
    }
    this.#isEscaped = at > length;
    this.#stringLength += Math.min(at, length) - start;
    this.#stringHash = hash;
    return this.#isInString ? at : at + 1;
  }

  /** The last string was the name of a member: says whether it is the first of that name. */
  #isNewName(): boolean {
    // Not worth reading to its end: few names are as long.
    if (this.#stringLength > shortStringBytes) return true;
    this.#names ??= new Uint32Array(nameSlots / 32);
    const slot = (this.#stringHash ^ (this.#stringHash >>> 15)) & (nameSlots - 1);
    const word = slot >>> 5;
    const bit = 1 << (slot & 31);
    const seen = this.#names[word] as number;
    this.#names[word] = seen | bit;
    return (seen & bit) === 0;
  }
}

/** @param from where no escape is open */
function isEscapedAt(bytes: Uint8Array, at: number, from: number): boolean {
  let first = at;
  while (first > from && bytes[first - 1] === backslash) first -= 1;
  return (at - first) % 2 === 1;
}

/** Stands for what was left out of a message. */
function omittedText(depth: number): string {
  return `… (left out: nested deeper than ${depth} levels)`;
}

/**
 * Replaces objects and lists that lie deeper than `depth` levels by a text that says so, in the value itself: what walks it
 * later may do so by recursion. Works without recursion, whatever the depth.
 * @param value fresh from `JSON.parse`
 */
export function truncateDepth(value: unknown, depth: number): void {
  let level: object[] = isContainer(value) ? [value] : [];
  for (let at = 1; at < depth && level.length > 0; at += 1) level = level.flatMap(containersIn);
  for (const container of level) {
    const members = container as Record<string, unknown>;
    for (const name of Object.keys(members)) if (isContainer(members[name])) members[name] = omittedText(depth);
  }
}

function containersIn(container: object): object[] {
  return Object.values(container).filter(isContainer);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
