import type { Clock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import { CancelledError, messageOf, PatchbayError } from '../base/errors.ts';
import { digitsAt, keepDigits } from '../base/exactIntegers.ts';
import type { UnknownRecord } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import {
  limitBatch,
  classifyMessage,
  ErrorCodes,
  type IncomingMessage,
  isRequestId,
  type JsonRpcAnswer,
  type JsonRpcErrorBody,
  ownId,
  type RequestId,
} from './jsonRpc.ts';
import { errorAnswer, IncomingRequests, type RequestHandler } from './incomingRequests.ts';
import { onlyPending, type PendingRequest, type RequestOptions } from './pendingRequests.ts';
import type { MessageChannel } from './messageChannel.ts';
import { type Progress, readProgress, withProgressToken } from './progress.ts';
import { RequestTimeouts } from './requestTimeouts.ts';
import {
  describeErrorAnswer,
  invalidAnswerError,
  describeReason,
  cancellationReason,
  toThrownError,
  shortMethod,
  timeoutError,
} from './peerErrors.ts';

/** Handles the notifications of one part of the protocol; their parameters are unchecked. @returns false for unknown ones */
export type NotificationHandler = (method: string, params: UnknownRecord) => boolean;

export interface PeerOptions {
  readonly channel: MessageChannel;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Maximum milliseconds without a response or progress. */
  readonly requestMs: number;
  /** Maximum milliseconds of one request in total. */
  readonly maximumMs: number;
}

type Answer = Promise<JsonRpcAnswer | undefined>;
/** Sends the answer to a request of the server; `undefined` means no answer. */
type Reply = (answer: Answer) => void;

const jsonrpc = '2.0' as const;

/** Messages that may wait to be sent; a server that reads too slowly gets no further answers. */
const maximumUnsent = 1_000;

/** Servers that obey a cancellation never answer, so old entries are removed. */
const maximumLateResults = 100;

/** A JSON-RPC connection over one channel: ids, timeouts, progress and cancellation, but no MCP feature. */
export class Peer implements Disposable {
  readonly #options: PeerOptions;
  readonly #pending = new Map<RequestId, PendingRequest>();
  readonly #incoming: IncomingRequests;
  #keptProgress: Map<RequestId, (progress: Progress) => void> | undefined;
  /** Receive the results of requests that were cancelled or timed out, the oldest first. */
  #lateResults: Map<RequestId, (result: unknown) => void> | undefined;
  readonly #notificationHandlers: NotificationHandler[] = [];
  readonly #subscriptions: readonly (Disposable | undefined)[];
  readonly #timeouts: RequestTimeouts;
  #nextId = 1;
  /** The next id when the last message without an answer was sent; 0 when a later answer shows that it was read. */
  #ambiguousFrom = 0;
  #answersBatches = false;
  #refusesRequests = false;
  #unsent = 0;
  readonly #ended = new AbortController();
  readonly #reply: Reply = (answer) => void answer.then((message) => message && this.#send(message));
  #closeReason: Error | undefined;

  constructor(options: PeerOptions) {
    this.#options = options;
    const { clock, maximumMs } = options;
    this.#timeouts = new RequestTimeouts(clock, maximumMs, this.#pending, (id, { method }, limitMs) =>
      this.#abandon(id, timeoutError(method, limitMs)),
    );
    this.#incoming = new IncomingRequests(
      options.logger,
      this.#timeouts,
      () => this.#findCause(),
      (method, params) => void this.#send({ jsonrpc, method, params }),
    );
    this.#subscriptions = [
      options.channel.onMessage((value) => {
        if (Array.isArray(value)) this.#receiveBatch(value);
        else this.#dispatch(classifyMessage(value), withDigitsOf(value, this.#reply));
      }),
      options.channel.onDidDropAnswer?.(({ id, error }) => this.#remove(id)?.reject(error)),
    ];
  }

  /**
   * Sends a request with an id that is never used again.
   * @returns the raw result, unchecked
   * @throws {JsonRpcError} the server's error
   * @throws {PatchbayError} `timeout` or `connectionClosed`; or the signal's reason
   */
  request(method: string, params?: UnknownRecord, options: RequestOptions = {}): Promise<unknown> {
    const { signal, onProgress } = options;
    if (this.#closeReason !== undefined) return Promise.reject(this.#closeReason);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = this.#nextId++;
    const sent = onProgress === undefined ? params : withProgressToken(params, id);
    const message = sent === undefined ? { jsonrpc, id, method } : { jsonrpc, id, method, params: sent };
    return new Promise((resolve, reject) => {
      const onAbort = signal && ((): void => this.#abandon(id, signal.reason as Error));
      if (onAbort) signal.addEventListener('abort', onAbort, { once: true });
      const { requestMs, maximumMs, channel, clock } = this.#options;
      const idleMs = options.isOpenEnded ? Infinity : Math.min(options.timeoutMs ?? requestMs, maximumMs);
      const startedAt = clock.now();
      const request: PendingRequest = {
        method,
        options,
        resolve,
        reject,
        onAbort,
        idleMs,
        startedAt,
        lastActivityAt: startedAt,
        pauses: 0,
        pausedSince: startedAt,
        lastProgress: -Infinity,
      };
      this.#pending.set(id, request);
      this.#timeouts.start(request);
      const fail = (error: Error): void => this.#remove(id)?.reject(error);
      try {
        options.onSent?.(id);
        channel.send(message, options.hints).catch(fail);
      } catch (error) {
        // The parameters cannot be written as JSON.
        fail(error as Error);
      }
    });
  }

  notify(method: string, params?: UnknownRecord): Promise<void> {
    if (this.#closeReason !== undefined) return Promise.reject(this.#closeReason);
    this.#ambiguousFrom = this.#nextId;
    return this.#options.channel.send({ jsonrpc, method, ...(params && { params }) });
  }

  onRequest(method: string, handler: RequestHandler): Disposable {
    return this.#incoming.on(method, handler);
  }

  /** For all notifications except progress and cancellation. The handler that was added last is asked first. */
  onNotification(handler: NotificationHandler): void {
    this.#notificationHandlers.unshift(handler);
  }

  /** Receives progress after the response too (2025-11-25, … / Tasks, "Task Progress Notifications"). */
  keepProgress(id: RequestId, onProgress: (progress: Progress) => void): Disposable {
    const kept = (this.#keptProgress ??= new Map());
    kept.set(id, onProgress);
    return toDisposable(() => kept.delete(id));
  }

  /** From now on, answers the requests of one batch in one batch (2025-03-26, Basic, "Batching"). */
  answerBatches(): void {
    this.#answersBatches = true;
  }

  /** From now on, drops and logs requests of the server (2026-07-28, Basic, "Messages"). */
  refuseRequests(): void {
    this.#refusesRequests = true;
  }

  /** A request is pending, on either side. Open-ended requests and heartbeats do not count. */
  get isBusy(): boolean {
    const isAwaited = ({ options }: PendingRequest): boolean => !options.isOpenEnded && !options.isHeartbeat;
    return this.#incoming.isOpen || [...this.#pending.values()].some(isAwaited);
  }

  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Rejects pending and later requests. `dispose` first sends `notifications/cancelled` for pending ones. */
  close(reason: Error): void {
    if (this.#closeReason !== undefined) return;
    this.#closeReason = reason;
    this.#ended.abort(reason);
    for (const subscription of this.#subscriptions) subscription?.dispose();
    this.#timeouts.dispose();
    for (const id of this.#pending.keys()) this.#remove(id)?.reject(reason);
    this.#incoming.abort(reason);
  }

  /** @param reason what pending requests reject with */
  dispose(reason: Error = new PatchbayError('connectionClosed', 'The connection to the server was closed.')): void {
    for (const [id, request] of this.#pending) {
      if (request.options.isCancellable !== false) this.#notifyCancelled(id, request, reason);
    }
    this.close(reason);
  }

  #remove(id: RequestId): PendingRequest | undefined {
    const request = this.#pending.get(id);
    if (request === undefined) return undefined;
    this.#pending.delete(id);
    if (request.onAbort) request.options.signal?.removeEventListener('abort', request.onAbort);
    return request;
  }

  #abandon(id: RequestId, error: Error): void {
    const request = this.#remove(id);
    if (request === undefined) return;
    this.#ambiguousFrom = this.#nextId;
    const { onLateResult, isCancellable } = request.options;
    request.reject(error);
    if (onLateResult) {
      const late = (this.#lateResults ??= new Map()).set(id, onLateResult);
      const [oldest] = late.keys();
      if (oldest !== undefined && late.size > maximumLateResults) late.delete(oldest);
    }
    if (isCancellable !== false) this.#notifyCancelled(id, request, error);
  }

  /** Only 2025-03-26 has batches, but they are accepted from every server. */
  #receiveBatch(batch: readonly unknown[]): void {
    const { taken, leftOut } = limitBatch(batch, (id) => this.#pending.has(id));
    const answers: Answer[] = [];
    const reply: Reply = this.#answersBatches ? (answer) => answers.push(answer) : this.#reply;
    for (const entry of taken) this.#dispatch(classifyMessage(entry), withDigitsOf(entry, reply));
    if (answers.length > 0) void this.#sendBatch(answers);
    if (leftOut > 0) this.#options.logger.warn(`Ignored ${leftOut} messages of one batch that had too many.`);
  }

  async #sendBatch(answers: readonly Answer[]): Promise<void> {
    const sent = (await Promise.all(answers)).filter((answer) => answer !== undefined);
    if (sent.length > 0) await this.#send(sent);
  }

  #dispatch(message: IncomingMessage, reply: Reply): void {
    // An earlier message of the batch may have ended the connection.
    if (this.#closeReason !== undefined) return;
    switch (message.kind) {
      case 'result':
        return this.#receiveResult(message.id, message.result);
      case 'error':
        return this.#receiveError(message.id, message.error);
      case 'notification':
        return this.#receiveNotification(message.method, message.params);
      case 'request':
        if (this.#refusesRequests)
          this.#options.logger.warn(
            `Ignored the request ${shortMethod(message.method)}: servers of this revision send none.`,
          );
        else reply(this.#incoming.serve(message.id, message.method, message.params));
        return;
      case 'malformed':
        this.#receiveMalformed(message, reply);
    }
  }

  #receiveMalformed({ id, isCall, reason }: Extract<IncomingMessage, { kind: 'malformed' }>, reply: Reply): void {
    this.#options.logger.warn(`Ignored a message that is not JSON-RPC: ${reason}.`);
    if (id === undefined) return;
    if (!isCall) this.#remove(id)?.reject(invalidAnswerError(reason));
    else if (!this.#refusesRequests)
      reply(Promise.resolve(errorAnswer(id, ErrorCodes.invalidRequest, `Invalid request: ${reason}`)));
  }

  /** Our request that caused a request of the server, which does not name it: the only one that can be cancelled. */
  #findCause(): (() => void) | undefined {
    const id = onlyPending(
      this.#pending,
      ({ isOpenEnded, isHeartbeat, isCancellable }) => !isOpenEnded && !isHeartbeat && isCancellable !== false,
    );
    return id === undefined ? undefined : () => this.#abandon(id, new CancelledError('The person cancelled it'));
  }

  #receiveResult(id: RequestId, result: unknown): void {
    const onLateResult = this.#lateResults?.get(id);
    if (onLateResult === undefined) return this.#takeAnswered(id)?.resolve(result);
    this.#lateResults?.delete(id);
    onLateResult(result);
  }

  #takeAnswered(id: RequestId): PendingRequest | undefined {
    const request = this.#remove(id);
    if (request === undefined)
      this.#options.logger.debug(() => `Dropped a late or unknown answer with id ${JSON.stringify(id)}.`);
    else if (Number(id) >= this.#ambiguousFrom) this.#ambiguousFrom = 0;
    return request;
  }

  #receiveError(named: RequestId | undefined, error: JsonRpcErrorBody): void {
    // Without an id, it belongs to the only pending request (2025-11-25, Basic, "Errors"), if not to a notification.
    const isAmbiguous = named === undefined && this.#ambiguousFrom > 0;
    const id = isAmbiguous ? undefined : (named ?? onlyPending(this.#pending, ({ isOpenEnded }) => !isOpenEnded));
    if (id === undefined)
      return this.#options.logger.warn(
        `The server reported an error without a request: ${error.message} (${error.code})`,
      );
    const request = this.#takeAnswered(id);
    if (request === undefined) return;
    // `data` helps to find the cause, so it is logged at a level that is shown by default.
    const level = error.data === undefined ? 'debug' : 'info';
    this.#options.logger[level](() => describeErrorAnswer(request.method, error));
    request.reject(toThrownError(error));
  }

  #receiveNotification(method: string, params: UnknownRecord): void {
    switch (method) {
      case 'notifications/progress':
        return this.#receiveProgress(params);
      case 'notifications/cancelled':
        return this.#cancelIncoming(params['requestId'], params['reason']);
      case '$/cancelRequest':
        // Of the Language Server Protocol, which some hand-written servers use.
        return this.#cancelIncoming(params['id'], undefined);
    }
    if (!this.#notificationHandlers.some((handle) => handle(method, params)))
      this.#options.logger.debug(() => `Ignored the unknown notification ${shortMethod(method)}.`);
  }

  #receiveProgress(params: UnknownRecord): void {
    const read = readProgress(params);
    if (read === undefined) return;
    const request = this.#pending.get(read.token);
    if (request === undefined) return this.#keptProgress?.get(read.token)?.(read.progress);
    const { onProgress } = request.options;
    if (onProgress === undefined) return;
    // What does not increase shows only that the server is at work.
    request.lastActivityAt = this.#options.clock.now();
    if (read.progress.progress <= request.lastProgress) return;
    request.lastProgress = read.progress.progress;
    onProgress(read.progress);
  }

  #cancelIncoming(id: unknown, reason: unknown): void {
    if (!isRequestId(id)) return;
    const { logger } = this.#options;
    // The only request that a server may end this way is `subscriptions/listen` (2026-07-28, Basic / Patterns /
    // Cancellation).
    const sent = ownId(id);
    const own = this.#refusesRequests && this.#pending.get(sent)?.options.isOpenEnded ? this.#remove(sent) : undefined;
    if (own !== undefined) logger.info(`The server ended ${own.method}${describeReason(reason)}`);
    own?.reject(new PatchbayError('answerLost', 'The server ended the request without an answer.'));
    this.#incoming.cancel(id, reason);
  }

  #notifyCancelled(requestId: RequestId, { method, options }: PendingRequest, error: Error): void {
    const reason = cancellationReason(error);
    this.#options.logger.debug(() => `Cancelled ${method} (${requestId}): ${reason}.`);
    const params = { requestId, reason };
    void this.#send({ jsonrpc, method: 'notifications/cancelled', params }, options.hints);
  }

  /** Sends without reporting failures: the caller does not wait, and a closed channel reports its end itself. */
  async #send(...[message, hints]: Parameters<MessageChannel['send']>): Promise<void> {
    if (this.#unsent >= maximumUnsent) return;
    this.#ambiguousFrom = this.#nextId;
    this.#unsent += 1;
    try {
      await this.#options.channel.send(message, hints);
    } catch (error) {
      this.#options.logger.debug(() => `Could not send: ${messageOf(error)}`);
    } finally {
      this.#unsent -= 1;
    }
  }
}

/** The answer has the id of the request as it was written, which a number may not hold. */
function withDigitsOf(request: unknown, reply: Reply): Reply {
  const digits = digitsAt(request, 'id');
  if (digits === undefined) return reply;
  return (answer) =>
    reply(
      answer.then((message) => {
        if (message !== undefined) keepDigits(message, 'id', digits);
        return message;
      }),
    );
}
