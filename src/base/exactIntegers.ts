/**
 * Integers beyond 2^53, such as the ids of some databases. In an object or a list they are numbers, rounded as `JSON.parse` rounds
 * them; the digits are kept here, by the container and the key. What reads, copies, shows or sends a value asks for them here, and
 * what does not has the rounded number. Outside of a container, such an integer is a `bigint`.
 */
const digitsOf = new WeakMap<object, Map<string, string>>();

/** Most processes never see such an integer, and then no value is searched for one. */
let areThereAny = false;

/** Stands before digits, in a text of JSON that is read or written. Random, so that a server cannot write it. */
const mark = `${crypto.getRandomValues(new Uint32Array(4)).join('-')}:`;

/** Of longer texts, integers are rounded: to find their places takes longer than to parse. In characters. */
const maximumLength = 8_000_000;

/** Of a text with more numbers that may be so long, all are rounded: each takes longer than to parse it. */
const maximumIntegers = 20_000;

/** @returns false where none is too long for a number, or there are too many */
function isWorthwhile(text: string): boolean {
  if (text.length > maximumLength) return false;
  let count = 0;
  for (const _ of text.matchAll(/\d{16,}/g)) {
    count += 1;
    if (count > maximumIntegers) return false;
  }
  return count > 0;
}

/** Like `JSON.parse`, but keeps the digits of integers. @throws {SyntaxError} */
export function parseExactly(text: string): unknown {
  if (!isWorthwhile(text)) return JSON.parse(text);
  const marked = replaceOutsideStrings(text, /"|-?\d[\d.eE+-]*/g, (token, end) =>
    isRounded(token) && !isName(text, end) ? `"${mark}${token}"` : undefined,
  );
  const value = marked === undefined ? undefined : parseMarked(marked);
  if (typeof value !== 'object' || value === null) return JSON.parse(text);
  replaceMarked(value, mark, (digits, container, key) => {
    if (!isRounded(digits)) return mark + digits;
    keepDigits(container, key, digits);
    return Number(digits);
  });
  return value;
}

