import type { CancelSignal } from '../base/abort.ts';
import type { Disposable } from '../base/disposable.ts';
import { PatchbayError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { OutgoingMessage } from '../protocol/jsonRpc.ts';
import type { SendHints } from '../protocol/messageChannel.ts';
import type { CloseReason, Transport, TransportLog } from './transport.ts';

/** The phases of a transport, in this order; a transport may skip some. */
export type TransportPhase = 'new' | 'starting' | 'open' | 'closing' | 'closed';

/** Events, phase and end of all transports. `onDidClose` fires exactly once, and no event fires after it. */
export abstract class BaseTransport implements Transport {
  readonly #emitters: Disposable[] = [];
  readonly #message = this.createEmitter<unknown>();
  readonly #close = this.createEmitter<CloseReason>();
  readonly #log = this.createEmitter<TransportLog>();
  protected phase: TransportPhase = 'new';
  receivedText: string | undefined = undefined;
  readonly onMessage: Event<unknown> = this.#message.event;
  readonly onDidClose: Event<CloseReason> = this.#close.event;
  readonly onLog: Event<TransportLog> = this.#log.event;

  abstract start(signal: CancelSignal): Promise<void>;
  abstract send(message: OutgoingMessage, hints?: SendHints): Promise<void>;
  abstract dispose(): Promise<void>;

  protected createEmitter<T>(): Emitter<T> {
    const emitter = new Emitter<T>();
    this.#emitters.push(emitter);
    return emitter;
  }

  /** @throws {PatchbayError} `disposed` when the transport was started or disposed before */
  protected begin(): void {
    if (this.phase !== 'new')
      throw new PatchbayError('disposed', 'A transport can be started only once. Create another.');
    this.phase = 'starting';
  }

  /** Enters the phase `open`; no-op when the transport was disposed while it started. */
  protected opened(): void {
    if (this.phase === 'starting') this.phase = 'open';
  }

  receive(message: unknown, text?: string): void {
    this.receivedText = text;
    this.#message.fire(message);
    this.receivedText = undefined;
  }

  log(entry: TransportLog): void {
    this.#log.fire(entry);
  }

  note(text: string): void {
    this.#log.fire({ source: 'note', text });
  }

  /** Enters the phase `closed` and fires `onDidClose`; no-op when the transport is already closed. */
  protected finish(reason: CloseReason): void {
    if (this.phase === 'closed') return;
    this.phase = 'closed';
    this.#close.fire(reason);
    for (const emitter of this.#emitters) emitter.dispose();
  }
}

/** The error for a message that was not sent. @param problem completes "The message was not sent: …" */
export function notSentError(problem: string): PatchbayError {
  return new PatchbayError('connectionClosed', `The message was not sent: ${problem}.`);
}
