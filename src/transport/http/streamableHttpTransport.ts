import { CancelledError, messageOf, PatchbayError } from '../../base/errors.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';
import { limits } from '../../base/limits.ts';
import { type ContextChange, isAnotherAccount } from '../../protocol/httpAuthorizer.ts';
import type { JsonRpcNotification, JsonRpcRequest, OutgoingMessage } from '../../protocol/jsonRpc.ts';
import type { SendHints } from '../../protocol/messageChannel.ts';
import type { CloseReason, Transport, TransportLog } from '../transport.ts';
import { CancellationNotices, noticeTimeoutMs } from './cancellationNotices.ts';
import { createHttpClient, type HttpPorts } from './httpClient.ts';
import { describeAddress, sessionLostError } from './httpProblems.ts';
import { HttpSession } from './httpSession.ts';
import { createResponseRouter, type PendingResponse } from './responseRouter.ts';
import { type ListenStream, openListenStream } from './listenStream.ts';
import { discardBody, drainBody } from './readBody.ts';
import { receiveResponse } from './receiveResponse.ts';
import { isAnswerTo, meansSessionLost, readErrorResponse } from './errorResponse.ts';
import { configuredHeaders, withoutUser } from './requestHeaders.ts';
import type { StreamableHttpContext } from './streamableHttpContext.ts';

/**
 * Creates a Streamable HTTP transport: each message is a POST, responses come as JSON or as an event stream (2025-03-26 to
 * 2026-07-28, Basic / Transports, "Streamable HTTP"). Sessions, the server's GET stream and resumption apply to messages
 * without `isStateless`.
 *
 * A failed request does not close the transport; it closes when the server's GET stream is unreachable.
 * @throws {PatchbayError} `configuration` for invalid headers
 */
export function createStreamableHttpTransport(plan: RemoteLaunchPlan, ports: HttpPorts): Transport {
  return new StreamableHttpTransport(plan, ports);
}

type Phase = 'new' | 'open' | 'closing' | 'closed';

class StreamableHttpTransport implements Transport {
  readonly #message = new Emitter<unknown>();
  readonly #close = new Emitter<CloseReason>();
  readonly #log = new Emitter<TransportLog>();
  readonly #loss = new Emitter<void>();
  readonly onMessage = this.#message.event;
  readonly onDidClose = this.#close.event;
  readonly onLog = this.#log.event;
  readonly onDidPauseTimeouts: Event<boolean> | undefined;
  readonly onDidChangeAuthorization: Event<void> | undefined;
  readonly authorizationContext: Transport['authorizationContext'];
  readonly secrets: Transport['secrets'];
  readonly onDidLoseSession = this.#loss.event;
  readonly #context: StreamableHttpContext;
  readonly #session: HttpSession;
  readonly #ignoredHeaders: readonly string[];
  /** Aborts the requests that are being sent or answered. */
  readonly #calls = new Set<AbortController>();
  readonly #notices: CancellationNotices;
  /** The last `initialize` request. */
  #opening: AbortController | undefined;
  #phase: Phase = 'new';
  #listening: ListenStream | undefined;
  #disposing: Promise<void> | undefined;

