import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { AuditLog } from '../auditLog.ts';

/**
 * Servers that are muted because a person refused several of their questions in a row (sampling and elicitation counted
 * together). Kept until the window closes.
 */
export interface QuestionMutes extends Disposable {
  isMuted(server: string): boolean;
  /** Labels of the muted servers. */
  readonly muted: readonly string[];
  /** Counts a person's answer to a question. An approval resets the count. */
  recordDecision(server: string, isApproved: boolean): void;
  /** The server may ask again: the person has allowed it, or has restarted the server. */
  unmute(server: string): void;
  /** Fires with the label of a server that was muted or unmuted. */
  readonly onDidChange: Event<string>;
}

/** Creates a record without refusals. @param log the log of one server */
export function createQuestionMutes(audit: AuditLog, log: (server: string) => Logger): QuestionMutes {
  /** Refusals in a row, by server. */
  const refusals = new Map<string, number>();
  const didChange = new Emitter<string>();
  const isMuted = (server: string): boolean => (refusals.get(server) ?? 0) >= limits.questions.refusals;

  function mute(server: string, count: number): void {
    audit.record({ server, action: 'mute', outcome: 'muted', detail: { refusals: count } });
    log(server).warn(
      `${count} questions of this server were refused in a row: it is muted, and what it asks is refused unseen. “Allow Questions Again”, or a restart, ends that.`,
    );
    didChange.fire(server);
  }

  return {
    isMuted,
    get muted() {
      return [...refusals.keys()].filter(isMuted);
    },
    onDidChange: didChange.event,
    recordDecision(server, isApproved) {
      // Questions that were already open when it was muted do not count.
      if (isMuted(server)) return;
      const count = isApproved ? 0 : (refusals.get(server) ?? 0) + 1;
      refusals.set(server, count);
      if (isMuted(server)) mute(server, count);
    },
    unmute(server) {
      const wasMuted = isMuted(server);
      refusals.delete(server);
      if (!wasMuted) return;
      audit.record({ server, action: 'mute', outcome: 'ended', detail: {} });
      log(server).info('This server may ask questions again.');
      didChange.fire(server);
    },
    dispose: () => didChange.dispose(),
  };
}
