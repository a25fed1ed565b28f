import { messageOf } from './errors.ts';
import { parseExactly, replaceOutsideStrings } from './exactIntegers.ts';

/**
 * Parses JSON in which numbers may be `NaN`, `Infinity` or `-Infinity`, as Python writes them: they become `null`, which is what
 * JSON has for them.
 * @throws {SyntaxError}
 */
export function parseLenientJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    const corrected = replaceOutsideStrings(text, /"|-?Infinity|NaN/g, () => 'null');
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
