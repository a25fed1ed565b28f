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

/** JSON to be shown to people. What came in as JSON can be nested deeper than can be written again. */
export function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // The stack is used up. Who sent such a thing did not mean it to be read.
    return '(nested too deep to be shown)';
  }
}
