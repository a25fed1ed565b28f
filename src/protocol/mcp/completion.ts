import { isRecord, isString } from '../../base/json.ts';
import { invalidResult } from './base.ts';

/** What a completion is for (2025-11-25, Server Features / Utilities / Completion, "Reference Types"). */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  /** `uri`: the template itself, not an expanded URI. */
  | { readonly type: 'ref/resource'; readonly uri: string };

export interface CompletionArgument {
  readonly name: string;
  readonly value: string;
}

export interface Completion {
  readonly values: readonly string[];
  /** The total number of values, which may be more than were sent. */
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** Servers may send 100 (2025-11-25, Server Features / Utilities / Completion); more are tolerated. */
const maximumValues = 1_000;

/** Reads the result of `completion/complete`. @throws {PatchbayError} `invalidMessage` */
export function readCompletion(result: unknown): Completion {
  const completion = isRecord(result) ? result['completion'] : undefined;
  if (!isRecord(completion) || !Array.isArray(completion['values']))
    throw invalidResult('"completion.values" is not a list');
  const { total, hasMore } = completion;
  const values = completion['values'].filter(isString);
  const isCut = values.length > maximumValues;
  return {
    values: isCut ? values.slice(0, maximumValues) : values,
    ...(isCount(total) && { total }),
    ...(isCut ? { hasMore: true } : typeof hasMore === 'boolean' && { hasMore }),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
