import { limits } from '../base/limits.ts';
import type { TextRange } from './configuredServer.ts';

export type ProblemSeverity = 'error' | 'warning' | 'information';

/** What is wrong with a configuration; stable, so that it can be looked up and tested. */
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

/** A repair that `editsForFix` turns into text edits. */
export type ConfigurationFix =
  | { readonly kind: 'replaceText'; readonly title: string; readonly range: TextRange; readonly text: string }
  | { readonly kind: 'addInput'; readonly title: string; readonly id: string }
  | { readonly kind: 'addProperty'; readonly title: string; readonly path: PropertyPath; readonly value: string };

/** Keys and indexes from the root of the document. */
export type PropertyPath = readonly (string | number)[];

/** Something to tell the author of a configuration. `message` is a full sentence. */
export interface ConfigurationProblem {
  readonly code: ProblemCode;
  readonly severity: ProblemSeverity;
  readonly message: string;
  /** Where in the file; `undefined` for settings, which have no text here. */
  readonly range: TextRange | undefined;
  readonly fix?: ConfigurationFix;
}

/** Takes problems as they are found. */
export type ReportProblem = (problem: ConfigurationProblem) => void;

/** Problems as they are found, the first so many. */
export interface ProblemList {
  readonly report: ReportProblem;
  /** With a word on how many were left out. */
  readonly problems: readonly ConfigurationProblem[];
}

const maximumMessageLength = 500;

/** Names in messages come from the file: each message is cut, and so is their number. */
export function createProblemList(known: readonly ConfigurationProblem[] = []): ProblemList {
  const maximum = limits.configuration.problems;
  const problems: ConfigurationProblem[] = [...known];
  let left = 0;
  return {
    report(problem) {
      if (problems.length >= maximum) left += 1;
      else problems.push({ ...problem, ...cutTexts(problem) });
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

function cutTexts({ message, fix }: ConfigurationProblem): Pick<ConfigurationProblem, 'message' | 'fix'> {
  return {
    message: truncateText(message),
    ...(fix !== undefined && { fix: { ...fix, title: truncateText(fix.title) } }),
  };
}

function truncateText(text: string): string {
  return text.length <= maximumMessageLength ? text : `${text.slice(0, maximumMessageLength)}…`;
}

/** Zero-based, in UTF-16 units, as editors count. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** Where a range starts and ends, by lines. */
export interface LineRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** Goes through `text` once, and then finds any number of ranges in it. Ranges that reach past the text end with it. */
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

/** The index of the last of `sorted` that is no greater than `value`; the first of them never is. */
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
