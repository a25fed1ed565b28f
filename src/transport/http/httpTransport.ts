import { waitAtMost, type CancelSignal, CancelSource } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';
import type { HttpClient, HttpResponse } from '../../base/httpClient.ts';
import { limits, type MessageLimits } from '../../base/limits.ts';
import type { ContextChange } from '../../protocol/httpAuthorizer.ts';
import type { JsonRpcNotification, JsonRpcRequest, OutgoingMessage } from '../../protocol/jsonRpc.ts';
import type { SendHints } from '../../protocol/messageChannel.ts';
import { BaseTransport, notSentError } from '../baseTransport.ts';
import type { CloseReason, Transport } from '../transport.ts';
import { ConnectionLimit, urgentMethods } from './connectionLimit.ts';
import { readErrorResponse } from './errorResponse.ts';
import { RequestSender, type HttpPorts } from './requestSender.ts';
import { describeAddress } from './httpProblems.ts';
import { HttpSession } from './httpSession.ts';
import { configuredHeaders, withoutUser } from './requestHeaders.ts';
import { type PendingResponse, ResponseRouter } from './responseRouter.ts';

/** Maximum milliseconds for sending a cancellation or the end of the session to a server. */
export const noticeTimeoutMs = 2_000;

/** What Streamable HTTP and HTTP+SSE share: authorization, headers, the requests that end with the transport. */
export abstract class HttpTransport extends BaseTransport {
  readonly onDidPauseTimeouts: Event<boolean> | undefined;
  readonly onDidChangeAuthorization: Transport['onDidChangeAuthorization'];
  readonly secrets: Transport['secrets'];
  readonly authorizationContext: Transport['authorizationContext'];
  readonly sender: RequestSender;
  readonly router: ResponseRouter;
  readonly session: HttpSession;
  readonly url: URL;
  /** The URL for texts, without secrets. */
  readonly address: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: MessageLimits;
  /** Streams that are read in the background; disposed with the transport. */
  readonly streams = new DisposableStore();
  readonly #client: HttpClient;
  readonly #ignoredHeaders: readonly string[];
  readonly #connections: ConnectionLimit;
  /** Aborts the requests that are being sent or answered. */
  readonly #calls = new Set<CancelSource>();
  readonly #notices = new Set<Promise<void>>();

