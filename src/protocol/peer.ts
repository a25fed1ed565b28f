import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '../base/disposable.ts';
import { CancelledError, isCancellation, messageOf, PatchbayError } from '../base/errors.ts';
import type { UnknownRecord } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import {
  classifyMessage,
  ErrorCodes,
  type IncomingMessage,
  isRequestId,
  JsonRpcError,
  type JsonRpcErrorBody,
  type RequestId,
} from './jsonRpc.ts';
import type { MessageChannel } from './messageChannel.ts';
import { type Progress, readProgress } from './mcp/progress.ts';

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Overrides the peer's limit for one request; progress starts this clock anew. */
  readonly timeoutMs?: number;
  /** Asks for progress; called only while the request is open, and only when progress grows. */
  readonly onProgress?: (progress: Progress) => void;
  /** `false` for requests that must never be cancelled on the wire, such as `initialize`. */
  readonly isCancellable?: boolean;
}

export interface RequestHandlerContext {
  /** Aborted when the other side cancels or the connection ends; whatever is answered then is dropped. */
  readonly signal: AbortSignal;
}

/** Throw a {@link JsonRpcError} to choose the code; anything else becomes `-32603` without detail. */
export type RequestHandler = (params: UnknownRecord, context: RequestHandlerContext) => Promise<object>;
export type NotificationHandler = (params: UnknownRecord) => void;

/** Pairs requests with answers over one channel. Knows ids, timeouts, progress and cancellation, but no MCP feature. */
export interface Peer extends Disposable {
  /**
   * Sends a request with an id that is never used again.
   * @returns the raw result, unchecked
   * @throws {JsonRpcError} the other side's error
   * @throws {PatchbayError} `timeout` or `connectionClosed`; or the signal's reason
   */
  request(method: string, params?: UnknownRecord, options?: RequestOptions): Promise<unknown>;
  notify(method: string, params?: UnknownRecord): Promise<void>;
  onRequest(method: string, handler: RequestHandler): Disposable;
  onNotification(method: string, handler: NotificationHandler): Disposable;
  /** Ends everything that is open with `reason`; later requests fail the same way. */
  close(reason: Error): void;
}

export interface PeerOptions {
  readonly channel: MessageChannel;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds without answer or progress. */
  readonly requestMs: number;
  /** Milliseconds altogether. */
  readonly maximumMs: number;
}

interface PendingRequest {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly restartTimer: () => void;
  lastProgress: number;
}

/** A server that keeps more requests than this open at once is refused further ones. */
const maximumIncoming = 100;

export function createPeer(options: PeerOptions): Peer {
  return new ChannelPeer(options);
}

class ChannelPeer implements Peer {
  readonly #options: PeerOptions;
  readonly #pending = new Map<RequestId, PendingRequest>();
  readonly #incoming = new Map<RequestId, AbortController>();
  readonly #requestHandlers = new Map<string, RequestHandler>();
  readonly #notificationHandlers = new Map<string, NotificationHandler>();
  readonly #subscriptions = new DisposableStore();
  #nextId = 1;
  #closeReason: Error | undefined;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.#subscriptions.add(options.channel.onMessage((value) => this.#receive(value)));
    this.onNotification('notifications/progress', (params) => this.#receiveProgress(params));
    this.onNotification('notifications/cancelled', (params) => this.#cancelIncoming(params['requestId']));
    // Not MCP, but some hand-written servers follow the Language Server Protocol here.
    this.onNotification('$/cancelRequest', (params) => this.#cancelIncoming(params['id']));
  }

  request(method: string, params?: UnknownRecord, options: RequestOptions = {}): Promise<unknown> {
    const { signal, onProgress } = options;
    if (this.#closeReason !== undefined) return Promise.reject(this.#closeReason);
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const settle = new DisposableStore();
      const fail = (error: Error): void => {
        if (!this.#pending.delete(id)) return;
        settle.dispose();
        reject(error);
      };
      const abandon = (error: Error): void => {
        fail(error);
        if (options.isCancellable !== false) this.#notifyCancelled(id, error);
      };
      if (signal !== undefined) settle.add(onAbort(signal, () => abandon(signal.reason as Error)));
      const restartTimer = this.#startTimers(method, options.timeoutMs, settle, abandon);
      this.#pending.set(id, {
        method,
        resolve: (result) => {
          settle.dispose();
          resolve(result);
        },
        reject: (error) => {
          settle.dispose();
          reject(error);
        },
        onProgress,
        restartTimer,
        lastProgress: -Infinity,
      });
      const sent = onProgress === undefined ? params : withProgressToken(params, id);
      this.#options.channel.send({ jsonrpc: '2.0', id, method, ...(sent && { params: sent }) }).catch(fail);
    });
  }

