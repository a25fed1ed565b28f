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

const messageLength = 500;

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
    message: cut(message),
    ...(fix !== undefined && { fix: { ...fix, title: cut(fix.title) } }),
  };
}

function cut(text: string): string {
  return text.length <= messageLength ? text : `${text.slice(0, messageLength)}…`;
}
