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
  | 'missingCommand'
  | 'missingUrl'
  | 'shadowed'
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
