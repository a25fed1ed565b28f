import type { Event } from '../base/event.ts';
import type { PatchbayError } from '../base/errors.ts';
import type { OutgoingMessage, RequestId } from './jsonRpc.ts';

export interface MessageChannel {
  /** Fires with each parsed JSON value; not yet checked to be JSON-RPC. */
  readonly onMessage: Event<unknown>;
  /** A response exceeded a limit and was not read: its request fails at once. */
  readonly onDidDropAnswer?: Event<DroppedAnswer> | undefined;
  /**
   * Resolves when the message was written, later under back-pressure; rejects once closed. Over HTTP it resolves for a
   * request when the response was delivered, and rejects with the reason why there is no response.
   */
  send(message: OutgoingMessage, hints?: SendHints): Promise<void>;
}

/** What {@link MessageChannel.send} may give for a message that was written at once: there is nothing to wait for. */
export const wasSent: Promise<void> = Promise.resolve();

export interface DroppedAnswer {
  readonly id: RequestId;
  readonly error: PatchbayError;
}

/** Transport options for one message. A transport ignores those it does not have. */
export interface SendHints {
  /** The message as JSON, where it is known already. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Sent without a session (2026-07-28): no resumption, and a request is cancelled by closing its response stream instead
   * of `notifications/cancelled` (2026-07-28, Basic / Transports / Streamable HTTP, "Cancellation").
   */
  readonly isStateless?: boolean;
  /** Do not ask the user to sign in for this message: reject with `needsSignIn` instead. */
  readonly isUnattended?: boolean;
}
