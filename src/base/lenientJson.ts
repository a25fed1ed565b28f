import { messageOf } from './errors.ts';
import { parseExactly, replaceOutsideStrings } from './exactIntegers.ts';

/** A message with millions of such numbers would hold up all servers. */
const maximumNumbers = 200_000;
/** Longer texts are not corrected: to search them takes too long. In characters. */
const maximumCorrected = 8_000_000;

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
    const corrected = text.length > maximumCorrected ? undefined : correct(text);
    if (corrected === undefined) throw new SyntaxError(messageOf(error), { cause: error });
    return parseExactly(corrected);
  }
}

/** @returns `undefined` for a text without such numbers @throws {SyntaxError} for one with too many */
function correct(text: string): string | undefined {
  let left = maximumNumbers;
  return replaceOutsideStrings(text, lenientNumber, (token) => {
    left -= 1;
    if (left < 0) throw new SyntaxError('It has too many numbers that JSON does not have.');
    return token.replace(/-?[A-Z]\w+$/, 'null');
  });
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
