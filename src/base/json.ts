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
 * @param maximumLength about so many characters are written at most; the work is bounded by it too
 */
export function toJsonText(value: unknown, maximumLength = Infinity): string {
  try {
    return JSON.stringify(maximumLength === Infinity ? value : truncatedCopy(value, maximumLength)) ?? '';
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

/** As much of a value as about so many characters of JSON can hold, an ellipsis where something is missing. */
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
    if (Array.isArray(value)) return copyList(value);
    return isRecord(value) ? copyRecord(value) : value;
  }
  function copyList(list: readonly unknown[]): unknown[] {
    const copies: unknown[] = [];
    for (const entry of list) {
      if (room <= 0) return [...copies, '…'];
      copies.push(copy(entry));
    }
    return copies;
  }
  function copyRecord(record: UnknownRecord): UnknownRecord {
    const copies: [string, unknown][] = [];
    for (const name in record) {
      if (room <= 0) {
        copies.push(['…', '…']);
        break;
      }
      copies.push([cut(name), copy(record[name])]);
    }
    return Object.fromEntries(copies);
  }
  return copy(whole);
}
