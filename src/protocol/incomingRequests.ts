import { raceAbort } from '../base/abort.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import { CancelledError, messageOf } from '../base/errors.ts';
import type { UnknownRecord } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import { ErrorCodes, type JsonRpcAnswer, JsonRpcError, type RequestId } from './jsonRpc.ts';
import { type Progress, readProgressToken } from './progress.ts';
import { describeReason, shortMethod } from './peerErrors.ts';
import type { RequestTimeouts } from './requestTimeouts.ts';

export interface RequestHandlerContext {
  /** Aborted when the server cancels the request or the connection ends; an answer after that is dropped. */
  readonly signal: AbortSignal;
  /** Sends progress, if the server gave a progress token; `progress` must increase with each call. */
  readonly reportProgress: (progress: Progress) => void;
  /** The user is asked: until disposed, timeouts of our pending requests pause. */
  readonly waitForPerson: () => Disposable;
  /** Cancels our request that caused this one. Absent where the cause is unknown: it is not the only one. */
  readonly cancelCause?: (() => void) | undefined;
}

/** A thrown {@link JsonRpcError} is sent as it is; any other error becomes `-32603` without detail. */
export type RequestHandler = (params: UnknownRecord, context: RequestHandlerContext) => Promise<object>;

/** Requests that a server may have open at once; further ones are refused. */
const maximumOpen = 100;

export class IncomingRequests {
  readonly #logger: Logger;
  readonly #timeouts: RequestTimeouts;
  readonly #cancelCause: () => (() => void) | undefined;
  readonly #notify: (method: string, params: UnknownRecord) => void;
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #open = new Map<RequestId, { readonly method: string; readonly controller: AbortController }>();

  /**
   * @param timeouts of our own requests: suspended while the server waits for our answer, paused while a person is asked
   * @param cancelCause called for each request: returns a function that cancels our request that caused it, where that is known
   */
  constructor(
    logger: Logger,
    timeouts: RequestTimeouts,
    cancelCause: () => (() => void) | undefined,
    notify: (method: string, params: UnknownRecord) => void,
  ) {
    this.#logger = logger;
    this.#timeouts = timeouts;
    this.#cancelCause = cancelCause;
    this.#notify = notify;
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  on(method: string, handler: RequestHandler): Disposable {
    this.#handlers.set(method, handler);
    return toDisposable(() => this.#handlers.delete(method));
  }

  /** @returns `undefined` for a request that the server cancelled (2025-11-25, Basic / Utilities / Cancellation) */
  async serve(id: RequestId, method: string, params: UnknownRecord): Promise<JsonRpcAnswer | undefined> {
    const handler = this.#handlers.get(method);
    if (handler === undefined)
      return errorAnswer(id, ErrorCodes.methodNotFound, `Method not found: ${shortMethod(method)}`);
    if (this.#open.has(id)) return errorAnswer(id, ErrorCodes.invalidRequest, 'This id is already in use');
    if (this.#open.size >= maximumOpen) return errorAnswer(id, ErrorCodes.internalError, 'Too many requests at once');
    const controller = new AbortController();
    const { signal } = controller;
    this.#open.set(id, { method, controller });
    const isOpen = (): boolean => this.#open.get(id)?.controller === controller;
    const waiting = this.#timeouts.suspend();
    try {
      const reportProgress = this.#progressReporter(params, isOpen);
      const waitForPerson = (): Disposable => this.#timeouts.pause();
      const context = { signal, reportProgress, waitForPerson, cancelCause: this.#cancelCause() };
      // A cancelled handler may run on, and the other answers of its batch wait for this one.
      const result = await raceAbort(handler(params, context), signal);
      return { jsonrpc: '2.0', id, result };
    } catch (error) {
      return signal.aborted ? undefined : this.#failureAnswer(id, method, error);
    } finally {
      waiting.dispose();
      if (isOpen()) this.#open.delete(id);
    }
  }

  /** Aborts the handler: the server cancelled the request. @param reason of the server, unchecked */
  cancel(id: RequestId, reason: unknown): void {
    const request = this.#open.get(id);
    if (request === undefined) return;
    this.#open.delete(id);
    this.#logger.info(`The server cancelled its request ${request.method}${describeReason(reason)}`);
    request.controller.abort(new CancelledError('The server cancelled its request'));
  }

  abort(reason: Error): void {
    for (const { controller } of this.#open.values()) controller.abort(reason);
    this.#open.clear();
  }

  #progressReporter(params: UnknownRecord, isOpen: () => boolean): (progress: Progress) => void {
    const progressToken = readProgressToken(params);
    return (progress) => {
      // Progress notifications must stop with the request (2025-11-25, Basic / Utilities / Progress).
      if (progressToken !== undefined && isOpen())
        this.#notify('notifications/progress', { progressToken, ...progress });
    };
  }

  #failureAnswer(id: RequestId, method: string, error: unknown): JsonRpcAnswer {
    if (error instanceof JsonRpcError) return errorAnswer(id, error.code, error.message, error.data);
    this.#logger.error(`Answering ${method} failed: ${messageOf(error)}`);
    return errorAnswer(id, ErrorCodes.internalError, 'Internal error');
  }
}

export function errorAnswer(id: RequestId, code: number, message: string, data?: unknown): JsonRpcAnswer {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}
