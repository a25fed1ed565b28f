import { lastWhere } from '../base/lastWhere.ts';
import { limits } from '../base/limits.ts';
import { truncateWithEllipsis } from '../base/truncate.ts';
import type { TextRange } from './configuredServer.ts';

/** From the most to the least severe. */
export type ProblemSeverity = 'error' | 'warning' | 'information';

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
  | 'outsideContainer'
  | 'shadowed'
  | 'tooLarge'
  | 'undefinedInput'
  | 'unknownKey'
  | 'unknownType'
  | 'unknownVariable'
  | 'unreadable'
  | 'unusedKey'
  | 'wrongSection';

export type ConfigurationFix =
  | { readonly kind: 'replaceText'; readonly title: string; readonly range: TextRange; readonly text: string }
  /** Makes an object of a list of names with their values. */
  | { readonly kind: 'listToObject'; readonly title: string; readonly range: TextRange }
  /** `path` leads to the list of inputs. */
  | { readonly kind: 'addInput'; readonly title: string; readonly id: string; readonly path: PropertyPath }
  | { readonly kind: 'addProperty'; readonly title: string; readonly path: PropertyPath; readonly value: string }
  /** Moves the arguments in the "command" of the entry at `path` before those in its "args". */
  | { readonly kind: 'splitCommand'; readonly title: string; readonly path: PropertyPath }
  /** Replaces the object at `path` by its members. */
  | { readonly kind: 'moveOut'; readonly title: string; readonly path: PropertyPath }
  /** Moves the member at `path` into the object at `into`, which may not exist yet. */
  | { readonly kind: 'moveInto'; readonly title: string; readonly path: PropertyPath; readonly into: PropertyPath };

export function replaceFix(title: string, range: TextRange, text: string): ConfigurationFix {
  return { kind: 'replaceText', title, range, text: JSON.stringify(text) };
}

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
) => undefined;

const maximumMessageLength = 500;

/** Collects problems up to a maximum. Truncates messages, which contain names of the file. */
export class ProblemList {
  readonly #problems: ConfigurationProblem[];
  #left = 0;

  constructor(known: readonly ConfigurationProblem[] = []) {
    this.#problems = [...known];
  }

  readonly report: ReportProblem = (code, severity, text, range, fix) => {
    if (this.#problems.length >= limits.configuration.problems) {
      this.#left += 1;
      return undefined;
    }
    const message = truncateWithEllipsis(text, maximumMessageLength);
    const title = truncateWithEllipsis(fix?.title ?? '', maximumMessageLength);
    this.#problems.push({ code, severity, message, range, ...(fix !== undefined && { fix: { ...fix, title } }) });
    return undefined;
  };

  /** With one more about the number of those omitted. */
  get problems(): readonly ConfigurationProblem[] {
    if (this.#left === 0) return this.#problems;
    const message = `There are ${this.#left} more problems. Correct the ones shown to see the next.`;
    const range = this.#problems.at(-1)?.range;
    return [...this.#problems, { code: 'moreProblems', severity: 'warning', message, range }];
  }
}

/** What a report takes of a member: see `JsonProperty`. */
interface NamedMember {
  readonly key: string;
  readonly keyRange: TextRange;
  readonly value: { readonly range: TextRange };
}

/** Reports problems of one server entry with uniform messages. */
export class EntryReport {
  /** The entry's key, for problems about missing members. */
  readonly keyRange: TextRange;
  readonly path: PropertyPath;
  readonly add: ReportProblem;

  constructor({ key: label, keyRange }: NamedMember, path: PropertyPath, report: ReportProblem) {
    this.keyRange = keyRange;
    this.path = path;
    this.add = (code, severity, message, range, fix) =>
      report(code, severity, `Server "${label}": ${message}`, range, fix);
  }

  badType({ key, value }: NamedMember, expected: string): undefined {
    return this.add('badType', 'error', `"${key}" must be ${expected}.`, value.range);
  }

  /** Reports an option that only the user can set, not a workspace. */
  ignoredOption({ keyRange }: NamedMember, name: string): void {
    const reason = 'only your user settings ("patchbay.serverOptions") can set it';
    this.add('ignoredOption', 'warning', `the option "${name}" is not used here: ${reason}.`, keyRange);
  }

  /** @param free the keys that may be meant: what is beside it already is not meant again */
  unknownKey({ key, keyRange: range }: NamedMember, free: readonly string[]): void {
    const suggestion = closestMatch(key, free);
    const message = `the key "${key}" is not known and is ignored.`;
    if (suggestion === undefined) return this.add('unknownKey', 'warning', message, range);
    const fix = replaceFix(`Rename to "${suggestion}"`, range, suggestion);
    return this.add('unknownKey', 'warning', `${message} Did you mean "${suggestion}"?`, range, fix);
  }

  /** Reports a key that is read though its name is that of another format. @param isFree its name here is not there, not even blank */
  otherName({ key, keyRange: range }: NamedMember, name: string, isFree: boolean): void {
    const message = `"${key}" is called "${name}" here. Patchbay reads it anyway.`;
    this.add(
      'unknownKey',
      'warning',
      message,
      range,
      isFree ? replaceFix(`Rename to "${name}"`, range, name) : undefined,
    );
  }
}

/**
 * Finds the candidate most similar to `word`, ignoring case.
 * @returns `undefined` if none is within one edit for each three letters
 */
function closestMatch(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  const near = candidates
    .filter(({ length }) => Math.abs(length - word.length) <= limit)
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit);
  return near.toSorted((left, right) => left.distance - right.distance)[0]?.candidate;
}

/** Damerau–Levenshtein distance: swapping two adjacent letters is one edit. */
function editDistance(left: string, right: string): number {
  const table = [Array.from({ length: right.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number): number => table[row]?.[column] ?? Infinity;
  for (let row = 1; row <= left.length; row += 1) {
    table.push([row]);
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const edits = [at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (isSame ? 0 : 1)];
      table[row]?.push(Math.min(...edits, isSwap ? at(row - 2, column - 2) + 1 : Infinity));
    }
  }
  return at(left.length, right.length);
}

/**
 * @returns a function that converts offsets in `text` to positions: zero-based, in UTF-16 units. Those beyond the end of the
 *   text are clipped.
 */
export function createLocator(text: string) {
  const lineStarts = [0];
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n|\r|\n/g)) lineStarts.push(index + lineEnd.length);
  return (offset: number) => {
    const bounded = Math.min(offset, text.length);
    const line = lastWhere(lineStarts, (start) => start <= bounded);
    return { line, character: bounded - (lineStarts[line] ?? 0) };
  };
}