  constructor(plan: RemoteLaunchPlan, ports: HttpPorts) {
    const { headers, ignored } = configuredHeaders(plan);
    this.onDidPauseTimeouts = ports.authorizer?.onDidPauseTimeouts;
    this.onDidChangeAuthorization = ports.authorizer?.onDidChange;
    this.authorizationContext = ports.authorizer?.context;
    this.authorizationContext?.onDidChange((change) => this.#changeContext(change));
    this.secrets = ports.authorizer?.secrets;
    const note = (text: string): void => this.#log.fire({ source: 'note', text });
    this.#ignoredHeaders = ignored;
    this.#session = new HttpSession(headers);
    this.#notices = new CancellationNotices(ports.clock);
    this.#context = {
      client: createHttpClient(ports, (entry) => this.#log.fire(entry)),
      router: createResponseRouter(ports.clock, {
        message: (value) => this.#message.fire(value),
        log: (entry) => this.#log.fire(entry),
      }),
      session: this.#session,
      url: withoutUser(plan.url),
      address: describeAddress(plan.url),
      secrets: this.secrets,
      onDidChangeAuthorization: this.onDidChangeAuthorization,
      authorizationContext: this.authorizationContext,
      clock: ports.clock,
      random: ports.random,
      limits: ports.limits ?? limits.message,
      streams: new DisposableStore(),
      note,
      loseSession: (id) => {
        if (this.#loseSession(id)) this.#loss.fire();
      },
    };
  }

  async start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#phase !== 'new')
      throw new PatchbayError('disposed', 'A transport can be started only once. Create another.');
    this.#phase = 'open';
    for (const name of this.#ignoredHeaders)
      this.#context.note(`The configured header "${name}" is not sent: the protocol sets it.`);
  }

  negotiated(revision: string): void {
    this.#session.negotiated(revision);
  }

  send(message: OutgoingMessage, hints?: SendHints): Promise<void> {
    if (this.#phase !== 'open') return Promise.reject(this.#notSent());
    if (!('method' in message)) return this.#notify(message, hints);
    if ('id' in message) return this.#request(message, hints);
    if (message.method === 'notifications/cancelled') return this.#cancel(message, hints);
    return this.#notify(message, hints);
  }

  dispose(): Promise<void> {
    this.#disposing ??= this.#dispose();
    return this.#disposing;
  }

  async #request(message: JsonRpcRequest, hints: SendHints | undefined): Promise<void> {
    const pending = this.#context.router.register(message.id);
    const { controller } = pending;
    this.#calls.add(controller);
    try {
      await this.#ask(message, hints, pending);
    } catch (error) {
      throw controller.signal.aborted ? controller.signal.reason : error;
    } finally {
      this.#calls.delete(controller);
      this.#context.router.remove(pending);
    }
  }

  async #ask(message: JsonRpcRequest, hints: SendHints | undefined, pending: PendingResponse): Promise<void> {
    const isStateless = hints?.isStateless === true;
    const isOpening = !isStateless && message.method === 'initialize';
    const carried = isStateless || isOpening ? undefined : this.#session.id;
    if (isOpening) {
      // An earlier one was given up, and its late response would replace the newer session.
      this.#opening?.abort(new CancelledError('Another session is opened'));
      this.#opening = pending.controller;
    }
    const response = await this.#post(message, hints, isStateless || isOpening, pending.controller.signal);
    if (!response.ok) {
      const refusal = await readErrorResponse(response, this.#context);
      if (carried !== undefined && meansSessionLost(refusal, pending.id)) {
        this.#loseSession(carried);
        throw sessionLostError(this.#context.address);
      }
      if (refusal.message !== undefined && isAnswerTo(refusal, pending.id, isOpening))
        return this.#context.router.deliver(refusal.message, pending);
      throw refusal.problem;
    }
    if (isOpening) this.#openSession(response);
    await receiveResponse(response, pending, this.#context, !isStateless);
  }

  /** Sends a message without a JSON-RPC response. The body of the HTTP response is ignored. */
  async #notify(message: OutgoingMessage, hints: SendHints | undefined): Promise<void> {
    const controller = new AbortController();
    this.#calls.add(controller);
    try {
      const carried = hints?.isStateless ? undefined : this.#session.id;
      const response = await this.#post(message, hints, hints?.isStateless === true, controller.signal);
      if (response.ok) {
        await drainBody(response);
        if ('method' in message && message.method === 'notifications/initialized') this.#listen();
        return;
      }
      const refusal = await readErrorResponse(response, this.#context);
      if (carried === undefined || !meansSessionLost(refusal)) throw refusal.problem;
      this.#context.loseSession(carried);
      throw sessionLostError(this.#context.address);
    } finally {
      this.#calls.delete(controller);
    }
  }

  async #cancel(message: JsonRpcNotification, hints: SendHints | undefined): Promise<void> {
    const { params = {} } = message;
    const pending = this.#context.router.get('requestId' in params ? params.requestId : undefined);
    const end = (): void => pending?.controller.abort(new CancelledError('The request was cancelled'));
    // A stateless request is cancelled by closing its stream (2026-07-28, Basic / Transports / Streamable HTTP, "Cancellation").
    if (hints?.isStateless === true) return end();
    // Do not ask the user to sign in for a cancellation.
    const told = this.#notify(message, { ...hints, isUnattended: true });
    void this.#notices.track(told).then(end);
    await told;
  }

  #post(
    message: OutgoingMessage,
    hints: SendHints | undefined,
    isOutside: boolean,
    signal: AbortSignal,
  ): Promise<Response> {
    // Without this check, messages of the lost session would be sent without a session id.
    if (!isOutside && this.#session.isLost) return Promise.reject(sessionLostError(this.#context.address));
    const headers = this.#session.postHeaders(isOutside, hints);
    const carried = this.#session.id;
    return this.#context.client.send({
      method: 'POST',
      url: this.#context.url,
      headers,
      body: JSON.stringify(message),
      signal,
      isUnattended: hints?.isUnattended,
      checkRepeat: () => {
        const isOver = this.#session.isLost || this.#session.id !== carried;
        if (!isOutside && isOver) throw sessionLostError(this.#context.address);
      },
    });
  }

  #openSession({ headers }: Response): void {
    const id = headers.get('mcp-session-id') ?? undefined;
    const isUsable = id === undefined || /^[\x21-\x7E]{1,1024}$/.test(id);
    if (!isUsable) this.#context.note('The session id of the server is not usable and was ignored.');
    this.#listening?.dispose();
    this.#session.open(isUsable ? id : undefined);
  }

  #listen(): void {
    this.#listening?.dispose();
    if (this.#phase === 'open') this.#listening = openListenStream(this.#context, (error) => this.#fail(error));
  }

  /** After a change of account, ends the session: it belongs to the old account. Else reopens the stream with the new grant. */
  #changeContext(change: ContextChange): void {
    if (!isAnotherAccount(change)) return this.#listening?.reopen();
    this.#context.note('The account that was signed in before is not any more; its session is over.');
    this.#session.lose(this.#session.id);
    this.#listening?.dispose();
    // After a sign-out, do not ask the user to sign in before the next request.
    if (change.account !== '') this.#loss.fire();
  }

  #loseSession(id: string): boolean {
    if (!this.#session.lose(id)) return false;
    this.#context.note('The server has forgotten the session.');
    this.#listening?.dispose();
    return true;
  }

  async #dispose(): Promise<void> {
    const isOpen = this.#phase === 'open';
    this.#phase = this.#phase === 'closed' ? 'closed' : 'closing';
    this.#listening?.dispose();
    if (isOpen) await this.#notices.settled();
    this.#abandon(new PatchbayError('connectionClosed', 'The connection to the server was closed.'));
    if (isOpen) await this.#deleteSession();
    this.#finish({ kind: 'requested' });
  }

