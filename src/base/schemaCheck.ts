import { isRecord, isString, isStringArray, type UnknownRecord } from './json.ts';

export interface SchemaProblem {
  /** Keys and indexes from the root to the invalid value. */
  readonly path: readonly string[];
  /** What is wrong there, without the path: "must be at least 1". */
  readonly message: string;
}

/** @returns `steps: must be at least 1`; without a path only the message */
export function describeProblem({ path, message }: SchemaProblem): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
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