  notify(method: string, params?: UnknownRecord): Promise<void> {
    if (this.#closeReason !== undefined) return Promise.reject(this.#closeReason);
    return this.#options.channel.send({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  onRequest(method: string, handler: RequestHandler): Disposable {
    this.#requestHandlers.set(method, handler);
    return toDisposable(() => this.#requestHandlers.delete(method));
  }

  onNotification(method: string, handler: NotificationHandler): Disposable {
    this.#notificationHandlers.set(method, handler);
    return toDisposable(() => this.#notificationHandlers.delete(method));
  }

  close(reason: Error): void {
    if (this.#closeReason !== undefined) return;
    this.#closeReason = reason;
    this.#subscriptions.dispose();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const request of pending) request.reject(reason);
    for (const controller of this.#incoming.values()) controller.abort(reason);
    this.#incoming.clear();
  }

  dispose(): void {
    this.close(new PatchbayError('connectionClosed', 'The connection to the server was closed.'));
  }

  /** @returns a function that starts the idle clock anew; the hard maximum runs on */
  #startTimers(
    method: string,
    timeoutMs: number | undefined,
    settle: DisposableStore,
    abandon: (error: Error) => void,
  ): () => void {
    const { clock, maximumMs } = this.#options;
    const requestMs = timeoutMs ?? this.#options.requestMs;
    const expire = (milliseconds: number) => (): void => abandon(timeoutError(method, milliseconds));
    let idle = settle.add(clock.after(requestMs, expire(requestMs)));
    // Most requests never see progress: then the idle clock alone is enough.
    let hasMaximum = false;
    const startedAt = clock.now();
    return () => {
      settle.delete(idle);
      idle = settle.add(clock.after(requestMs, expire(requestMs)));
      if (hasMaximum) return;
      hasMaximum = true;
      settle.add(clock.after(Math.max(0, startedAt + maximumMs - clock.now()), expire(maximumMs)));
    };
  }

  #receive(value: unknown): void {
    // Batches exist in 2025-03-26 only; taking them from any server does no harm.
    if (Array.isArray(value)) for (const entry of value) this.#dispatch(classifyMessage(entry));
    else this.#dispatch(classifyMessage(value));
  }

  #dispatch(message: IncomingMessage): void {
    switch (message.kind) {
      case 'result':
        this.#take(message.id)?.resolve(message.result);
        return;
      case 'error':
        this.#receiveError(message.id, message.error);
        return;
      case 'notification':
        this.#receiveNotification(message.method, message.params);
        return;
      case 'request':
        void this.#serve(message.id, message.method, message.params);
        return;
      case 'malformed':
        this.#options.logger.warn(`Ignored a message that is not JSON-RPC: ${message.reason}.`);
    }
  }

  #take(id: RequestId): PendingRequest | undefined {
    const request = this.#pending.get(id);
    if (request === undefined)
      this.#options.logger.debug(() => `Dropped a late or unknown answer with id ${JSON.stringify(id)}.`);
    else this.#pending.delete(id);
    return request;
  }

  #receiveError(id: RequestId | undefined, error: JsonRpcErrorBody): void {
    if (id === undefined)
      this.#options.logger.warn(`The server reported an error without a request: ${error.message} (${error.code})`);
    else this.#take(id)?.reject(new JsonRpcError(error.code, error.message, error.data));
  }

