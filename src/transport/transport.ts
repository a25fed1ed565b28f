import type { CancelSignal } from '../base/abort.ts';
import type { AsyncDisposable } from '../base/disposable.ts';
import type { PatchbayError } from '../base/errors.ts';
import type { Event } from '../base/event.ts';
import type { AuthorizationContext } from '../protocol/httpAuthorizer.ts';
import type { MessageChannel } from '../protocol/messageChannel.ts';

/**
 * Sends messages to one server and receives its messages. Knows their framing, not their meaning.
 *
 * Order of use: subscribe, `start()`, `send()`…, `dispose()`. `onDidClose` fires exactly once, also after `dispose()`, and
 * no other event fires after it.
 */
export interface Transport extends MessageChannel, AsyncDisposable {
  readonly onDidClose: Event<CloseReason>;
  readonly onLog: Event<TransportLog>;
  /** Rejects with a {@link PatchbayError} or the signal's reason, and then leaves nothing running. */
  start(signal: CancelSignal): Promise<void>;
  /** Call before `notifications/initialized` (2025-06-18, Basic / Transports, "Protocol Version Header"). */
  negotiated?(revision: string): void;
  /** While `onMessage` fires: the text of the message, where it is known and says the same. */
  readonly receivedText?: string | undefined;
  /** Noticed outside of a request. Until there is a new session, `send` fails with `sessionLost`. */
  readonly onDidLoseSession?: Event<void>;
  /** true: the user is asked, for instance to sign in, and timeouts pause; false: they continue. */
  readonly onDidPauseTimeouts?: Event<boolean> | undefined;
  /** Requests have a new token, or none. */
  readonly onDidChangeAuthorization?: Event<void> | undefined;
  /** True when the server showed that it uses HTTP+SSE, even if the start failed. Absent for other transports. */
  readonly isRecognized?: boolean;
  /** The account of the requests; absent without authorization. */
  readonly authorizationContext?: AuthorizationContext | undefined;
  /** The line that the server has begun to write beside messages, such as a question; may be empty. Absent without a process. */
  unfinishedOutput?(): string;
  /** Tokens of a sign-in, to be masked in texts that are shown. A new array for each new token. */
  readonly secrets?: (() => readonly string[]) | undefined;
}

export type CloseReason =
  | { readonly kind: 'requested' }
  | {
      readonly kind: 'exited';
      readonly code: number | null;
      readonly signal: string | null;
      readonly lastOutput: string;
    }
  | { readonly kind: 'failed'; readonly error: PatchbayError };

/**
 * A line for the log. `stderr`: output of the server; `noise`: a line on stdout that is not a message; `note`: a remark of
 * the transport; `http`: a successful request, for message traces.
 */
export interface TransportLog {
  readonly source: 'stderr' | 'noise' | 'note' | 'http';
  /** Read it only if it is needed: some are built then. */
  readonly text: string;
}
