import { isRecord, parseJson } from '../base/json.ts';
import { getOrMake } from '../base/memoize.ts';

/** What stands between the texts of content blocks. */
const asides: readonly string[] = ['type', 'annotations', '_meta', 'mimeType'];

interface NamedText {
  /** The name of its member; in a list of lists, its number. */
  readonly name: string;
  readonly text: string;
}

/**
 * The texts of a JSON value with line breaks between them, but for names of members and {@link asides}: a secret may be split over
 * neighbouring blocks.
 * @param json any text
 * @returns all of them in order, and those of members with the same name next to each other, as ids, addresses and pictures may be
 *   between; none for a value of one text, and for what is no JSON
 */
export function joinedTexts(json: string): readonly string[] {
  const texts = textsOf(parseJson(json));
  if (texts.length < 2) return [];
  const byName = groupedByName(texts, ({ name }) => name);
  return [...new Set([texts, byName].map((list) => list.map(({ text }) => text).join('\n')))];
}

/** @returns the same entries, those with the same name next to each other */
export function groupedByName<T>(entries: readonly T[], nameOf: (entry: T) => string): readonly T[] {
  const groups = new Map<string, T[]>();
  for (const entry of entries) getOrMake(groups, nameOf(entry), () => []).push(entry);
  return [...groups.values()].flat();
}

function textsOf(given: unknown): readonly NamedText[] {
  const texts: NamedText[] = [];
  const waiting: { name: string; value: unknown; isListed: boolean }[] = [{ name: '', value: given, isListed: false }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { name, value, isListed } = next;
    if (typeof value === 'string') texts.push({ name, text: value });
    else if (Array.isArray(value)) {
      for (const [index, item] of [...(value as readonly unknown[]).entries()].toReversed())
        waiting.push({ name: isListed ? `.${index}` : name, value: item, isListed: true });
    } else if (isRecord(value)) {
      for (const [member, inner] of Object.entries(value).toReversed())
        if (!asides.includes(member)) waiting.push({ name: member, value: inner, isListed: false });
    }
  }
  return texts;
}
