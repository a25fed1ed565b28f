import type { CancelSignal } from '../base/abort.ts';
import { PatchbayError } from '../base/errors.ts';
import type { OutgoingMessage } from '../protocol/jsonRpc.ts';
import { BaseTransport, notSentError } from './baseTransport.ts';
import type { Transport } from './transport.ts';

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

class MemoryTransport extends BaseTransport {
  #other: MemoryTransport | undefined;
  #waiting: string[] | undefined = [];

  link(other: MemoryTransport): void {
    this.#other = other;
  }

  async start(signal: CancelSignal): Promise<void> {
    signal.throwIfAborted();
    this.begin();
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const text of waiting) queueMicrotask(() => this.#deliver(text));
  }

  async send(message: OutgoingMessage): Promise<void> {
    if (this.phase === 'closed') throw notSentError('the connection is closed');
    this.#other?.accept(JSON.stringify(message));
  }

  async dispose(): Promise<void> {
    this.finish({ kind: 'requested' });
    this.#other?.finish({
      kind: 'failed',
      error: new PatchbayError('connectionClosed', 'The other end closed the connection.'),
    });
  }

  /** Receives what the other end has sent. */
  accept(text: string): void {
    if (this.#waiting === undefined) queueMicrotask(() => this.#deliver(text));
    else this.#waiting.push(text);
  }

  #deliver(text: string): void {
    if (this.phase !== 'closed') this.receive(JSON.parse(text) as unknown);
  }
}
