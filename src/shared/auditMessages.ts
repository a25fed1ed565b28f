import { isString } from '../base/json.ts';
import type { AuditFilter, AuditRow } from './auditView.ts';
import {
  checked,
  createMessageReader,
  type MessageOf,
  number,
  objectOf,
  oneOf,
  optional,
  type Reader,
  truth,
} from './messageReader.ts';

export type AuditToPanel =
  /** A part of all records, oldest first. The first part replaces those that are shown. */
  | {
      readonly type: 'records';
      readonly isFirst: boolean;
      readonly isLast: boolean;
      readonly records: readonly AuditRow[];
    }
  /** Records that were made since. */
  | { readonly type: 'added'; readonly records: readonly AuditRow[] };

/** The longest text of a filter, in characters. */
const maximumText = 10_000;

const boundedText = checked((value): value is string => isString(value) && value.length <= maximumText);

const filter: Reader<AuditFilter> = objectOf({
  text: boundedText,
  server: boundedText,
  action: boundedText,
  outcome: oneOf('', 'allowed', 'refused', 'failed'),
  since: optional(number),
  isModelOnly: truth,
});

/** Checks a message from the audit panel. @returns `undefined` for an invalid message, which callers ignore */
export const readAuditMessage = createMessageReader({
  ready: {},
  refresh: {},
  /** `undefined` exports all. */
  export: { filter: optional(filter) },
});

export type AuditFromPanel = MessageOf<typeof readAuditMessage>;