  async #deleteSession(): Promise<void> {
    if (this.#session.id === undefined) return;
    const { client, url, clock, note } = this.#context;
    const patience = new AbortController();
    const timer = clock.after(noticeTimeoutMs, () => patience.abort(new CancelledError()));
    try {
      const headers = this.#session.deleteHeaders();
      // Servers may refuse it (405), or not answer.
      discardBody(await client.send({ method: 'DELETE', url, headers, signal: patience.signal }));
    } catch (error) {
      note(`The server was not told that its session is over: ${messageOf(error)}`);
    } finally {
      timer.dispose();
    }
  }

  #fail(error: PatchbayError): void {
    if (this.#phase !== 'open') return;
    this.#phase = 'closing';
    this.#abandon(error);
    this.#finish({ kind: 'failed', error });
  }

  #abandon(reason: Error): void {
    this.#listening?.dispose();
    for (const controller of this.#calls) controller.abort(reason);
    this.#context.streams.dispose();
  }

  #finish(reason: CloseReason): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    this.#close.fire(reason);
    for (const emitter of [this.#message, this.#close, this.#log, this.#loss]) emitter.dispose();
  }

  #notSent(): PatchbayError {
    const problem = this.#phase === 'new' ? 'has not been opened' : 'is closed';
    return new PatchbayError('connectionClosed', `The message was not sent: the connection ${problem}.`);
  }
}
