import { isRecord, isString, isStringArray, type UnknownRecord } from './json.ts';

/** One way in which a value breaks its schema. */
export interface SchemaProblem {
  /** Keys and indexes from the root to the offending value. */
  readonly path: readonly string[];
  /** What is wrong there, without the path: "must be at least 1". */
  readonly message: string;
}

/** `steps: must be at least 1`; without a path the message alone. */
export function describeProblem({ path, message }: SchemaProblem): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

export type Validation =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly problems: readonly SchemaProblem[] }
  /** Nothing is known about the value. `reason` says why, as the end of a sentence: "checking took longer than 1 s". */
  | { readonly kind: 'unsupported'; readonly reason: string };

/** What the host asks of the process that checks, one at a time. */
export interface CheckJob {
  readonly id: number;
  /** Names the schema from now on. */
  readonly key: number;
  /** Sent once for each key. */
  readonly schema?: UnknownRecord;
  readonly value: unknown;
  /** The first problem is enough: to look for more took too long before. */
  readonly firstOnly: boolean;
}

/** What the process that checks says. */
export type CheckerMessage =
  | { readonly type: 'ready' }
  /** A result that is not final has the first problem; the others follow, if they can be found in time. */
  | { readonly type: 'result'; readonly id: number; readonly validation: Validation; readonly isFinal: boolean };

/** @returns `undefined` for anything not understood in full */
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
