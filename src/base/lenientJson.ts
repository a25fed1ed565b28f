import { messageOf } from './errors.ts';

const quote = '"';

/**
 * Parses JSON in which numbers may be `NaN`, `Infinity` or `-Infinity`, as Python writes them: they become `null`, which is what
 * JSON has for them.
 * @throws {SyntaxError}
 */
export function parseLenientJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const corrected = withoutNonNumbers(text);
    if (corrected === undefined) throw new SyntaxError(messageOf(error), { cause: error });
    return JSON.parse(corrected);
  }
}

/** @returns `undefined` for a text that is no such JSON */
export function tryLenientJson(text: string): unknown {
  try {
    return parseLenientJson(text);
  } catch {
    // The caller decides what it means.
    return undefined;
  }
}

/** @returns `undefined` for a text without such numbers. Strings stay as they are. The time is linear in the text. */
function withoutNonNumbers(text: string): string | undefined {
  const next = /"|-?Infinity|NaN/g;
  const parts: string[] = [];
  let copied = 0;
  for (let match = next.exec(text); match !== null; match = next.exec(text)) {
    if (match[0] === quote) {
      next.lastIndex = endOfString(text, next.lastIndex);
      continue;
    }
    parts.push(text.slice(copied, match.index), 'null');
    copied = next.lastIndex;
  }
  return copied === 0 ? undefined : parts.join('') + text.slice(copied);
}

/** @returns the index after the closing quote */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf(quote, start); at !== -1; at = text.indexOf(quote, at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}
