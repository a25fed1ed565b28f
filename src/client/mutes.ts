import type { Disposable } from '../base/disposable.ts';
import { CancelledError } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import { limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { AuditLog } from './auditLog.ts';

/**
 * What is refused of a muted server: `questions` are its requests for a model, its elicitations, and all that its apps ask;
 * `calls` are calls of its tools by anyone but the person.
 */
const kinds = ['calls', 'questions'] as const;

export type MuteKind = (typeof kinds)[number];

export interface MutedServer {
  readonly server: string;
  readonly what: MuteKind;
}

/** The reason for which the questions of a server end that the person has muted meanwhile. */
export class MutedError extends CancelledError {
  constructor() {
    super('The server was muted');
  }
}

/** Servers that are muted because a person refused several of their questions in a row. Kept until the window closes. */
export class Mutes implements Disposable {
  readonly #audit: AuditLog;
  readonly #log: (server: string) => Logger;
  /** Refusals in a row, by what is counted and server. */
  readonly #refusals = { questions: new Map<string, number>(), calls: new Map<string, number>() };
  readonly #didChange = new Emitter<string>();
  readonly #didMute = new Emitter<MutedServer>();

  /** Fires with the label of a server that was muted or unmuted. */
  readonly onDidChange = this.#didChange.event;
  readonly onDidMute = this.#didMute.event;

  /** @param log the log of one server */
  constructor(audit: AuditLog, log: (server: string) => Logger) {
    this.#audit = audit;
    this.#log = log;
  }

  /** @param what absent for anything */
  isMuted(server: string, what?: MuteKind): boolean {
    if (what === undefined) return kinds.some((kind) => this.isMuted(server, kind));
    return (this.#refusals[what].get(server) ?? 0) >= limits.questions.refusals;
  }

  get muted(): readonly MutedServer[] {
    return kinds.flatMap((what) =>
      [...this.#refusals[what].keys()].flatMap((server) => (this.isMuted(server, what) ? [{ server, what }] : [])),
    );
  }

  /** Counts a person's answer to a question. An approval resets the count. */
  recordDecision(server: string, what: MuteKind, isApproved: boolean): void {
    // Questions that were already open when it was muted do not count.
    if (this.isMuted(server, what)) return;
    const count = isApproved ? 0 : (this.#refusals[what].get(server) ?? 0) + 1;
    this.#refusals[what].set(server, count);
    if (!this.isMuted(server, what)) return;
    this.#audit.record({ server, action: 'mute', outcome: 'muted', detail: { what, refusals: count } });
    this.#log(server).warn(
      `${count} questions about this server were declined in a row: its ${what} are now declined automatically. Choose “Unmute MCP Server” to be asked again.`,
    );
    this.#didChange.fire(server);
    this.#didMute.fire({ server, what });
  }

  /**
   * The server may ask again: the person has allowed it, or has restarted the server.
   * @param what absent for everything
   */
  unmute(server: string, what?: MuteKind): void {
    for (const each of what === undefined ? kinds : [what]) {
      const wasMuted = this.isMuted(server, each);
      this.#refusals[each].delete(server);
      if (!wasMuted) continue;
      this.#audit.record({ server, action: 'mute', outcome: 'ended', detail: { what: each } });
      this.#log(server).info(`Questions are shown again: about ${each} of this server.`);
      this.#didChange.fire(server);
    }
  }

  dispose(): void {
    this.#didChange.dispose();
    this.#didMute.dispose();
  }
}
