import { exactMember } from './exactIntegers.ts';
import { isRecord, isString, isStringArray, type UnknownRecord } from './json.ts';
import { shownName } from './visibleText.ts';

export interface SchemaProblem {
  /** Keys and indexes from the root to the invalid value. */
  readonly path: readonly string[];
  /** What is wrong there, to follow the path: "must be at least 1". */
  readonly message: string;
  /** What is wrong is that there is no value at the path. */
  readonly isMissing?: true;
}

/**
 * The words for a problem, the same wherever it is shown: “stops › item 1 › days” must be at least 1.
 * @param root the value that the path leads into
 * @param whole what the root is called
 */
export function describeProblem({ path, message }: SchemaProblem, root: unknown, whole: string): string {
  const subject = path.length === 0 ? whole : `“${shownPath(typedPath(root, path))}”`;
  return `${subject} ${message}${/[.!?…]$/.test(message) ? '' : '.'}`;
}

/** The keys of a path, as a person reads them; items of a list, which are numbers in it, count from 1. */
export function shownPath(path: readonly (string | number)[]): string {
  return path.map((step) => (typeof step === 'number' ? `item ${step + 1}` : shownName(step))).join(' › ');
}

/** Problems have every step as a text: `1` is an index in a list and a key in an object. */
export function typedPath(root: unknown, path: readonly string[]): readonly (string | number)[] {
  let value = root;
  return path.map((step) => {
    const typed = Array.isArray(value) ? Number(step) : step;
    value = exactMember(value, typed);
    return typed;
  });
}

export type Validation =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly problems: readonly SchemaProblem[] }
  /** The value was not checked. `reason` says why, as the end of a sentence: "checking took longer than 1 s". */
  | { readonly kind: 'unsupported'; readonly reason: string };

/** A request to the checker process; there is only one at a time. */
export interface CheckJob {
  readonly id: number;
  /** Identifies the schema in this and later jobs. */
  readonly key: number;
  /** Present only in the first job with this key. */
  readonly schema?: UnknownRecord;
  readonly value: unknown;
  /** Stop at the first problem, since an earlier search for all of them took too long. */
  readonly firstOnly: boolean;
}

export type CheckerMessage =
  | { readonly type: 'ready' }
  /** A result that is not final has only the first problem; the final one follows if it is found in time. */
  | { readonly type: 'result'; readonly id: number; readonly validation: Validation; readonly isFinal: boolean };

/** @returns `undefined` for a message that is not valid */
export function readCheckerMessage(message: unknown): CheckerMessage | undefined {
  if (!isRecord(message)) return undefined;
  const { type, id, isFinal } = message;
  if (type === 'ready') return { type };
  const validation = readValidation(message['validation']);
  if (type !== 'result' || typeof id !== 'number' || typeof isFinal !== 'boolean' || validation === undefined)
    return undefined;
  return { type, id, validation, isFinal };
}

function readValidation(value: unknown): Validation | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, problems, reason } = value;
  if (kind === 'valid') return { kind };
  if (kind === 'unsupported' && isString(reason)) return { kind, reason };
  return kind === 'invalid' && Array.isArray(problems) && problems.every(isProblem) ? { kind, problems } : undefined;
}

function isProblem(value: unknown): value is SchemaProblem {
  return isRecord(value) && isStringArray(value['path']) && isString(value['message']);
}
