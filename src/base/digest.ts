import { isRecord } from './json.ts';

/** @returns SHA-256 of the text as UTF-8, in hexadecimal */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A value still to be written, or a piece of text. */
type Work = { readonly value: unknown } | { readonly text: string };

/**
 * JSON with the keys of every object in order, so that equal values give equal texts. Works without recursion: what came
 * in as JSON may be nested deeper than `JSON.stringify` can write.
 * @param maximum characters of the text, at most
 * @returns `undefined` for a longer text
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

/** @returns what opens `value`, or all of it; the rest is put on `work`, the first to come on top */
function openValue(value: unknown, work: Work[], room: number): string {
  if (Array.isArray(value)) {
    work.push({ text: ']' });
    for (let index = value.length - 1; index >= 0; index -= 1) {
      work.push({ value: value[index] as unknown });
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
      work.push({ value: value[key] }, { text: `${index > 0 ? ',' : ''}${JSON.stringify(key)}:` });
    }
    return '{';
  }
  // A long string is measured before it is escaped.
  if (typeof value === 'string' && value.length > room) return value;
  return JSON.stringify(value) ?? 'null';
}
