import type { RecordedSession } from '../../transport/replay/recordedSession.ts';
import type { CheckSubject } from '../checks/checkResult.ts';

/** `breaking`: a client that worked with the old server may fail; `wording`: only texts for people and models differ. */
export type SessionChangeKind = 'breaking' | 'added' | 'wording';

export interface SessionChange {
  readonly kind: SessionChangeKind;
  readonly subject: CheckSubject;
  /** A sentence. It may hold names of the server, made visible and cut. */
  readonly message: string;
}

export interface SessionDifference {
  /** What broke first, then what was added, then wording; each in the order of the old recording. */
  readonly changes: readonly SessionChange[];
  /** Pairs of requests that were compared. */
  readonly compared: number;
}

/** Says what changed for a client between two recordings of one server. Both may be hostile. */
export function compareSessions(_old: RecordedSession, _new: RecordedSession): SessionDifference {
  return { changes: [], compared: 0 };
}
