import { copyDigits, parseExactly, stringifyExactly } from './exactIntegers.ts';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue | undefined };

/** A value that is in no object or list: see `exactIntegers`. */
export type ExactValue = JsonValue | bigint;

/** An object with string keys and unchecked values. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

export function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isString);
}

export function isStringRecord(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every(isString);
}

export function isOptional<T>(value: unknown, check: (value: unknown) => value is T): value is T | undefined {
  return value === undefined || check(value);
}

/**
 * Serializes a value for display. Parsed JSON may be nested more deeply than `JSON.stringify` supports: that gives a note.
 * @param maximumLength approximate maximum of characters; bounds the work too
 */
export function toJsonText(value: unknown, maximumLength = Infinity): string {
  try {
    return stringifyExactly(maximumLength === Infinity ? value : truncatedCopy(value, maximumLength)) ?? '';
  } catch {
    // Stack overflow: the value is nested too deeply.
    return '(nested too deep to be shown)';
  }
}

/** @returns the length of a value as JSON in characters, escapes not counted. Allocates nothing. */
export function jsonLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return String(value).length;
  let length = 1;
  if (Array.isArray(value)) for (const entry of value) length += jsonLength(entry) + 1;
  else for (const name in value) length += name.length + jsonLength((value as UnknownRecord)[name]) + 4;
  return Math.max(length, 2);
}

/** Copies as much of a value as fits in about `maximum` characters of JSON, with an ellipsis for omitted parts. */
function truncatedCopy(whole: unknown, maximum: number): unknown {
  let room = maximum;
  function cut(text: string): string {
    const kept = text.slice(0, Math.max(room, 0));
    room -= kept.length + 2;
    return kept.length < text.length ? `${kept}…` : kept;
  }
  function copy(value: unknown): unknown {
    if (typeof value === 'string') return cut(value);
    room -= 4;
    if (typeof value !== 'object' || value === null) return value;
    const copies: [string, unknown][] = [];
    for (const [name, member] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      if (room <= 0) {
        copies.push(['…', '…']);
        break;
      }
      copies.push([typeof name === 'string' ? cut(name) : '', copy(member)]);
    }
    return copyDigits(value, Array.isArray(value) ? copies.map(([, member]) => member) : Object.fromEntries(copies));
  }
  return copy(whole);
}

/** @returns what a text holds as JSON; `undefined` for one that is no JSON */
export function parseJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    // The caller decides what it means.
    return undefined;
  }
}
