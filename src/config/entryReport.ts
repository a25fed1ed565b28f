import { type PropertyPath, replaceFix, type ReportProblem } from './configurationProblem.ts';
import type { TextRange } from './configuredServer.ts';
import type { JsonProperty } from './jsonDocument.ts';

/** Reports problems of one server entry with uniform messages. */
export class EntryReport {
  /** The range of the entry's key, for problems about missing members. */
  readonly keyRange: TextRange;
  /** The path from the root of the document to the entry. */
  readonly path: PropertyPath;
  readonly add: ReportProblem;

  /** @param entry its key is the label */
  constructor({ key: label, keyRange }: JsonProperty, path: PropertyPath, report: ReportProblem) {
    this.keyRange = keyRange;
    this.path = path;
    this.add = (code, severity, message, range, fix) =>
      report(code, severity, `Server "${label}": ${message}`, range, fix);
  }

  /** Reports a value of the wrong type, which is ignored. */
  badType({ key, value }: JsonProperty, expected: string): void {
    this.add('badType', 'error', `"${key}" must be ${expected}.`, value.range);
  }

  /** Reports an option that only the user can set, not a workspace. */
  ignoredOption({ keyRange }: JsonProperty, name: string): void {
    const reason = 'whoever opens the folder decides that, in "patchbay.serverOptions" of their user settings';
    this.add('ignoredOption', 'warning', `the option "${name}" is not used here: ${reason}.`, keyRange);
  }

  /** Reports an unknown key, and suggests a similar one of `known`. */
  unknownKey({ key, keyRange: range }: JsonProperty, known: readonly string[], synonyms: Record<string, string> = {}) {
    const suggestion = Object.hasOwn(synonyms, key) ? synonyms[key] : closestMatch(key, known);
    const message = `the key "${key}" is not known and is not used.`;
    if (suggestion === undefined) {
      this.add('unknownKey', 'warning', message, range);
      return;
    }
    const fix = replaceFix(`Rename to "${suggestion}"`, range, suggestion);
    this.add('unknownKey', 'warning', `${message} Did you mean "${suggestion}"?`, range, fix);
  }
}

/**
 * Finds the candidate most similar to `word`, ignoring case.
 * @returns `undefined` if none is within one edit for each three letters
 */
export function closestMatch(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Damerau–Levenshtein distance: swapping two adjacent letters is one edit. */
function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
