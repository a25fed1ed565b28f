/** One thing a server made the host do, or the user did with a server. Texts are bounded before they get here. */
export interface AuditEntry {
  readonly server: string;
  readonly action:
    | 'sampling'
    | 'elicitation'
    /** No more questions of the server are shown, or they are again. */
    | 'mute'
    | 'roots'
    | 'toolCall'
    /** A definition that had changed was about to be used. */
    | 'definition'
    | 'task'
    | 'resourceRead'
    | 'prompt'
    | 'signIn'
    | 'signOut';
  /** In a word or two: "approved", "declined", "allowed by session grant", "failed". */
  readonly outcome: string;
  /** Facts for a reader; never a secret. */
  readonly detail: Readonly<Record<string, string | number | boolean>>;
}

/** An entry with its time, ISO 8601. */
export interface AuditRecord extends AuditEntry {
  readonly time: string;
}

/** Port to wherever the record is kept. Recording never fails and never waits. */
export interface AuditLog {
  record(entry: AuditEntry): void;
  /** False where nothing is kept: what takes work to describe may then be left out. */
  readonly isKept?: boolean;
}

/** Refusals of one server and minute that are recorded: a flood of them must not wash the rest of the record away. */
export const recordedRefusals = 20;

const previewLength = 500;

/** The beginning of a text, for the record. */
export function auditPreview(text: string): string {
  return text.length <= previewLength ? text : `${text.slice(0, previewLength)}… (${text.length} characters)`;
}
