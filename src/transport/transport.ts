import type { AsyncDisposable } from '../base/disposable.ts';
import type { PatchbayError } from '../base/errors.ts';
import type { Event } from '../base/event.ts';
import type { AuthorizationContext } from '../protocol/httpAuthorizer.ts';
import type { MessageChannel } from '../protocol/messageChannel.ts';

/**
 * Carries messages to one server and back. Knows framing, not meaning.
 *
 * Order: subscribe, `start()`, `send()`…, `dispose()`. `onDidClose` fires exactly once, also when `dispose` was asked for,
 * and nothing is delivered after it.
 */
export interface Transport extends MessageChannel, AsyncDisposable {
  readonly onDidClose: Event<CloseReason>;
  readonly onLog: Event<TransportLog>;
  /** Resolves when messages can be sent; rejects with a {@link PatchbayError} or the signal's reason, leaving nothing behind. */
  start(signal: AbortSignal): Promise<void>;
  /** Told once both sides have agreed on a revision, before `notifications/initialized` (2025-06-18, "Protocol Version Header"). */
  negotiated?(revision: string): void;
  /** The server has forgotten the session, found out on a stream nobody waits for. Sends fail with `sessionLost` meanwhile. */
  readonly onDidLoseSession?: Event<void>;
  /** true: messages wait for a person on this side, and limits on time should stand still; false: no more. */
  readonly onDidWait?: Event<boolean> | undefined;
  /** Messages go out with another token than before, or with none. */
  readonly onDidChangeAuthorization?: Event<void> | undefined;
  /**
   * The server showed that it speaks this transport, whatever came of it: HTTP+SSE got an event stream, or a demand to sign
   * in. Absent where it need not be guessed.
   */
  readonly isRecognized?: boolean;
  /** In whose name messages go out; absent where there is no sign-in. */
  readonly authorizationContext?: AuthorizationContext | undefined;
  /** What came up on the way and is not for showing: tokens of a sign-in. Another list with each new one. */
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
 * `stderr`: the server's own words; `noise`: what it wrote to stdout that is no message; `note`: ours; `http`: a request
 * that went well, of interest to those who trace messages.
 */
export interface TransportLog {
  readonly source: 'stderr' | 'noise' | 'note' | 'http';
  readonly text: string;
}
