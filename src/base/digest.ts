import { exactMember } from './exactIntegers.ts';
import { isRecord } from './json.ts';

/** @returns SHA-256 in hexadecimal, of a text as UTF-8 */
export async function sha256(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

type Work = { readonly value: unknown } | { readonly text: string };

/**
 * Serializes to JSON with sorted keys, so that equal values give equal texts. Not recursive: parsed JSON may be nested more
 * deeply than `JSON.stringify` supports.
 * @param maximum length of the text, in characters
 * @returns `undefined` when the text would be longer
 */
export function canonicalJson(value: unknown): string;
export function canonicalJson(value: unknown, maximum: number): string | undefined;
export function canonicalJson(value: unknown, maximum = Infinity): string | undefined {
  const pieces: string[] = [];
  const work: Work[] = [{ value }];
  let length = 0;
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const piece = 'text' in next ? next.text : openValue(next.value, work, maximum - length);
    length += piece.length;
    if (length > maximum) return undefined;
    pieces.push(piece);
  }
  return pieces.join('');
}

/** @returns the opening text of `value`, or all of a scalar; pushes the rest to `work`, so that the next part is on top */
function openValue(value: unknown, work: Work[], room: number): string {
  if (Array.isArray(value)) {
    work.push({ text: ']' });
    for (let index = value.length - 1; index >= 0; index -= 1) {
      work.push({ value: exactMember(value, index) });
      if (index > 0) work.push({ text: ',' });
    }
    return '[';
  }
  if (isRecord(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    keys.sort();
    work.push({ text: '}' });
    for (let index = keys.length - 1; index >= 0; index -= 1) {
      const key = keys[index] ?? '';
      work.push({ value: exactMember(value, key) }, { text: `${index > 0 ? ',' : ''}${JSON.stringify(key)}:` });
    }
    return '{';
  }
  // Escaping a string that is too long would waste memory: its length is checked first.
  if (typeof value === 'string' && value.length > room) return value;
  return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'null');
}
