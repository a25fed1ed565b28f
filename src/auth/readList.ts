import { isString } from '../base/json.ts';

/**
 * Reads a list of texts, which some servers write as one text with spaces or commas.
 * @returns `undefined` for a value of another kind, and for an empty list, which says as little as none
 */
export function readList(value: unknown): string[] | undefined {
  const parts: unknown[] = isString(value) ? value.split(/[\s,]+/) : Array.isArray(value) ? value : [];
  const texts = parts.filter(isString).filter((text) => text !== '');
  return texts.length === 0 ? undefined : texts;
}
