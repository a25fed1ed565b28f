import { limits } from '../base/limits.ts';
import { truncateWithEllipsis } from '../base/truncate.ts';
import type { TextRange } from './configuredServer.ts';

/** From the most to the least severe. */
export type ProblemSeverity = 'error' | 'warning' | 'information';

/** Kinds of problems. Stable, for documentation and tests. */
export type ProblemCode =
  | 'badOption'
  | 'badType'
  | 'badUrl'
  | 'brokenJson'
  | 'conflictingKeys'
  | 'disabled'
  | 'duplicateInput'
  | 'duplicateKey'
  | 'duplicateLabel'
  | 'emptyLabel'
  | 'ignoredOption'
  | 'missingCommand'
  | 'missingIssuer'
  | 'missingUrl'
  | 'moreProblems'
  | 'optionsWithheld'
  | 'shadowed'
  | 'tooLarge'
  | 'undefinedInput'
  | 'unknownKey'
  | 'unknownType'
  | 'unknownVariable'
  | 'unreadable'
  | 'wrongSection';

/** A quick fix, which `editsForFix` converts to text edits. */
export type ConfigurationFix =
  | { readonly kind: 'replaceText'; readonly title: string; readonly range: TextRange; readonly text: string }
  /** `path` leads to the list of inputs. */
  | { readonly kind: 'addInput'; readonly title: string; readonly id: string; readonly path: PropertyPath }
  | { readonly kind: 'addProperty'; readonly title: string; readonly path: PropertyPath; readonly value: string };

/** @returns the fix that puts a string in place of a key or a value */
export function replaceFix(title: string, range: TextRange, text: string): ConfigurationFix {
  return { kind: 'replaceText', title, range, text: JSON.stringify(text) };
}

/** Keys and indexes from the root of the document. */
export type PropertyPath = readonly (string | number)[];

/** A problem for the author of a configuration. `message` is a full sentence. */
export interface ConfigurationProblem {
  readonly code: ProblemCode;
  readonly severity: ProblemSeverity;
  readonly message: string;
  /** The range in the file; `undefined` for settings, whose text is not available. */
  readonly range: TextRange | undefined;
  readonly fix?: ConfigurationFix;
}

export type ReportProblem = (
  code: ProblemCode,
  severity: ProblemSeverity,
  message: string,
  range: TextRange | undefined,
  fix?: ConfigurationFix,
) => void;

const maximumMessageLength = 500;

/** Collects problems up to a maximum. Truncates messages, which contain names of the file. */
export class ProblemList {
  readonly #problems: ConfigurationProblem[];
  #left = 0;

  /** @param known problems to start with */
  constructor(known: readonly ConfigurationProblem[] = []) {
    this.#problems = [...known];
  }

  readonly report: ReportProblem = (code, severity, text, range, fix) => {
    if (this.#problems.length >= limits.configuration.problems) {
      this.#left += 1;
      return;
    }
    const message = truncateWithEllipsis(text, maximumMessageLength);
    const title = truncateWithEllipsis(fix?.title ?? '', maximumMessageLength);
    this.#problems.push({ code, severity, message, range, ...(fix !== undefined && { fix: { ...fix, title } }) });
  };

  /** The collected problems, and one with the number of those omitted. */
  get problems(): readonly ConfigurationProblem[] {
    if (this.#left === 0) return this.#problems;
    const message = `There are ${this.#left} more problems. Correct the ones shown to see the next.`;
    const range = this.#problems.at(-1)?.range;
    return [...this.#problems, { code: 'moreProblems', severity: 'warning', message, range }];
  }
}

/** A place in a text, zero-based, in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** @returns a function that converts offsets in `text` to positions. Those beyond the end of the text are clipped. */
export function createLocator(text: string): (offset: number) => TextPosition {
  const lineStarts = [0];
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n|\r|\n/g)) lineStarts.push(index + lineEnd.length);
  return (offset) => {
    const bounded = Math.min(offset, text.length);
    const line = lastAtMost(lineStarts, bounded);
    return { line, character: bounded - (lineStarts[line] ?? 0) };
  };
}

/** @returns the index of the last number in `sorted` that is not greater than `value`, which is at least the first */
function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  return low;
}
