import type { Clock } from '../../base/clock.ts';
import { isRecord, isString, jsonLength } from '../../base/json.ts';
import { truncateWithCount } from '../../base/truncate.ts';
import { type AuditLog, MinuteCounter } from '../auditLog.ts';
import type { ConnectionTap } from '../trace/connectionTap.ts';

/** Messages of one app and minute that have entries of their own in the audit log; further ones are counted. */
const maximumEntries = 60;

/**
 * Writes down what an app and its host say to each other, and what the host refused it. The trace has every message; the audit log
 * what they are about, never what they say.
 */
export function createAppJournal(
  { server, uri }: { readonly server: string; readonly uri: string },
  audit: AuditLog,
  clock: Clock,
  tap: Pick<ConnectionTap, 'message'>,
) {
  const counter = new MinuteCounter(clock);
  const app = truncateWithCount(uri, 300);
  /** Each further hundred is one entry: a flood is seen, and does not push other entries out. */
  const isEntry = (count: number): boolean => count <= maximumEntries || (count - maximumEntries) % 100 === 1;
  const record = (outcome: string, detail: Readonly<Record<string, string | number>>): void =>
    audit.record({ server, action: 'app', outcome, detail: { uri: app, ...detail } });
  return {
    /** A message. @param direction `out`: to the app */
    message(direction: 'in' | 'out', value: unknown): void {
      tap.message(direction === 'in' ? 'received' : 'sent', value);
      const count = counter.increment(direction);
      const done = direction === 'in' ? 'received' : 'sent';
      if (!isEntry(count)) return;
      if (count > maximumEntries) return record(`many messages ${done}`, { messagesThisMinute: count });
      record(done, { message: describe(value), characters: jsonLength(value) });
    },
    /**
     * Something that the app's policy has blocked, which the app could have made up.
     * @param what a directive and an address; its query is left out, as it may hold data
     */
    blocked(what: string): void {
      const count = counter.increment('blocked');
      const [start = ''] = what.split(/[?#]/, 1);
      if (isEntry(count))
        record('blocked by its policy', { message: truncateWithCount(start, 300), thisMinute: count });
    },
    /** Something that happened, in two or three words. */
    event: (outcome: string, detail: Readonly<Record<string, string | number>> = {}): void => record(outcome, detail),
  };
}

export type AppJournal = ReturnType<typeof createAppJournal>;

function describe(value: unknown): string {
  const { method, error, id } = isRecord(value) ? value : {};
  if (isString(method)) return truncateWithCount(method, 100);
  if (typeof id !== 'number' && !isString(id)) return 'neither a request nor an answer';
  return `${isRecord(error) ? 'refusal of' : 'answer to'} ${truncateWithCount(String(id), 40)}`;
}
