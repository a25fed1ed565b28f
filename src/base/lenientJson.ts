import { messageOf } from './errors.ts';
import { parseExactly, replaceOutsideStrings } from './exactIntegers.ts';

/** Longer texts are not corrected: a message with millions of such numbers would hold up all servers. In characters. */
const maximumCorrected = 1_000_000;

/** In the place of a value: after a bracket, colon or comma. */
const lenientNumber = /"|[[:,]\s*(?:-?Infinity|NaN)/g;

/**
 * Parses JSON in which numbers may be `NaN`, `Infinity` or `-Infinity`, as Python writes them: they become `null`, which is what
 * JSON has for them.
 * @throws {SyntaxError}
 */
export function parseLenientJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    const corrected =
      text.length > maximumCorrected
        ? undefined
        : replaceOutsideStrings(text, lenientNumber, (token) => token.replace(/-?[A-Z]\w+$/, 'null'));
    if (corrected === undefined) throw new SyntaxError(messageOf(error), { cause: error });
    return parseExactly(corrected);
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