  /** @throws {PatchbayError} `configuration` for invalid headers */
  constructor(plan: RemoteLaunchPlan, ports: HttpPorts) {
    super();
    const { authorizer, clock } = ports;
    this.#client = ports.createHttpClient();
    const { headers, ignored } = configuredHeaders(plan);
    this.#ignoredHeaders = ignored;
    this.#connections = new ConnectionLimit(ports.connections ?? limits.remote.connections);
    this.onDidPauseTimeouts = authorizer?.onDidPauseTimeouts;
    this.onDidChangeAuthorization = authorizer?.onDidChange;
    this.secrets = authorizer?.secrets;
    this.authorizationContext = authorizer?.context;
    this.authorizationContext?.onDidChange((change) => this.changeContext(change));
    this.sender = new RequestSender(this.#client, ports, plan.socketPath, (entry) => this.log(entry));
    this.router = new ResponseRouter(clock, this);
    this.session = new HttpSession(headers);
    this.url = withoutUser(plan.url);
    this.address = describeAddress(plan);
    this.clock = clock;
    this.random = ports.random;
    this.limits = ports.limits ?? limits.message;
  }

  negotiated(revision: string): void {
    this.session.revision = revision;
  }

  /** True where the response to a request comes with the HTTP response to it. */
  protected abstract readonly answersInPlace: boolean;

  /** The server does not know the session `id` any more; no-op for an older session. */
  loseSession(_id: string): void {
    // HTTP+SSE has no sessions.
  }

  /** Called before the first request of another account or grant. */
  protected abstract changeContext(change: ContextChange): void;

  /** Sends a request, and reads its response where that comes in place. */
  protected abstract ask(
    message: JsonRpcRequest,
    hints: SendHints | undefined,
    pending: PendingResponse,
  ): Promise<void>;

  protected abstract notify(message: OutgoingMessage, hints: SendHints | undefined): Promise<void>;

  send(message: OutgoingMessage, hints?: SendHints): Promise<void> {
    if (this.phase !== 'open') {
      const isEarly = this.phase === 'new' || this.phase === 'starting';
      return Promise.reject(notSentError(`the connection ${isEarly ? 'has not been opened' : 'is closed'}`));
    }
    if (!('method' in message)) return this.notify(message, hints);
    if ('id' in message) return this.#request(message, (pending) => this.ask(message, hints, pending));
    return message.method === 'notifications/cancelled' ? this.#cancel(message, hints) : this.notify(message, hints);
  }

  /** What has no answer cannot fail: an error status is only logged. */
  protected async ignoreRefusal(response: HttpResponse): Promise<void> {
    const { problem } = await readErrorResponse(response, this);
    this.note(`A message that needs no answer was refused, which is ignored: ${problem.message}`);
  }

  async #cancel(message: JsonRpcNotification, hints: SendHints | undefined): Promise<void> {
    const { params = {} } = message;
    const pending = this.router.get('requestId' in params ? params.requestId : undefined);
    const end = (): void => pending?.controller.abort(new CancelledError('The request was cancelled'));
    // A request that waits for a connection was not sent. A stateless one is cancelled by closing its stream (2026-07-28, Basic
    // / Transports / Streamable HTTP, "Cancellation").
    if (pending?.isSent === false || (hints?.isStateless && this.answersInPlace)) return end();
    // Do not ask the user to sign in for a cancellation.
    const sending = this.notify(message, { ...hints, isUnattended: true });
    const notice = this.#trackNotice(sending);
    if (this.answersInPlace) void notice.then(end);
    await sending;
  }

  protected override begin(): void {
    super.begin();
    for (const name of this.#ignoredHeaders)
      this.note(`The configured header "${name}" is not sent: the protocol sets it.`);
  }

  /** Runs a request until {@link abortCalls}; after an abort it rejects with the reason. */
  protected async call(run: (signal: CancelSignal) => Promise<void>): Promise<void> {
    const controller = new CancelSource();
    this.#calls.add(controller);
    try {
      await run(controller);
    } catch (error) {
      throw controller.aborted ? controller.reason : error;
    } finally {
      this.#calls.delete(controller);
    }
  }

  /** Like {@link call} for a request, which waits until a connection is free. @param run sends it, and reads its response */
  async #request(message: JsonRpcRequest, run: (pending: PendingResponse) => Promise<void>): Promise<void> {
    const pending = this.router.register(message.id);
    const { controller } = pending;
    this.#calls.add(controller);
    try {
      const limit = urgentMethods.includes(message.method) ? undefined : this.#connections;
      const turn = limit?.take(controller);
      if (turn !== undefined) await turn;
      pending.isSent = true;
      try {
        await run(pending);
      } finally {
        if (pending.tail === undefined) limit?.release();
        else void pending.tail.then(() => limit?.release());
      }
    } catch (error) {
      throw controller.aborted ? controller.reason : error;
    } finally {
      this.#calls.delete(controller);
      this.router.remove(pending);
    }
  }

  protected abortCalls(reason: Error): void {
    for (const controller of this.#calls) controller.abort(reason);
  }

  /** Remembers a cancellation. @returns resolves when it was sent or has failed, or after {@link noticeTimeoutMs} */
  async #trackNotice(sending: Promise<void>): Promise<void> {
    const settled = sending.catch(() => {});
    const notice = waitAtMost(settled, this.clock, noticeTimeoutMs);
    this.#notices.add(notice);
    await notice;
    this.#notices.delete(notice);
  }

  /** Resolves when all cancellations were sent or timed out. */
  protected async noticesSettled(): Promise<void> {
    await Promise.all(this.#notices);
  }

  protected override finish(reason: CloseReason): void {
    super.finish(reason);
    this.#client.dispose();
  }
}
