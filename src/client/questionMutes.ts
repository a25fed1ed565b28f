import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import { limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { AuditLog } from './auditLog.ts';

/**
 * Which servers ask a person nothing any more, because so many of their questions were refused in a row: requests for a
 * model and elicitations alike. Held for the session of the window.
 */
export interface QuestionMutes extends Disposable {
  isMuted(server: string): boolean;
  /** Those that ask nothing any more. */
  readonly muted: readonly string[];
  /** Takes what a person said to a question. An approval makes the refusals before it forgotten. */
  decided(server: string, isApproved: boolean): void;
  /** The server may ask again: the person wants it, or has started it anew. */
  allow(server: string): void;
  /** Fires with the label of a server that is muted, or may ask again. */
  readonly onDidChange: Event<string>;
}

export function createQuestionMutes(audit: AuditLog, log: (server: string) => Logger): QuestionMutes {
  /** In a row, by server. */
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
    decided(server, isApproved) {
      // What was already open says nothing new.
      if (isMuted(server)) return;
      const count = isApproved ? 0 : (refusals.get(server) ?? 0) + 1;
      refusals.set(server, count);
      if (isMuted(server)) mute(server, count);
    },
    allow(server) {
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