  #receiveNotification(method: string, params: UnknownRecord): void {
    const handler = this.#notificationHandlers.get(method);
    if (handler === undefined) this.#options.logger.debug(() => `Ignored the unknown notification ${method}.`);
    else handler(params);
  }

  #receiveProgress(params: UnknownRecord): void {
    const read = readProgress(params);
    const request = read && this.#pending.get(read.token);
    if (!read || request?.onProgress === undefined || read.progress.progress <= request.lastProgress) return;
    request.lastProgress = read.progress.progress;
    request.restartTimer();
    request.onProgress(read.progress);
  }

  async #serve(id: RequestId, method: string, params: UnknownRecord): Promise<void> {
    const handler = this.#requestHandlers.get(method);
    if (handler === undefined) return this.#answerError(id, ErrorCodes.methodNotFound, `Method not found: ${method}`);
    if (this.#incoming.has(id)) return this.#answerError(id, ErrorCodes.invalidRequest, 'This id is already in use');
    if (this.#incoming.size >= maximumIncoming) {
      return this.#answerError(id, ErrorCodes.internalError, 'Too many requests at once');
    }
    const controller = new AbortController();
    this.#incoming.set(id, controller);
    try {
      const result = await handler(params, { signal: controller.signal });
      // A request the server cancelled gets no answer (utilities, "Cancellation").
      if (!controller.signal.aborted) await this.#send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      if (!controller.signal.aborted) await this.#answerFailure(id, method, error);
    } finally {
      if (this.#incoming.get(id) === controller) this.#incoming.delete(id);
    }
  }

  #cancelIncoming(id: unknown): void {
    if (!isRequestId(id)) return;
    const controller = this.#incoming.get(id);
    this.#incoming.delete(id);
    controller?.abort(new CancelledError('The server cancelled its request'));
  }

  #answerFailure(id: RequestId, method: string, error: unknown): Promise<void> {
    if (error instanceof JsonRpcError) return this.#answerError(id, error.code, error.message, error.data);
    this.#options.logger.error(`Answering ${method} failed: ${messageOf(error)}`);
    return this.#answerError(id, ErrorCodes.internalError, 'Internal error');
  }

  #answerError(id: RequestId, code: number, message: string, data?: unknown): Promise<void> {
    return this.#send({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
  }

  #notifyCancelled(requestId: RequestId, error: Error): void {
    void this.#send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId, reason: reasonOf(error) },
    });
  }

  /** Sends what nobody waits for; a channel that is gone has said so by closing. */
  async #send(message: Parameters<MessageChannel['send']>[0]): Promise<void> {
    try {
      await this.#options.channel.send(message);
    } catch (error) {
      this.#options.logger.debug(() => `Could not send: ${messageOf(error)}`);
    }
  }
}

function withProgressToken(params: UnknownRecord | undefined, progressToken: RequestId): UnknownRecord {
  const meta = params?.['_meta'] as UnknownRecord | undefined;
  return { ...params, _meta: { ...meta, progressToken } };
}

function onAbort(signal: AbortSignal, listener: () => void): Disposable {
  signal.addEventListener('abort', listener, { once: true });
  return toDisposable(() => signal.removeEventListener('abort', listener));
}

function timeoutError(method: string, milliseconds: number): PatchbayError {
  const seconds = Math.round(milliseconds / 100) / 10;
  return new PatchbayError('timeout', `The server did not answer ${method} within ${seconds} s.`);
}

function reasonOf(error: Error): string {
  if (isCancellation(error)) return 'Cancelled by the user';
  return error instanceof PatchbayError && error.code === 'timeout' ? 'Timed out' : 'No longer needed';
}
