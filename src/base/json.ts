import { limits } from './limits.ts';
import { boundJson, printJson } from './shown.ts';

/** A value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue | undefined };

/** An object with string keys, nothing known of its values. */
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

/** True when `value` is absent or passes `check`. */
export function isOptional<T>(value: unknown, check: (value: unknown) => value is T): value is T | undefined {
  return value === undefined || check(value);
}

/**
 * JSON to be shown to people. What came in as JSON can be nested deeper than can be written again.
 * @param maximum about so many characters are written at most; the work is bounded by it too
 */
export function toJsonText(value: unknown, maximum = Infinity): string {
  try {
    if (maximum === Infinity || value === undefined) return JSON.stringify(value) ?? '';
    const bounds = { depth: limits.shown.json.depth, members: maximum, characters: maximum, text: maximum };
    return printJson(boundJson(value, bounds).json, 0);
  } catch {
    // The stack is used up. Who sent such a thing did not mean it to be read.
    return '(nested too deep to be shown)';
  }
}

/** Characters of a value as JSON, but for escapes. Takes no memory, whatever the size. */
export function jsonLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return String(value).length;
  let length = 1;
  if (Array.isArray(value)) for (const entry of value) length += jsonLength(entry) + 1;
  else for (const name in value) length += name.length + jsonLength((value as UnknownRecord)[name]) + 4;
  return Math.max(length, 2);
}
