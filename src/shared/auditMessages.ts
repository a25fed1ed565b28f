import { isRecord, isString } from '../base/json.ts';
import type { AuditFilter, AuditRow } from './auditView.ts';

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

export type AuditFromPanel =
  | { readonly type: 'ready' }
  | { readonly type: 'refresh' }
  /** `undefined` exports all. */
  | { readonly type: 'export'; readonly filter: AuditFilter | undefined };

/** The longest text of a filter, in characters. */
const maximumText = 10_000;

/** Checks a message from the audit panel. @returns `undefined` for an invalid message, which callers ignore */
export function readAuditMessage(value: unknown): AuditFromPanel | undefined {
  if (!isRecord(value)) return undefined;
  const { type } = value;
  switch (type) {
    case 'ready':
    case 'refresh':
      return { type };
    case 'export': {
      // JSON has no `undefined`: it becomes null, or is left out.
      if (value['filter'] === undefined || value['filter'] === null) return { type, filter: undefined };
      const filter = readFilter(value['filter']);
      return filter && { type, filter };
    }
    default:
      return undefined;
  }
}

function readFilter(value: unknown): AuditFilter | undefined {
  if (!isRecord(value)) return undefined;
  const { text, server, action, outcome, since, isModelOnly } = value;
  if (!isBounded(text) || !isBounded(server) || !isBounded(action) || typeof isModelOnly !== 'boolean')
    return undefined;
  if (outcome !== '' && outcome !== 'allowed' && outcome !== 'refused' && outcome !== 'failed') return undefined;
  const filter = { text, server, action, outcome, isModelOnly } as const;
  if (since === undefined || since === null) return { ...filter, since: undefined };
  return typeof since === 'number' && Number.isFinite(since) ? { ...filter, since } : undefined;
}

function isBounded(value: unknown): value is string {
  return isString(value) && value.length <= maximumText;
}
