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

export type ReportProblem = (problem: ConfigurationProblem) => void;

/** Collects problems up to a maximum. */
export interface ProblemList {
  readonly report: ReportProblem;
  /** The collected problems, and one with the number of those omitted. */
  readonly problems: readonly ConfigurationProblem[];
}

const maximumMessageLength = 500;

/** @returns a list that truncates messages, which contain names of the file. @param known problems to start with */
export function createProblemList(known: readonly ConfigurationProblem[] = []): ProblemList {
  const maximum = limits.configuration.problems;
  const problems: ConfigurationProblem[] = [...known];
  let left = 0;
  return {
    report(problem) {
      if (problems.length >= maximum) left += 1;
      else problems.push({ ...problem, ...truncateTexts(problem) });
    },
    get problems() {
      if (left === 0) return problems;
      return [...problems, moreProblems(left, problems.at(-1)?.range)];
    },
  };
}

function moreProblems(count: number, range: TextRange | undefined): ConfigurationProblem {
  const message = `There are ${count} more problems. Correct the ones shown to see the next.`;
  return { code: 'moreProblems', severity: 'warning', message, range };
}

function truncateTexts({ message, fix }: ConfigurationProblem): Pick<ConfigurationProblem, 'message' | 'fix'> {
  return {
    message: truncateWithEllipsis(message, maximumMessageLength),
    ...(fix !== undefined && { fix: { ...fix, title: truncateWithEllipsis(fix.title, maximumMessageLength) } }),
  };
}

/** A position in a text, zero-based, in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** A range of a text as line and character positions. */
export interface LineRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** @returns a function that converts ranges of `text` to positions. Ranges beyond the end of the text are clipped. */
export function createRangeLocator(text: string): (range: TextRange) => LineRange {
  const lineStarts = [0];
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n|\r|\n/g)) lineStarts.push(index + lineEnd.length);
  const positionAt = (offset: number): TextPosition => {
    const bounded = Math.min(offset, text.length);
    const line = lastAtMost(lineStarts, bounded);
    return { line, character: bounded - (lineStarts[line] ?? 0) };
  };
  return ({ offset, length }) => ({ start: positionAt(offset), end: positionAt(offset + length) });
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