/** @returns `undefined` for what is no JSON: an error would show the mark */
function parseMarked(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True where a colon follows. An integer is no name; with the mark around it, it would be one. */
function isName(text: string, end: number): boolean {
  colon.lastIndex = end;
  return colon.test(text);
}

const colon = /\s*:/y;

/** Like `JSON.stringify`, with the digits of integers. @param indent spaces for each level; 0: one line */
export function stringifyExactly(value: unknown, indent = 0): string {
  if (typeof value === 'bigint') return String(value);
  if (!areThereAny) return JSON.stringify(value, undefined, indent);
  return withoutMarks(JSON.stringify(value, markInteger, indent));
}

/** A copy in which texts stand for such integers, for code that writes JSON by itself. {@link withoutMarks} makes them integers. */
export function withMarks<T>(value: T): T {
  return holdsDigits(value) ? (JSON.parse(JSON.stringify(value, markInteger)) as T) : value;
}

/** @param text JSON with what {@link withMarks} gave */
export function withoutMarks(text: string): string {
  return areThereAny && text?.includes(mark) ? text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1') : text;
}

/** A copy of what code gives, as JSON has it. A `bigint` is an integer there. @throws {TypeError} for what JSON cannot hold */
export function copyExactly(value: object): unknown {
  return parseExactly(withoutMarks(JSON.stringify(value, markInteger)));
}

function markInteger(this: object, key: string, member: unknown): unknown {
  if (typeof member === 'bigint') {
    areThereAny = true;
    return isRounded(String(member)) ? mark + member : Number(member);
  }
  const digits = typeof member === 'number' ? digitsAt(this, key) : undefined;
  return digits === undefined ? member : mark + digits;
}

/** @returns `undefined` for a member that is as it was written */
export function digitsAt(container: unknown, key: string | number): string | undefined {
  if (!areThereAny || typeof container !== 'object' || container === null) return undefined;
  const digits = digitsOf.get(container)?.get(String(key));
  // The container may have another value there since.
  return digits !== undefined && Number(digits) === container[key as never] ? digits : undefined;
}

/** The member of an object or list as it was written; never one that is inherited. @returns `undefined` where there is none */
export function exactMember(container: unknown, key: string | number): unknown {
  if (typeof container !== 'object' || container === null || !Object.hasOwn(container, key)) return undefined;
  const digits = digitsAt(container, key);
  return digits === undefined ? container[key as never] : BigInt(digits);
}

/** The members of an object: see {@link exactMember}. */
export function exactEntries(object: object): [string, unknown][] {
  return Object.keys(object).map((key) => [key, exactMember(object, key)]);
}

/** Adds members, as {@link exactMember} gives them, to an object or list. @returns the container */
export function withMembers<T extends object>(container: T, members: Iterable<readonly [string | number, unknown]>): T {
  for (const [key, member] of members) {
    // Defined, so that `__proto__` is a key like any other.
    const property = { value: rounded(member), writable: true, enumerable: true, configurable: true };
    Object.defineProperty(container, key, property);
    keepDigits(container, key, typeof member === 'bigint' ? String(member) : undefined);
  }
  return container;
}

/** For code that knows only numbers. */
export function rounded<T>(value: T | bigint): T | number {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** @param digits `undefined` for a member that is as it was written */
export function keepDigits(container: object, key: string | number, digits: string | undefined): void {
  const known = digitsOf.get(container);
  if (digits === undefined) known?.delete(String(key));
  else if (known === undefined) digitsOf.set(container, new Map([[String(key), digits]]));
  else known.set(String(key), digits);
  areThereAny ||= digits !== undefined;
}

/** For a copy that has what it shares with the container under the same keys. @returns the copy */
export function copyDigits<T extends object>(container: object, copy: T): T {
  const known = digitsOf.get(container);
  if (known !== undefined) digitsOf.set(copy, new Map(known));
  return copy;
}

/**
 * True for the text of an integer that a number cannot hold, or writes in another way. One of more than 300 digits counts as any
 * other number.
 */
export function isRounded(text: string): boolean {
  return /^-?[1-9]\d{15,299}$/.test(text) && String(Number(text)) !== text;
}

/** True for a value that holds such integers; not recursive. */
export function holdsDigits(value: unknown): boolean {
  if (!areThereAny) return false;
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (digitsOf.has(next)) return true;
    for (const member of Object.values(next)) open.push(member);
  }
  return false;
}

/**
 * Replaces tokens of JSON that are not in its strings. The time is linear in the text.
 * @param pattern global, and matches a quote too
 * @param replace gets the index after the token too; gives `undefined` for a token that stays
 * @returns `undefined` if nothing was replaced
 */
export function replaceOutsideStrings(
  text: string,
  pattern: RegExp,
  replace: (token: string, end: number) => string | undefined,
): string | undefined {
  const parts: string[] = [];
  let copied = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [token] = match;
    if (token === quote) {
      pattern.lastIndex = endOfString(text, pattern.lastIndex);
      continue;
    }
    const replacement = replace(token, pattern.lastIndex);
    if (replacement === undefined) continue;
    parts.push(text.slice(copied, match.index), replacement);
    copied = pattern.lastIndex;
  }
  return copied === 0 ? undefined : parts.join('') + text.slice(copied);
}

const quote = '"';

/** @returns the index after the closing quote */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf(quote, start); at !== -1; at = text.indexOf(quote, at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}

/**
 * Puts other values in the places of texts that start with a mark. Not recursive: the value may be nested deeply.
 * @param replace gets what follows the mark
 */
export function replaceMarked(
  value: unknown,
  before: string,
  replace: (rest: string, container: object, key: string) => unknown,
): void {
  const open = [value];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const members = container as Record<string, unknown>;
    for (const key of Object.keys(members)) {
      const member = members[key];
      if (typeof member === 'object' && member !== null) open.push(member);
      else if (typeof member === 'string' && member.startsWith(before))
        members[key] = replace(member.slice(before.length), members, key);
    }
  }
}
