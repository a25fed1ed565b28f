import { raceAbort } from '../base/abort.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import { CancelledError, messageOf } from '../base/errors.ts';
import type { UnknownRecord } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import { ErrorCodes, type JsonRpcAnswer, JsonRpcError, type RequestId } from './jsonRpc.ts';
import { type Progress, readProgressToken } from './mcp/progress.ts';
import { reasonGiven, shortened } from './peerWords.ts';

export interface RequestHandlerContext {
  /** Aborted when the other side cancels or the connection ends; whatever is answered then is dropped. */
  readonly signal: AbortSignal;
  /** Says how far the answer has come, if the other side asked to hear; `progress` must grow from call to call. */
  readonly reportProgress: (progress: Progress) => void;
  /** Says that a person is at it: until disposed no time passes for the requests of ours that may wait for them. */
  readonly waitForPerson: () => Disposable;
  /** Cancels the request of ours that led to this one. Absent where that cannot be told: several are open, or none. */
  readonly cancelCause?: (() => void) | undefined;
}

/** Throw a {@link JsonRpcError} to choose the code; anything else becomes `-32603` without detail. */
export type RequestHandler = (params: UnknownRecord, context: RequestHandlerContext) => Promise<object>;

export interface IncomingRequestsOptions {
  readonly logger: Logger;
  /** Until disposed the other side waits for an answer of ours. */
  readonly suspend: () => Disposable;
  /** See {@link RequestHandlerContext}. */
  readonly waitForPerson: () => Disposable;
  /** Asked when a request comes: what cancels the one of ours that led to it, if that can be told. */
  readonly cancelCause: () => (() => void) | undefined;
  readonly notify: (method: string, params: UnknownRecord) => void;
}

/** A request that is being answered. */
interface IncomingRequest {
  readonly method: string;
  readonly controller: AbortController;
}

/** A server that keeps more requests than this open at once is refused further ones. */
const maximumOpen = 100;

/** The requests of the other side, each from its handler's start to its answer. */
export class IncomingRequests {
  readonly #options: IncomingRequestsOptions;
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #open = new Map<RequestId, IncomingRequest>();

  constructor(options: IncomingRequestsOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  on(method: string, handler: RequestHandler): Disposable {
    this.#handlers.set(method, handler);
    return toDisposable(() => this.#handlers.delete(method));
  }

  /** @returns the answer; nothing for a request that the other side cancelled (utilities, "Cancellation") */
  async serve(id: RequestId, method: string, params: UnknownRecord): Promise<JsonRpcAnswer | undefined> {
    const handler = this.#handlers.get(method);
    if (handler === undefined)
      return errorAnswer(id, ErrorCodes.methodNotFound, `Method not found: ${shortened(method)}`);
    if (this.#open.has(id)) return errorAnswer(id, ErrorCodes.invalidRequest, 'This id is already in use');
    if (this.#open.size >= maximumOpen) return errorAnswer(id, ErrorCodes.internalError, 'Too many requests at once');
    const controller = new AbortController();
    const request = { method, controller };
    this.#open.set(id, request);
    const waiting = this.#options.suspend();
    try {
      const reportProgress = this.#progressReporter(id, params, request);
      const { signal } = controller;
      const { waitForPerson } = this.#options;
      const context = { signal, reportProgress, waitForPerson, cancelCause: this.#options.cancelCause() };
      // Others may wait for this one in the same batch, however long the handler takes to end.
      const result = await raceAbort(handler(params, context), signal);
      return { jsonrpc: '2.0', id, result };
    } catch (error) {
      return controller.signal.aborted ? undefined : this.#failureAnswer(id, method, error);
    } finally {
      waiting.dispose();
      if (this.#open.get(id) === request) this.#open.delete(id);
    }
  }

  /** The other side does not want the answer any more. @param reason as it gave it, unchecked */
  cancel(id: RequestId, reason: unknown): void {
    const request = this.#open.get(id);
    if (request === undefined) return;
    this.#open.delete(id);
    this.#options.logger.info(`The server cancelled its request ${request.method}${reasonGiven(reason)}`);
    request.controller.abort(new CancelledError('The server cancelled its request'));
  }

  /** Ends everything that is open with `reason`. */
  abort(reason: Error): void {
    for (const { controller } of this.#open.values()) controller.abort(reason);
    this.#open.clear();
  }

  #progressReporter(id: RequestId, params: UnknownRecord, request: IncomingRequest): (progress: Progress) => void {
    const progressToken = readProgressToken(params);
    return (progress) => {
      // Progress stops with the request (utilities, "Progress").
      if (progressToken === undefined || this.#open.get(id) !== request) return;
      this.#options.notify('notifications/progress', { progressToken, ...progress });
    };
  }

  #failureAnswer(id: RequestId, method: string, error: unknown): JsonRpcAnswer {
    if (error instanceof JsonRpcError) return errorAnswer(id, error.code, error.message, error.data);
    this.#options.logger.error(`Answering ${method} failed: ${messageOf(error)}`);
    return errorAnswer(id, ErrorCodes.internalError, 'Internal error');
  }
}

export function errorAnswer(id: RequestId, code: number, message: string, data?: unknown): JsonRpcAnswer {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}
