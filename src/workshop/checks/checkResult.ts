/**
 * `note`: worth knowing, and no failure even where warnings are. `nothingToCheck`: ran, and found nothing that it could judge; never
 * the same as `passed`.
 */
export type Verdict = 'passed' | 'failed' | 'warning' | 'note' | 'nothingToCheck' | 'notRun';

/** True where a check has found something: its title then says what, not what should be. */
export function isFound(verdict: Verdict): boolean {
  return verdict === 'failed' || verdict === 'warning' || verdict === 'note';
}

/** What a result is about: the server as a whole, or one entry of its lists by its name or URI. */
export interface CheckSubject {
  readonly kind: 'server' | 'tool' | 'prompt' | 'resource' | 'resourceTemplate';
  /** Absent for the server. As the server sent it: not yet fit to be shown. */
  readonly name?: string;
}

/** A name as one part of an id: without the `/` between its parts. */
export function idPart(name: string): string {
  return name.replaceAll(/[%/]/g, (character) => (character === '%' ? '%25' : '%2F'));
}

/** Where the rule of a check is written down. */
export interface CheckReference {
  readonly title: string;
  readonly url: string;
  /** The day on which the source was read, as `2026-11-25`. */
  readonly date?: string;
}

/** One of several things that are wrong. Texts without secrets, and bounded. */
export interface CheckFailure {
  readonly message: string;
  /** In the file of the result's place. */
  readonly line?: number;
  /** Both sides, where the check compares. */
  readonly expected?: string;
  readonly actual?: string;
}

/** The outcome of one check, the same in the editor and on the command line. */
export interface CheckResult {
  /** Stable, with the family first: `lint/…`, `own/…`, `suite/<scenario>/<check>`, `saved/…`. */
  readonly id: string;
  /** What was checked; where something was found, that. */
  readonly title: string;
  readonly verdict: Verdict;
  readonly subject: CheckSubject;
  /** Full sentences: what was found, and for a failure what to change. Absent where the title says all. */
  readonly message?: string;
  /** What the message is put together of, where there is more to say of each. */
  readonly failures?: readonly CheckFailure[];
  readonly references: readonly CheckReference[];
  readonly durationMs?: number;
  /** The file that has what is judged, such as one of saved calls; lines from 1. */
  readonly place?: { readonly path: string; readonly line: number };
}
