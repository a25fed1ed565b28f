import type { CancelSignal, CancelSource } from '../../base/abort.ts';
import type { HttpResponse } from '../../base/httpClient.ts';
import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';
import { messageLimits, type ServerLimits } from '../../base/limits.ts';
import { CancelledError, isPatchbayError, messageOf, PatchbayError } from '../../base/errors.ts';
import { type ContextChange, type HttpAuthorizer, isAnotherAccount } from '../../protocol/httpAuthorizer.ts';
import type { JsonRpcRequest, OutgoingMessage } from '../../protocol/jsonRpc.ts';
import type { SendHints } from '../../protocol/messageChannel.ts';
import { saySessionLost } from '../../protocol/session/lostWords.ts';
import type { Transport } from '../transport.ts';
import { isAnswerTo, readErrorResponse } from './errorResponse.ts';
import { answerLostError, sessionLostError } from './httpProblems.ts';
import { HttpTransport, noticeTimeoutMs } from './httpTransport.ts';
import { ListenStream } from './listenStream.ts';
import { LostSessions } from './lostSessions.ts';
import { drainBody } from './readBody.ts';
import { receiveResponse } from './receiveResponse.ts';
import type { HttpPorts } from './requestSender.ts';
import type { PendingResponse } from './responseRouter.ts';
import { SseTransport } from './sseTransport.ts';
import { stringifyExactly } from '../../base/exactIntegers.ts';

/**
 * Streamable HTTP: each message is a POST, responses come as JSON or as an event stream (2025-03-26 to
 * 2026-07-28, Basic / Transports, "Streamable HTTP"). Sessions, the server's GET stream and resumption apply to messages
 * without `isStateless`.
 *
 * A failed request does not close the transport; it closes when the server's GET stream is unreachable.
 * @throws {PatchbayError} `configuration` for invalid headers
 */
class StreamableHttpTransport extends HttpTransport {
  readonly #loss = this.createEmitter<void>();
  readonly onDidLoseSession = this.#loss.event;
  protected readonly answersInPlace = true;
  #opening: CancelSource | undefined;
  readonly #lostSessions = new LostSessions(this.session);
  #listening: ListenStream | undefined;
  #disposing: Promise<void> | undefined;

  async start(signal: CancelSignal): Promise<void> {
    signal.throwIfAborted();
    this.begin();
    this.opened();
  }

  dispose(): Promise<void> {
    return (this.#disposing ??= this.#dispose());
  }

  protected async ask(message: JsonRpcRequest, hints: SendHints | undefined, pending: PendingResponse): Promise<void> {
    const isStateless = hints?.isStateless === true;
    const isOpening = !isStateless && message.method === 'initialize';
    const carried = isStateless || isOpening ? undefined : this.session.id;
    if (isOpening) {
      // An earlier one was given up, and its late response would replace the newer session.
      this.#opening?.abort(new CancelledError('Another session is opened'));
      this.#opening = pending.controller;
    }
    // To open twice does no harm.
    const isRepeatable = isOpening || message.method === 'server/discover';
    const { signal } = pending.controller;
    const endLost = (id: string): never => {
      this.#endSession(id);
      throw sessionLostError(this.address);
    };
    const checkRefusal =
      carried === undefined
        ? undefined
        : (words: string): void => {
            if (saySessionLost(words) && this.#lostSessions.doubt(message.method)) endLost(carried);
          };
    const response = await this.#post(message, hints, isStateless || isOpening, signal, isRepeatable, checkRefusal);
    if (!response.ok) {
      const refused = await readErrorResponse(response, this);
      if (carried !== undefined && this.#lostSessions.isLost(refused, message, carried)) {
        const { status, words } = refused;
        if (status < 500 || refused.message !== undefined) endLost(carried);
        // A server that breaks down may have carried out the request before.
        this.loseSession(carried);
        throw answerLostError(this.address, `ended with HTTP status ${status} ("${words}")`);
      }
      if (refused.message !== undefined && isAnswerTo(refused, pending.id, isOpening))
        return this.router.deliver(refused.message, pending);
      throw refused.problem;
    }
    if (isOpening) this.#openSession(response);
    await receiveResponse(response, pending, this, !isStateless);
    this.#lostSessions.answered(message.method, carried);
  }

  /**
   * The body of the HTTP response is ignored. The next request finds out that a session is over.
   */
  protected notify(message: OutgoingMessage, hints: SendHints | undefined): Promise<void> {
    return this.call(async (signal) => {
      try {
        // What has no answer does no harm when it arrives twice.
        const response = await this.#post(message, hints, hints?.isStateless === true, signal, true);
        await (response.ok ? drainBody(response) : this.ignoreRefusal(response));
      } catch (error) {
        // Whether the server takes it says nothing about the connection.
        if (signal.aborted || isPatchbayError(error, 'unreachable', 'sessionLost')) throw error;
        this.note(`A message that needs no answer was not taken, which is ignored: ${messageOf(error)}`);
      }
      if ('method' in message && message.method === 'notifications/initialized') this.#listen();
    });
  }

  #post(
    message: OutgoingMessage,
    hints: SendHints | undefined,
    isOutside: boolean,
    signal: CancelSignal,
    isRepeatable = false,
    checkRefusal?: (words: string) => void,
  ): Promise<HttpResponse> {
    // Without this check, messages of the lost session would be sent without a session id.
    if (!isOutside && this.session.isLost) return Promise.reject(sessionLostError(this.address));
    const headers = this.session.postHeaders(isOutside, hints);
    const carried = this.session.id;
    return this.sender.send({
      method: 'POST',
      url: this.url,
      headers,
      body: hints?.text ?? stringifyExactly(message),
      signal,
      isRepeatable,
      checkRefusal,
      isUnattended: hints?.isUnattended,
      checkRepeat: () => {
        const isOver = this.session.isLost || this.session.id !== carried;
        if (!isOutside && isOver) throw sessionLostError(this.address);
      },
    });
  }

  #openSession({ headers }: HttpResponse): void {
    const id = headers.get('mcp-session-id') ?? undefined;
    const isUsable = id === undefined || /^[\x21-\x7E]{1,1024}$/.test(id);
    if (!isUsable) this.note('The session id of the server is not usable and was ignored.');
    this.#listening?.dispose();
    this.session.open(isUsable ? id : undefined);
  }

