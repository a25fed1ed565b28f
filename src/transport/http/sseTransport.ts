import { linkAbort, type LinkedAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { PatchbayError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { RemoteLaunchPlan } from '../../base/launchPlan.ts';
import { limits, type MessageLimits } from '../../base/limits.ts';
import { type ContextChange, isAnotherAccount } from '../../protocol/httpAuthorizer.ts';
import type { OutgoingMessage, RequestId } from '../../protocol/jsonRpc.ts';
import type { SendHints } from '../../protocol/messageChannel.ts';
import { MessageTooLarge } from '../messageLimits.ts';
import type { CloseReason, Transport, TransportLog } from '../transport.ts';
import { type EventStream, openEventStream, type ServerSentEvent } from './eventStream.ts';
import { CancellationNotices } from './cancellationNotices.ts';
import { createHttpClient, type HttpClient, type HttpPorts } from './httpClient.ts';
import {
  describeAddress,
  excerpt,
  isIdleTimeout,
  networkReason,
  tooLargeError,
  unusableAnswerError,
} from './httpProblems.ts';
import { HttpSession } from './httpSession.ts';
import { withRequestId, createResponseRouter, type ResponseRouter } from './responseRouter.ts';
import { discardBody, drainBody, mediaType, readJson } from './readBody.ts';
import { isErrorFor, readErrorResponse } from './errorResponse.ts';
import { configuredHeaders, withoutUser } from './requestHeaders.ts';

/**
 * Creates an HTTP+SSE transport: one stream brings all messages of the server, and its first event names the URL for POSTs
 * (2024-11-05, Basic / Transports, "HTTP with SSE"). `send` resolves when the POST was accepted. The end of the stream
 * closes the transport.
 * @throws {PatchbayError} `configuration` for invalid headers
 */
export function createSseTransport(plan: RemoteLaunchPlan, ports: HttpPorts): Transport {
  return new SseTransport(plan, ports);
}

type Phase = 'new' | 'starting' | 'open' | 'closing' | 'closed';

class SseTransport implements Transport {
  readonly #message = new Emitter<unknown>();
  readonly #close = new Emitter<CloseReason>();
  readonly #log = new Emitter<TransportLog>();
  readonly onMessage = this.#message.event;
  readonly onDidClose = this.#close.event;
  readonly onLog = this.#log.event;
  readonly onDidPauseTimeouts: Event<boolean> | undefined;
  readonly secrets: Transport['secrets'];
  readonly authorizationContext: Transport['authorizationContext'];
  readonly #client: HttpClient;
  readonly #router: ResponseRouter;
  readonly #session: HttpSession;
  readonly #url: URL;
  readonly #address: string;
  readonly #clock: Clock;
  readonly #limits: MessageLimits;
  readonly #ignoredHeaders: readonly string[];
  readonly #calls = new Set<AbortController>();
  readonly #notices: CancellationNotices;
  #phase: Phase = 'new';
  #isRecognized = false;
  #stream: LinkedAbort | undefined;
  /** The URL for messages that the server named, or why it cannot be used. */
  #endpoint: URL | PatchbayError | undefined;

  constructor(plan: RemoteLaunchPlan, ports: HttpPorts) {
    const { headers, ignored } = configuredHeaders(plan);
    this.onDidPauseTimeouts = ports.authorizer?.onDidPauseTimeouts;
    this.secrets = ports.authorizer?.secrets;
    this.authorizationContext = ports.authorizer?.context;
    this.authorizationContext?.onDidChange((change) => this.#changeContext(change));
    this.#ignoredHeaders = ignored;
    this.#session = new HttpSession(headers);
    this.#notices = new CancellationNotices(ports.clock);
    this.#client = createHttpClient(ports, (entry) => this.#log.fire(entry));
    this.#router = createResponseRouter(ports.clock, {
      message: (value) => this.#message.fire(value),
      log: (entry) => this.#log.fire(entry),
    });
    this.#url = withoutUser(plan.url);
    this.#address = describeAddress(plan.url);
    this.#clock = ports.clock;
    this.#limits = ports.limits ?? limits.message;
  }

  async start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#phase !== 'new')
      throw new PatchbayError('disposed', 'A transport can be started only once. Create another.');
    this.#phase = 'starting';
    for (const name of this.#ignoredHeaders)
      this.#note(`The configured header "${name}" is not sent: the protocol sets it.`);
    const link = linkAbort(signal);
    this.#stream = link;
    try {
      const stream = await this.#open(link.signal);
      this.#phase = 'open';
      void this.#readOn(stream);
    } catch (error) {
      const reason: unknown = link.signal.aborted ? link.signal.reason : error;
      link.abort(reason);
      throw reason;
    } finally {
      link.dispose();
    }
  }

  get isRecognized(): boolean {
    return this.#isRecognized;
  }

  negotiated(revision: string): void {
    this.#session.negotiated(revision);
  }

  send(message: OutgoingMessage, hints?: SendHints): Promise<void> {
    const url = this.#endpoint;
    if (this.#phase === 'open' && url instanceof URL) return this.#deliver(message, url, hints?.isUnattended === true);
    const problem = this.#phase === 'closing' || this.#phase === 'closed' ? 'is closed' : 'has not been opened';
    return Promise.reject(
      new PatchbayError('connectionClosed', `The message was not sent: the connection ${problem}.`),
    );
  }

  async dispose(): Promise<void> {
    if (this.#phase === 'open') {
      this.#phase = 'closing';
      await this.#notices.settled();
    }
    this.#finish({ kind: 'requested' });
  }

  /** Resolves when the server has named the URL for messages. */
  async #open(signal: AbortSignal): Promise<EventStream> {
    const headers = this.#session.streamHeaders();
    const onResponse = (answer: Response): void => {
      this.#isRecognized ||= answer.status === 401 || (answer.ok && mediaType(answer) === 'text/event-stream');
    };
    const response = await this.#client.send({ method: 'GET', url: this.#url, headers, signal, onResponse });
    if (!response.ok)
      throw (await readErrorResponse(response, { address: this.#address, secrets: this.secrets })).problem;
    const type = mediaType(response);
    if (type !== 'text/event-stream') {
      discardBody(response);
      throw unusableAnswerError(
        response.status,
        this.#address,
        `${excerpt(type) || 'nothing'} instead of an event stream`,
      );
    }
    const base = new URL(response.url);
    const reading = { clock: this.#clock, limits: this.#limits };
    const stream = openEventStream(response, (event) => this.#receive(event, base), reading);
    while (this.#endpoint === undefined) if (!(await this.#read(stream))) throw this.#ended(stream);
    if (this.#endpoint instanceof PatchbayError) throw this.#endpoint;
    return stream;
  }

  #receive(event: ServerSentEvent, base: URL): void {
    if (event.event !== 'endpoint') this.#router.receiveEvent(event);
    else this.#endpoint ??= readEndpoint(event.data, base);
  }

  async #read(stream: EventStream): Promise<boolean> {
    try {
      return await stream.read();
    } catch (error) {
      throw error instanceof MessageTooLarge ? tooLargeError(this.#address, error.excess, this.#limits) : error;
    }
  }

  async #readOn(stream: EventStream): Promise<void> {
    try {
      while (await this.#read(stream));
      this.#fail(this.#ended(stream));
    } catch (error) {
      this.#fail(error as PatchbayError);
    }
  }

  #deliver(message: OutgoingMessage, url: URL, isUnattended: boolean): Promise<void> {
    const isCancellation = 'method' in message && message.method === 'notifications/cancelled';
    // Do not ask the user to sign in for a cancellation.
    const told = this.#post(message, url, isUnattended || isCancellation);
    if (isCancellation) void this.#notices.track(told);
    return told;
  }

  async #post(message: OutgoingMessage, url: URL, isUnattended: boolean): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#calls.add(controller);
    try {
      const headers = this.#session.postHeaders(false, undefined);
      const body = JSON.stringify(message);
      const response = await this.#client.send({ method: 'POST', url, headers, body, signal, isUnattended });
      if (response.ok) return await this.#accept(response);
      const id = 'method' in message && 'id' in message ? message.id : undefined;
      await this.#refuse(response, id);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      this.#calls.delete(controller);
    }
  }

  /** Some servers send the JSON-RPC response here instead of on the stream. */
  async #accept(response: Response): Promise<void> {
    if (mediaType(response) !== 'application/json') return drainBody(response);
    const value = await readJson(response, this.#limits).catch(() => undefined);
    if (typeof value === 'object' && value !== null) this.#router.deliver(value);
  }

  async #refuse(response: Response, id: RequestId | undefined): Promise<void> {
    const { message, status, problem } = await readErrorResponse(response, {
      address: this.#address,
      secrets: this.secrets,
    });
    if (id === undefined || message === undefined || status === 401 || !isErrorFor(message.id, id)) throw problem;
    this.#router.deliver(withRequestId(message, id));
  }

  /** Closes the transport after a change of account: its stream belongs to the old account. */
  #changeContext(change: ContextChange): void {
    if (this.#phase !== 'open' || !isAnotherAccount(change)) return;
    const message = `The connection to the server at ${this.#address} was ended: it belonged to the account that was signed in before.`;
    this.#finish({ kind: 'failed', error: new PatchbayError('connectionClosed', message) });
  }

  #ended({ fault }: EventStream): PatchbayError {
    const problem = isIdleTimeout(fault)
      ? `The event stream of the server at ${this.#address} ended${networkReason(fault)}.`
      : `The server at ${this.#address} ended the event stream.`;
    return new PatchbayError('connectionClosed', problem, { cause: fault });
  }

  #fail(error: PatchbayError): void {
    if (this.#phase === 'open') this.#finish({ kind: 'failed', error });
  }

  #finish(reason: CloseReason): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    const error =
      reason.kind === 'failed'
        ? reason.error
        : new PatchbayError('connectionClosed', 'The connection to the server was closed.');
    this.#stream?.abort(error);
    for (const controller of this.#calls) controller.abort(error);
    this.#close.fire(reason);
    for (const emitter of [this.#message, this.#close, this.#log]) emitter.dispose();
  }

  #note(text: string): void {
    this.#log.fire({ source: 'note', text });
  }
}

/** Only an endpoint in the origin of the stream is accepted, since messages and headers can contain secrets. */
function readEndpoint(text: string, base: URL): URL | PatchbayError {
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (url?.origin === base.origin) return withoutUser(url);
  return new PatchbayError(
    'invalidMessage',
    `The server at ${describeAddress(base)} wants messages sent to ${url === undefined ? 'an address that is none' : `another origin, ${url.origin}`}; nothing was sent there. Correct its public address.`,
  );
}
