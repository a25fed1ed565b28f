import type { Event } from '../base/event.ts';
import type { PatchbayError } from '../base/errors.ts';
import type { OutgoingMessage, RequestId } from './jsonRpc.ts';

/** What a peer needs of a transport: messages in, messages out. */
export interface MessageChannel {
  /** One parsed JSON value each; not yet checked to be JSON-RPC. */
  readonly onMessage: Event<unknown>;
  /** An answer came that was beyond a limit, so that it was not read; the request can fail at once. */
  readonly onDidDropAnswer?: Event<DroppedAnswer> | undefined;
  /**
   * Resolves when the message is handed on, later under back-pressure; rejects once closed. Over HTTP a request is
   * handed on when its answer has been delivered, so that a rejection says why there will be none.
   */
  send(message: OutgoingMessage, hints?: SendHints): Promise<void>;
}

export interface DroppedAnswer {
  readonly id: RequestId;
  readonly error: PatchbayError;
}

/** What a revision wants of the transport for one message; transports without such a thing ignore it. */
export interface SendHints {
  /** HTTP headers of this message only. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The message stands for itself (2026-07-28): no session, no resumption, and a request is cancelled by closing its
   * response stream instead of `notifications/cancelled` (Streamable HTTP, "Cancellation").
   */
  readonly isStateless?: boolean;
  /** Nobody is asked to sign in for this message: it rejects with `needsSignIn` instead. */
  readonly isUnattended?: boolean;
}
