import type { HttpResponse } from '../../base/httpClient.ts';
import { linkAbort, type LinkedAbort, type CancelSignal } from '../../base/abort.ts';
import { PatchbayError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { type ContextChange, isAnotherAccount } from '../../protocol/httpAuthorizer.ts';
import type { JsonRpcRequest, OutgoingMessage, RequestId } from '../../protocol/jsonRpc.ts';
import type { SendHints } from '../../protocol/messageChannel.ts';
import type { CloseReason } from '../transport.ts';
import { isErrorFor, readErrorResponse } from './errorResponse.ts';
import type { ServerSentEvent } from './eventDecoder.ts';
import { EventStream } from './eventStream.ts';
import { excerpt, networkReason, unusableAnswerError } from './httpProblems.ts';
import { HttpTransport } from './httpTransport.ts';
import { drainBody, mediaType, readJson } from './readBody.ts';
import { withoutUser } from './requestHeaders.ts';
import { type PendingResponse, withRequestId } from './responseRouter.ts';
import { stringifyExactly } from '../../base/exactIntegers.ts';

/**
 * HTTP+SSE: one stream brings all messages of the server, and its first event names the URL for POSTs
 * (2024-11-05, Basic / Transports, "HTTP with SSE"). `send` resolves when the POST was accepted. The end of the stream
 * closes the transport.
 * @throws {PatchbayError} `configuration` for invalid headers
 */
export class SseTransport extends HttpTransport {
  protected readonly answersInPlace = false;
  isRecognized = false;
  #stream: LinkedAbort | undefined;
  /** The URL for messages that the server named, or why it cannot be used. */
  #endpoint: URL | PatchbayError | undefined;

  async start(signal: CancelSignal): Promise<void> {
    signal.throwIfAborted();
    this.begin();
    const link = linkAbort(signal);
    this.#stream = link;
    try {
      const stream = await this.#open(link.signal);
      this.opened();
      void this.#readOn(stream);
    } catch (error) {
      const reason: unknown = link.signal.aborted ? link.signal.reason : error;
      link.abort(reason);
      throw reason;
    } finally {
      link.dispose();
    }
  }

  async dispose(): Promise<void> {
    if (this.phase === 'open') {
      this.phase = 'closing';
      await this.noticesSettled();
    }
    this.finish({ kind: 'requested' });
  }

  /** Resolves when the server has named the URL for messages. */
  async #open(signal: CancelSignal): Promise<EventStream> {
    const headers = this.session.streamHeaders();
    const onResponse = (answer: HttpResponse): void => {
      this.isRecognized ||= answer.status === 401 || (answer.ok && mediaType(answer) === 'text/event-stream');
    };
    const response = await this.sender.send({ method: 'GET', url: this.url, headers, signal, onResponse });
    if (!response.ok) throw (await readErrorResponse(response, this)).problem;
    const type = mediaType(response);
    if (type !== 'text/event-stream') {
      response.body.cancel();
      throw unusableAnswerError(
        response.status,
        this.address,
        `${excerpt(type) || 'nothing'} instead of an event stream`,
      );
    }
    const base = new URL(response.url);
    const stream = new EventStream(response, (event) => this.#receiveEvent(event, base), this);
    const timer = this.clock.after(endpointTimeoutMs, () => this.#stream?.abort(noEndpointError()));
    const isNamed = await stream.read(() => this.#endpoint !== undefined).finally(() => timer.dispose());
    if (!isNamed) throw this.#ended(stream);
    if (this.#endpoint instanceof PatchbayError) throw this.#endpoint;
    return stream;
  }

  #receiveEvent(event: ServerSentEvent, base: URL): void {
    if (event.event !== 'endpoint') this.router.receiveEvent(event);
    else this.#endpoint ??= readEndpoint(event, base, this.address);
  }

  async #readOn(stream: EventStream): Promise<void> {
    const end = await stream.read().then(
      () => this.#ended(stream),
      (error: PatchbayError) => error,
    );
    if (this.phase === 'open') this.finish({ kind: 'failed', error: end });
  }

  protected ask(message: JsonRpcRequest, hints: SendHints | undefined, { controller }: PendingResponse): Promise<void> {
    return this.#post(message, hints, controller.signal, message.id);
  }

  protected notify(message: OutgoingMessage, hints: SendHints | undefined): Promise<void> {
    return this.call((signal) => this.#post(message, hints, signal));
  }

  async #post(
    message: OutgoingMessage,
    hints: SendHints | undefined,
    signal: CancelSignal,
    id?: RequestId,
  ): Promise<void> {
    const response = await this.sender.send({
      method: 'POST',
      url: this.#endpoint as URL,
      headers: this.session.postHeaders(false, undefined),
      body: hints?.text ?? stringifyExactly(message),
      signal,
      isUnattended: hints?.isUnattended,
    });
    if (!response.ok) {
      if (id === undefined) return this.ignoreRefusal(response);
      const { message: answer, status, problem } = await readErrorResponse(response, this);
      if (answer === undefined || status === 401 || !isErrorFor(answer.id, id)) throw problem;
      return this.router.deliver(withRequestId(answer, id));
    }
    // Some servers send the JSON-RPC response here instead of on the stream.
    if (mediaType(response) !== 'application/json') return drainBody(response);
    const value = await readJson(response, this.limits).catch(() => undefined);
    if (typeof value === 'object' && value !== null) this.router.deliver(value);
  }

  /** Closes the transport after a change of account: its stream belongs to the old account. */
  protected changeContext(change: ContextChange): void {
    if (this.phase !== 'open' || !isAnotherAccount(change)) return;
    const message = `The connection to the server at ${this.address} was ended: it belonged to the account that was signed in before.`;
    this.finish({ kind: 'failed', error: new PatchbayError('connectionClosed', message) });
  }

  #ended({ fault }: EventStream): PatchbayError {
    const problem = `The server at ${this.address} ended the event stream${networkReason(fault)}.`;
    return new PatchbayError('connectionClosed', problem, { cause: fault });
  }

  protected override finish(reason: CloseReason): void {
    if (this.phase === 'closed') return;
    const error =
      reason.kind === 'failed'
        ? reason.error
        : new PatchbayError('connectionClosed', 'The connection to the server was closed.');
    // First, so that nothing is sent from the listeners of what is aborted.
    this.phase = 'closing';
    this.#stream?.abort(error);
    this.abortCalls(error);
    super.finish(reason);
  }
}

/** Milliseconds until an open stream must have brought its `endpoint` event: one without it is of Streamable HTTP. */
const endpointTimeoutMs = 10_000;

function noEndpointError(): PatchbayError {
  const problem = `The server did not name an address for messages of HTTP+SSE within ${endpointTimeoutMs / 1_000} s.`;
  return new PatchbayError('timeout', `${problem} Check the address: the one for HTTP+SSE often ends with /sse.`);
}

/** Only an endpoint in the origin of the stream is accepted, since messages and headers can contain secrets. */
function readEndpoint({ data, isWhole }: ServerSentEvent, base: URL, address: string): URL | PatchbayError {
  const isUsable = isWhole && data.length <= limits.item.uri;
  const url = isUsable && URL.canParse(data, base) ? new URL(data, base) : undefined;
  if (url?.origin === base.origin) return withoutUser(url);
  return new PatchbayError(
    'invalidMessage',
    `The server at ${address} wants messages sent to ${url === undefined ? 'an invalid address' : `another origin, ${url.origin}`}; nothing was sent there. Correct its public address.`,
  );
}
