import type { Clock } from '../../base/clock.ts';
import { isRecord, isString, jsonLength } from '../../base/json.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import type { AuditLog } from '../auditLog.ts';
import { createMinuteCounter } from '../minuteCounter.ts';
import type { MessageTracer } from '../trace/messageTrace.ts';

/** Writes down what an app and its host say to each other, and what the host refused it. */
export interface AppJournal {
  /** A message. @param direction `out`: to the app */
  message(direction: 'in' | 'out', value: unknown): void;
  /** Something that happened, in two or three words. */
  event(outcome: string, detail?: Readonly<Record<string, string | number>>): void;
}

/** Whose journal it is, and where it is kept. */
export interface AppJournalOptions {
  readonly server: string;
  /** The address of the app. */
  readonly uri: string;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly tracer: MessageTracer;
}

/** Messages of one app and minute that have entries of their own in the audit log; further ones are counted. */
const maximumEntries = 60;

/** Creates the journal of one app. The trace has every message; the audit log what they are about, never what they say. */
export function createAppJournal({ server, uri, audit, clock, tracer }: AppJournalOptions): AppJournal {
  const counter = createMinuteCounter(clock);
  const app = truncateWithCount(uri, 300);
  const record = (outcome: string, detail: Readonly<Record<string, string | number>>): void =>
    audit.record({ server, action: 'app', outcome, detail: { uri: app, ...detail } });
  return {
    message(direction, value) {
      tracer.message(direction === 'in' ? '⇠' : '⇢', value);
      const count = counter.increment(direction);
      if (count > maximumEntries) {
        // Each further hundred is one entry: a flood is seen, and does not push other entries out.
        if ((count - maximumEntries) % 100 === 1)
          record(direction === 'in' ? 'many messages received' : 'many messages sent', { messagesThisMinute: count });
        return;
      }
      record(direction === 'in' ? 'received' : 'sent', { message: describe(value), characters: jsonLength(value) });
    },
    event: (outcome, detail = {}) => record(outcome, detail),
  };
}

function describe(value: unknown): string {
  const { method, error, id } = isRecord(value) ? value : {};
  if (isString(method)) return truncateWithCount(method, 100);
  const answered = typeof id === 'number' || isString(id) ? ` ${truncateWithCount(String(id), 40)}` : '';
  return isRecord(error) ? `refusal of${answered}` : `answer to${answered}`;
}
