import type { Readable } from 'node:stream';
import type { ByteStream } from '../../base/httpClient.ts';

/** Bytes that may wait to be read before the server is held back. */
const maximumWaitingBytes = 64 * 1024;

interface Waiting {
  resolve(chunk: Uint8Array | undefined): void;
  reject(reason: unknown): void;
}

/** Listens from the start: the connection of a short body is free when the body has arrived, read or not. */
export class NodeByteStream implements ByteStream {
  readonly #stream: Readable;
  readonly #ended: () => void;
  readonly #close: () => void;
  #chunks: Uint8Array[] = [];
  #waitingBytes = 0;
  #reader: Waiting | undefined;
  #isEnded = false;
  #fault: { readonly reason: unknown } | undefined;

  /** @param ended called once when nothing more comes. @param close ends the connection */
  constructor(stream: Readable, ended: () => void, close: () => void) {
    this.#stream = stream;
    this.#ended = ended;
    this.#close = close;
    stream.on('data', (chunk: Uint8Array) => this.#receive(chunk));
    stream.on('end', () => this.#end());
    stream.on('error', (reason) => this.fail(reason));
    // A stream that was destroyed without an error emits nothing else.
    stream.on('close', () => {
      if (!this.#isEnded) this.fail(new Error('The connection was closed before the end of the body.'));
    });
  }

  /** Makes the reader fail with `reason`, after the bytes that have arrived; no-op after the end. */
  fail(reason: unknown): void {
    this.#end({ reason });
  }

  get isAtEnd(): boolean {
    return this.#isEnded && this.#fault === undefined && this.#chunks.length === 0;
  }

  read(): Promise<Uint8Array | undefined> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#waitingBytes -= chunk.length;
      if (this.#waitingBytes < maximumWaitingBytes) this.#stream.resume();
      return Promise.resolve(chunk);
    }
    if (this.#fault !== undefined) return Promise.reject(this.#fault.reason);
    if (this.#isEnded) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
  }

  cancel(): void {
    this.#chunks = [];
    if (this.#isEnded) return;
    this.#end();
    this.#close();
  }

  #receive(chunk: Uint8Array): void {
    const reader = this.#reader;
    if (reader !== undefined) {
      this.#reader = undefined;
      reader.resolve(chunk);
    } else if (!this.#isEnded) {
      this.#chunks.push(chunk);
      this.#waitingBytes += chunk.length;
      if (this.#waitingBytes >= maximumWaitingBytes) this.#stream.pause();
    }
  }

  #end(fault?: { readonly reason: unknown }): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#fault = fault;
    this.#ended();
    const reader = this.#reader;
    this.#reader = undefined;
    if (fault === undefined) reader?.resolve(undefined);
    else reader?.reject(fault.reason);
  }
}
