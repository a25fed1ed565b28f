import type { Disposable } from '../base/disposable.ts';
import { CancelledError, messageOf } from '../base/errors.ts';
import type { UnknownRecord } from '../base/json.ts';
import {
  classifyMessage,
  ErrorCodes,
  type IncomingMessage,
  JsonRpcError,
  type JsonRpcMessage,
  type RequestId,
} from '../protocol/jsonRpc.ts';
import type { Progress, ProgressToken } from '../protocol/progress.ts';

export interface RequestContext {
  /** Aborts when the client cancels the request or disconnects. */
  readonly signal: AbortSignal;
  /** Sends `notifications/progress`; does nothing if the request has no progress token. */
  progress(progress: Progress): void;
}

/** Answers a request. @returns the result; throws a {@link JsonRpcError} to answer with that error */
export type RequestHandler = (params: UnknownRecord, context: RequestContext) => object | Promise<object>;

/** How an {@link RpcServer} is connected to its session. */
export interface RpcServerOptions {
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

interface PendingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The server side of a JSON-RPC connection over lines of text: requests in both directions, cancellation and progress. */
export class RpcServer implements Disposable {
  readonly #options: RpcServerOptions;
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #listeners = new Map<string, (params: UnknownRecord) => void>();
  readonly #running = new Map<RequestId, AbortController>();
  readonly #pending = new Map<RequestId, PendingRequest>();
  #lastId = 0;
  #isClosed = false;

  constructor(options: RpcServerOptions) {
    this.#options = options;
    this.#listeners.set('notifications/cancelled', (params) => this.#cancelRunning(params['requestId']));
  }

  /** Sets the handler of a method. */
  handle(method: string, handler: RequestHandler): void {
    this.#handlers.set(method, handler);
  }

  /** Sets the listener for a notification. */
  onNotification(method: string, listener: (params: UnknownRecord) => void): void {
    this.#listeners.set(method, listener);
  }

  notify(method: string, params?: object): void {
    this.#send({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) });
  }

  /**
   * Sends a request to the client. Rejects with the client's {@link JsonRpcError}, or with the signal's reason; an abort also
   * sends `notifications/cancelled`.
   */
  request(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<unknown>((resolve, reject) => {
      const onAbort = (): void => {
        this.#pending.delete(id);
        this.notify('notifications/cancelled', { requestId: id, reason: messageOf(signal.reason) });
        reject(signal.reason as Error);
      };
      this.#pending.set(id, {
        resolve: (result) => {
          signal.removeEventListener('abort', onAbort);
          resolve(result);
        },
        reject: (error) => {
          signal.removeEventListener('abort', onAbort);
          reject(error);
        },
      });
      signal.addEventListener('abort', onAbort, { once: true });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  /** Handles one line from the client. Never throws; an invalid message gets an error response. */
  receive(line: string): void {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      this.#sendError(undefined, new JsonRpcError(ErrorCodes.parseError, `Parse error: ${messageOf(error)}`));
      return;
    }
    const isBatch = Array.isArray(value) && value.length > 0 && this.#options.acceptsBatches();
    for (const entry of isBatch ? (value as unknown[]) : [value]) this.#dispatch(classifyMessage(entry));
  }

  /** Aborts all requests in both directions. Nothing is written after this. */
  dispose(): void {
    this.#isClosed = true;
    const reason = new CancelledError('The client closed the connection.');
    for (const controller of this.#running.values()) controller.abort(reason);
    for (const request of this.#pending.values()) request.reject(reason);
    this.#running.clear();
    this.#pending.clear();
  }

  #dispatch(message: IncomingMessage): void {
    switch (message.kind) {
      case 'request':
        void this.#answer(message.id, message.method, message.params);
        return;
      case 'notification':
        this.#listeners.get(message.method)?.(message.params);
        return;
      case 'result':
        this.#takePending(message.id)?.resolve(message.result);
        return;
      case 'error': {
        const { code, message: text, data } = message.error;
        this.#takePending(message.id)?.reject(new JsonRpcError(code, text, data));
        return;
      }
      case 'malformed':
        this.#sendError(message.id, new JsonRpcError(ErrorCodes.invalidRequest, `Invalid request: ${message.reason}`));
        return;
    }
  }

  async #answer(id: RequestId, method: string, params: UnknownRecord): Promise<void> {
    if (this.#running.has(id)) {
      this.#sendError(id, new JsonRpcError(ErrorCodes.invalidRequest, `Invalid request: id ${id} is already in use.`));
      return;
    }
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const result = await this.#run(method, params, controller.signal);
      // A cancelled request gets no response (2025-11-25, Basic / Utilities / Cancellation).
      if (!controller.signal.aborted) this.#send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      if (!controller.signal.aborted) this.#sendError(id, this.#toWireError(method, error));
    } finally {
      this.#running.delete(id);
    }
  }

  async #run(method: string, params: UnknownRecord, signal: AbortSignal): Promise<object> {
    const handler = this.#handlers.get(method);
    if (handler === undefined) throw new JsonRpcError(ErrorCodes.methodNotFound, `Method not found: ${method}`);
    this.#options.assertMethodAllowed(method);
    const token = progressTokenOf(params);
    const progress = (value: Progress): void => {
      if (token === undefined || signal.aborted) return;
      this.notify('notifications/progress', { progressToken: token, ...value });
    };
    return await handler(params, { signal, progress });
  }

  #cancelRunning(id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    this.#running.get(id)?.abort(new CancelledError('The client cancelled the request.'));
  }

  #takePending(id: RequestId | undefined): PendingRequest | undefined {
    if (id === undefined) return undefined;
    const request = this.#pending.get(id);
    this.#pending.delete(id);
    return request;
  }

  #toWireError(method: string, error: unknown): JsonRpcError {
    if (error instanceof JsonRpcError) return error;
    this.#options.onUnexpectedError(method, error);
    return new JsonRpcError(ErrorCodes.internalError, 'Internal error');
  }

  #sendError(id: RequestId | undefined, { code, message, data }: JsonRpcError): void {
    // `id` is left out if the request's id could not be read (2025-11-25, Schema / JSONRPCErrorResponse).
    const error = { code, message, ...(data !== undefined && { data }) };
    this.#send({ jsonrpc: '2.0', ...(id !== undefined && { id }), error });
  }

  #send(message: JsonRpcMessage): void {
    if (!this.#isClosed) this.#options.write(`${JSON.stringify(message)}\n`);
  }
}

function progressTokenOf(params: UnknownRecord): ProgressToken | undefined {
  const meta = params['_meta'];
  if (typeof meta !== 'object' || meta === null || !('progressToken' in meta)) return undefined;
  const token = meta.progressToken;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** Splits a stream of bytes into lines. */
export interface LineReader {
  /** Adds the next bytes. */
  push(chunk: Uint8Array): void;
  /** Ends the input; a last line without a line break is a line too. */
  end(): void;
}

/**
 * Splits UTF-8 at `\n` only: a JSON string may contain the other line separators of Unicode.
 * @param onLine called with each line, without its line break
 */
export function createLineReader(onLine: (line: string) => void): LineReader {
  const decoder = new TextDecoder();
  let pending: string[] = [];

  function accept(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      pending.push(text.slice(start, end));
      const line = pending.join('');
      pending = [];
      start = end + 1;
      onLine(line);
    }
    if (start < text.length) pending.push(text.slice(start));
  }

  return {
    push: (chunk) => accept(decoder.decode(chunk, { stream: true })),
    end() {
      accept(decoder.decode());
      if (pending.length > 0) accept('\n');
    },
  };
}
