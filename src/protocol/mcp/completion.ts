import { isRecord, isString } from '../../base/json.ts';
import { invalidResult } from './base.ts';

export interface PromptReference {
  readonly type: 'ref/prompt';
  readonly name: string;
}

export interface ResourceTemplateReference {
  readonly type: 'ref/resource';
  /** The template itself, not an expansion of it. */
  readonly uri: string;
}

export type CompletionReference = PromptReference | ResourceTemplateReference;

export interface CompletionArgument {
  readonly name: string;
  /** What has been typed so far. */
  readonly value: string;
}

export interface Completion {
  readonly values: readonly string[];
  /** How many there are in all, which may be more than were sent. */
  readonly total?: number;
  /** There are more than were sent, however many. */
  readonly hasMore?: boolean;
}

/** A server may give 100 (utilities, "Completion"); somewhat more do no harm. */
const maximumValues = 1_000;

/** @throws {PatchbayError} `invalidMessage` */
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