  #listen(): void {
    this.#listening?.dispose();
    if (this.phase === 'open') this.#listening = new ListenStream(this, (error) => this.#fail(error));
  }

  /** Ends the session of another account; else reopens the stream with the new grant. */
  protected changeContext(change: ContextChange): void {
    if (!isAnotherAccount(change)) return this.#listening?.reopen();
    this.note('The signed-in account has changed; the session of the previous account has ended.');
    this.session.lose(this.session.id);
    this.sender.forgetCookies();
    this.#listening?.dispose();
    // After a sign-out, do not ask the user to sign in before the next request.
    if (change.account !== '') this.#loss.fire();
  }

  override loseSession(id: string): void {
    if (this.#endSession(id)) this.#loss.fire();
  }

  #endSession(id: string): boolean {
    if (!this.session.lose(id)) return false;
    this.note('The server has forgotten the session.');
    this.#listening?.dispose();
    return true;
  }

  async #dispose(): Promise<void> {
    const isOpen = this.phase === 'open';
    this.phase = this.phase === 'closed' ? 'closed' : 'closing';
    this.#listening?.dispose();
    if (isOpen) await this.noticesSettled();
    this.#abandon(new PatchbayError('connectionClosed', 'The connection to the server was closed.'));
    if (isOpen) await this.#deleteSession();
    this.finish({ kind: 'requested' });
  }

  async #deleteSession(): Promise<void> {
    const { sender, session, url, clock } = this;
    if (session.id === undefined) return;
    const timeout = new AbortController();
    const timer = clock.after(noticeTimeoutMs, () => timeout.abort(new CancelledError()));
    try {
      const headers = session.deleteHeaders();
      // Servers may refuse it (405), or not answer.
      const response = await sender.send({ method: 'DELETE', url, headers, signal: timeout.signal });
      response.body.cancel();
    } catch (error) {
      this.note(`The end of the session could not be sent to the server: ${messageOf(error)}`);
    } finally {
      timer.dispose();
    }
  }

  #fail(error: PatchbayError): void {
    if (this.phase !== 'open') return;
    this.phase = 'closing';
    this.#abandon(error);
    this.finish({ kind: 'failed', error });
  }

  #abandon(reason: Error): void {
    this.#listening?.dispose();
    this.abortCalls(reason);
    this.streams.dispose();
  }
}

/**
 * Returns a function that creates the transport of a remote launch plan: HTTP+SSE or Streamable HTTP. The authorizer is
 * disposed with the transport; without one, requests use the configured headers only.
 * @throws {PatchbayError} `configuration` for sign-in over a socket (from the returned function)
 */
export function createHttpTransports(
  ports: Omit<HttpPorts, 'authorizer' | 'limits'>,
): (plan: RemoteLaunchPlan, authorizer: HttpAuthorizer | undefined, overrides?: Partial<ServerLimits>) => Transport {
  return (plan, authorizer, overrides) => {
    if (plan.socketPath !== undefined && plan.auth !== undefined) throw signInOverSocketError();
    const TransportClass = plan.kind === 'sse' ? SseTransport : StreamableHttpTransport;
    const limits = messageLimits(overrides);
    const transport = new TransportClass(plan, { ...ports, authorizer, limits });
    transport.onDidClose(() => authorizer?.dispose());
    return transport;
  };
}

/** A socket has no origin that a token could be bound to (RFC 8707), and that metadata could be checked against (RFC 9728). */
function signInOverSocketError(): PatchbayError {
  const advice = 'Remove the option "auth", and set an "Authorization" header under "headers" if the server needs one.';
  return new PatchbayError('configuration', `There is no sign-in over a socket. ${advice}`);
}
