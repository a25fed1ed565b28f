import { PatchbayError } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import type { OutgoingMessage } from '../protocol/jsonRpc.ts';
import type { CloseReason, Transport, TransportLog } from './transport.ts';

/**
 * Creates two linked transports: each receives what the other sends, in order, in a later microtask, as a copy made
 * through JSON. Messages wait until the receiver has started. Disposing one end closes both.
 */
export function createMemoryPair(): [Transport, Transport] {
  const left = new MemoryTransport();
  const right = new MemoryTransport();
  left.link(right);
  right.link(left);
  return [left, right];
}

class MemoryTransport implements Transport {
  readonly #message = new Emitter<unknown>();
  readonly #close = new Emitter<CloseReason>();
  readonly #log = new Emitter<TransportLog>();
  readonly onMessage = this.#message.event;
  readonly onDidClose = this.#close.event;
  readonly onLog = this.#log.event;
  #other: MemoryTransport | undefined;
  #waiting: string[] | undefined = [];
  #isClosed = false;

  link(other: MemoryTransport): void {
    this.#other = other;
  }

  async start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const text of waiting) queueMicrotask(() => this.#deliver(text));
  }

  async send(message: OutgoingMessage): Promise<void> {
    if (this.#isClosed) {
      throw new PatchbayError('connectionClosed', 'The message was not sent: the connection is closed.');
    }
    this.#other?.receive(JSON.stringify(message));
  }

  async dispose(): Promise<void> {
    this.finish({ kind: 'requested' });
    this.#other?.finish({
      kind: 'failed',
      error: new PatchbayError('connectionClosed', 'The other end closed the connection.'),
    });
  }

  receive(text: string): void {
    if (this.#waiting === undefined) queueMicrotask(() => this.#deliver(text));
    else this.#waiting.push(text);
  }

  #deliver(text: string): void {
    if (!this.#isClosed) this.#message.fire(JSON.parse(text) as unknown);
  }

  finish(reason: CloseReason): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#close.fire(reason);
    for (const emitter of [this.#message, this.#close, this.#log]) emitter.dispose();
  }
}
