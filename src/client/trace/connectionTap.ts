import type { LaunchPlan } from '../../base/launchPlan.ts';
import type { OutgoingMessage } from '../../protocol/jsonRpc.ts';
import type { DroppedAnswer } from '../../protocol/messageChannel.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import type { CloseReason } from '../../transport/transport.ts';

/** As Patchbay sees it: `sent` to the server or the app, `received` from it. */
export type TapDirection = 'sent' | 'received';

/** One attempt to connect to a server. A start that tries several strategies has several. */
export interface TappedConnection {
  readonly label: string;
  readonly plan: LaunchPlan;
  /** Hides what is known to be secret now. The same object while nothing changes. */
  redactor(): Redactor;
}

/**
 * Is told of all that goes over one connection, as it is: nothing is hidden yet. It is called for each message, so it must be
 * cheap, and must change no value. It must not throw.
 */
export interface ConnectionTap {
  /**
   * A parsed JSON value, before it was sent or handled. A batch is one value.
   * @param text the same as JSON, where it is known
   */
  message(direction: TapDirection, value: unknown, text?: string): void;
  /** A message that was given to {@link message} could not be sent, or has no answer for a reason of the transport. */
  failed(message: OutgoingMessage, error: unknown): void;
  /** An answer was too large: it was not read, and its request has failed. */
  dropped?(answer: DroppedAnswer): void;
  /** What the transport says beside messages, in one or more lines. */
  note(text: string): void;
  /** Called once; nothing follows. */
  end(reason: CloseReason): void;
}

/** Called for each connection. @returns `undefined` where nothing listens */
export type OpenTap = (connection: TappedConnection) => ConnectionTap | undefined;

/** Makes one of several. */
export function combineTaps(openers: readonly OpenTap[]): OpenTap {
  return (connection) => {
    const taps = openers.flatMap((open) => open(connection) ?? []);
    const [first] = taps;
    if (first === undefined || taps.length === 1) return first;
    return {
      message: (direction, value, text) => taps.forEach((tap) => tap.message(direction, value, text)),
      failed: (message, error) => taps.forEach((tap) => tap.failed(message, error)),
      dropped: (answer) => taps.forEach((tap) => tap.dropped?.(answer)),
      note: (text) => taps.forEach((tap) => tap.note(text)),
      end: (reason) => taps.forEach((tap) => tap.end(reason)),
    };
  };
}
