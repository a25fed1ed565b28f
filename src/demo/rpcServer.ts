import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { CancelledError, messageOf } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import type { UnknownRecord } from '../base/json.ts';
import { createNullLogger } from '../base/logger.ts';
import type { RequestHandlerContext } from '../protocol/incomingRequests.ts';
import { classifyMessage, ErrorCodes, JsonRpcError } from '../protocol/jsonRpc.ts';
import { Peer } from '../protocol/peer.ts';

/** Answers a request. @returns the result; throws a {@link JsonRpcError} to answer with that error */
export type RequestHandler = (params: UnknownRecord, context: RequestHandlerContext) => object | Promise<object>;

/** How an {@link RpcServer} is connected to its session. */
export interface RpcServerOptions {
  readonly clock: Clock;
  /** Writes one line, which includes its line break. */
  readonly write: (line: string) => void;
  /** Throws a {@link JsonRpcError} if a known method must not be called now. */
  readonly assertMethodAllowed: (method: string) => void;
  /** JSON-RPC batches exist only in 2025-03-26 (Basic / Overview). */
  readonly acceptsBatches: () => boolean;
  /** Called for errors that the client gets only as "Internal error". */
  readonly onUnexpectedError: (method: string, error: unknown) => void;
}

/** The error for parameters that do not match the method. @param detail a sentence */
export function invalidParams(detail: string): JsonRpcError {
  return new JsonRpcError(ErrorCodes.invalidParams, `Invalid params: ${detail}`);
}

/** The server side of a JSON-RPC connection over lines of text. */
export class RpcServer implements Disposable {
  readonly #options: RpcServerOptions;
  readonly #received = new Emitter<unknown>();
  readonly #peer: Peer;
  #isClosed = false;

  constructor(options: RpcServerOptions) {
    this.#options = options;
    this.#peer = new Peer({
      channel: { onMessage: this.#received.event, send: async (message) => this.#write(message) },
      clock: options.clock,
      logger: createNullLogger(),
      // A person may be asked, who takes any time.
      requestMs: Infinity,
      maximumMs: Infinity,
    });
  }

  handle(method: string, handler: RequestHandler): void {
    this.#peer.onRequest(method, async (params, context) => {
      this.#options.assertMethodAllowed(method);
      try {
        return await handler(params, context);
      } catch (error) {
        if (!(error instanceof JsonRpcError || context.signal.aborted)) this.#options.onUnexpectedError(method, error);
        throw error;
      }
    });
  }

  onNotification(method: string, listener: (params: UnknownRecord) => void): void {
    this.#peer.onNotification((name, params) => {
      if (name === method) listener(params);
      return name === method;
    });
  }

  notify(method: string, params?: UnknownRecord): void {
    if (!this.#isClosed) void this.#peer.notify(method, params);
  }

  /** Rejects with the client's {@link JsonRpcError}, or with the signal's reason; an abort cancels the request. */
  request(method: string, params: UnknownRecord, signal: AbortSignal): Promise<unknown> {
    return this.#peer.request(method, params, { signal });
  }

  /** Handles one line from the client. Never throws; an invalid message gets an error response. */
  receive(line: string): void {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      this.#refuse(ErrorCodes.parseError, `Parse error: ${messageOf(error)}`);
      return;
    }
    const isBatch = Array.isArray(value) && value.length > 0 && this.#options.acceptsBatches();
    for (const entry of isBatch ? (value as unknown[]) : [value]) {
      const message = classifyMessage(entry);
      if (message.kind === 'malformed' && message.id === undefined)
        this.#refuse(ErrorCodes.invalidRequest, `Invalid request: ${message.reason}`);
      else this.#received.fire(entry);
    }
  }

  /** Aborts all requests in both directions. Nothing is written after this. */
  dispose(): void {
    this.#isClosed = true;
    this.#peer.close(new CancelledError('The client closed the connection.'));
  }

  /** For a message whose id could not be read (2025-11-25, Schema / JSONRPCErrorResponse). */
  #refuse(code: number, message: string): void {
    this.#write({ jsonrpc: '2.0', error: { code, message } });
  }

  #write(message: object): void {
    if (!this.#isClosed) this.#options.write(`${JSON.stringify(message)}\n`);
  }
}

/** Splits UTF-8 into lines at `\n` only: a JSON string may contain the other line separators of Unicode. */
export class LineReader {
  readonly #decoder = new TextDecoder();
  readonly #onLine: (line: string) => void;
  #pending: string[] = [];

  /** @param onLine called with each line, without its line break */
  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Uint8Array): void {
    this.#accept(this.#decoder.decode(chunk, { stream: true }));
  }

  /** Ends the input; a last line without a line break is a line too. */
  end(): void {
    this.#accept(this.#decoder.decode());
    if (this.#pending.length > 0) this.#accept('\n');
  }

  #accept(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#pending.push(text.slice(start, end));
      const line = this.#pending.join('');
      this.#pending = [];
      start = end + 1;
      this.#onLine(line);
    }
    if (start < text.length) this.#pending.push(text.slice(start));
  }
}
