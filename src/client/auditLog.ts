import type { Clock } from '../base/clock.ts';

/** One action of a server in the host, or of the user with a server. Callers limit the length of all texts. */
export interface AuditEntry {
  readonly server: string;
  readonly action:
    | 'sampling'
    | 'elicitation'
    /** The server was muted or unmuted: its questions are refused without being shown, or shown again. */
    | 'mute'
    | 'roots'
    | 'toolCall'
    /** An app of the server: what it said and got, what it may reach. */
    | 'app'
    /** A changed definition was about to be used. */
    | 'definition'
    | 'task'
    | 'resourceRead'
    | 'prompt'
    | 'signIn'
    | 'signOut'
    /** A rule for models was made, changed or revoked. */
    | 'rule'
    /** The log itself: records that could not be written. */
    | 'log';
  /** One or two words: "approved", "declined", "allowed by session grant", "failed". */
  readonly outcome: string;
  /** Facts for the reader of the log; never a secret. */
  readonly detail: Readonly<Record<string, string | number | boolean>>;
}

export interface AuditRecord extends AuditEntry {
  readonly time: string;
}

/** Port that stores the audit log. Recording never fails and never waits. */
export interface AuditLog {
  record(entry: AuditEntry): void;
  /** `false` if entries are discarded: callers may then skip expensive details. */
  readonly isKept?: boolean;
}

/** Refusals that are recorded per server and minute: a flood of them must not push other entries out of the log. */
export const maximumRecordedRefusals = 20;

/** Counts events by key; starts at zero in every minute of the clock. */
export class MinuteCounter {
  readonly #clock: Clock;
  #minute = 0;
  /** Of that minute; absent while nothing was counted. */
  #counts: Map<string, number> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  count(key: string): number {
    return this.#minute === this.#now() ? (this.#counts?.get(key) ?? 0) : 0;
  }

  /** Counts one event. @returns how many there were in this minute, this one included */
  increment(key: string): number {
    const minute = this.#now();
    if (this.#counts === undefined || this.#minute !== minute) this.#counts = new Map();
    this.#minute = minute;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }

  #now(): number {
    return Math.floor(this.#clock.now() / 60_000);
  }
}

const previewLength = 500;

/** The first 500 characters of a text, and its length if it is longer. */
export function auditPreview(text: string): string {
  return text.length <= previewLength ? text : `${text.slice(0, previewLength)}… (${text.length} characters)`;
}
