import { isRecord } from '../base/json.ts';

/** What stands between the texts of content blocks. */
const asides: readonly string[] = ['type', 'annotations', '_meta', 'mimeType'];

/**
 * The texts of a JSON value in order, with line breaks between them, but for names of members and {@link asides}: a secret may
 * be split over neighbouring blocks.
 * @param text any text
 * @returns an empty text for one that is no JSON
 */
export function joinedTexts(text: string): string {
  const texts: string[] = [];
  const waiting: unknown[] = [parsed(text)];
  for (let value = waiting.pop(); waiting.length > 0 || value !== undefined; value = waiting.pop()) {
    if (typeof value === 'string') texts.push(value);
    else if (Array.isArray(value)) for (const item of value.toReversed() as readonly unknown[]) waiting.push(item);
    else if (isRecord(value)) {
      for (const [name, member] of Object.entries(value).toReversed()) if (!asides.includes(name)) waiting.push(member);
    }
  }
  return texts.join('\n');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Arguments that are being typed.
    return undefined;
  }
}
