import type { HttpResponse } from '../../base/httpClient.ts';
import { delay, raceAbort } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError, isPatchbayError, messageOf, PatchbayError } from '../../base/errors.ts';
import type { ServerSentEvent } from './eventDecoder.ts';
import { EventStream } from './eventStream.ts';
import { mediaType } from './readBody.ts';
import { ReconnectDelays, isTransientStatus } from './reconnect.ts';
import { meansSessionLost, readErrorResponse } from './errorResponse.ts';
import type { HttpTransport } from './httpTransport.ts';

/** Consecutive failed connections after which the server counts as unreachable. */
const maximumUnreachable = 5;

/**
 * The result of one attempt to open the stream. `busy`: refused with an error that may be temporary; `declined`: the user
 * declined to sign in for it; `over`: the server does not offer the stream, or no longer; an error: the server is unreachable.
 */
type OpenResult = EventStream | 'busy' | 'declined' | 'over' | PatchbayError;

/**
 * Keeps the stream for messages of the server open, until disposed or the session is lost (2025-11-25, Basic / Transports,
 * "Listening for Messages from the Server"). The stream is optional for servers. If the user declines the sign-in for it,
 * it is opened after the next sign-in.
 */
export class ListenStream implements Disposable {
  readonly #transport: HttpTransport;
  readonly #onGone: (error: PatchbayError) => void;
  readonly #delays;
  #round = new AbortController();
  #running = Promise.resolve();
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #hasNews = false;
  /** The stream was open before in this session. */
  #wasOpen = false;
  /** Do not ask the user to sign in for it again until it was open. */
  #isSignInDeclined = false;
  #unreached = 0;

  /** @param onGone called when the server is unreachable */
  constructor(transport: HttpTransport, onGone: (error: PatchbayError) => void) {
    this.#transport = transport;
    this.#onGone = onGone;
    this.#delays = new ReconnectDelays(transport.random, Infinity);
    // At once: servers send their own requests on it as soon as the first call arrives.
    this.#start();
  }

  reopen(): void {
    // It was disposed.
    if (this.#round.signal.aborted) return;
    this.#round.abort(new CancelledError('Opened again'));
    this.#round = new AbortController();
    this.#start();
  }

  dispose(): void {
    this.#round.abort(new CancelledError('No longer listening'));
  }

  #start(): void {
    const { signal } = this.#round;
    // The old stream must end first: its last event id is where the new one continues.
    this.#running = this.#running
      .then(() => this.#run(signal))
      .catch((error: unknown) => {
        if (!signal.aborted) this.#transport.note(`Stopped listening for messages of the server: ${messageOf(error)}`);
      });
  }

  /** Resolves when the server offers no stream or is unreachable. */
  async #run(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // Failures of another account do not count.
    this.#unreached = 0;
    for (;;) {
      const opened = await this.#open(signal);
      if (opened === 'over') return;
      const isUnreached = opened instanceof PatchbayError;
      this.#unreached = isUnreached ? this.#unreached + 1 : 0;
      if (isUnreached && this.#unreached === maximumUnreachable) return this.#onGone(opened);
      if (opened instanceof EventStream) await this.#read(opened);
      if (opened === 'declined') await this.#nextAuthorization(signal);
      signal.throwIfAborted();
      const waitMs = this.#delays.next(this.#retryMs) ?? 0;
      this.#transport.note(`The server's own stream is not open; trying again in ${waitMs} ms.`);
      await delay(this.#transport.clock, waitMs, signal);
    }
  }

  async #open(signal: AbortSignal): Promise<OpenResult> {
    const { sender, session, url, router } = this.#transport;
    const carried = session.id;
    const headers = session.streamHeaders(this.#lastEventId);
    try {
      const isUnattended = this.#isSignInDeclined;
      const response = await sender.send({ method: 'GET', url, headers, signal, isUnattended });
      if (!response.ok || mediaType(response) !== 'text/event-stream') return await this.#refused(response, carried);
      const onEvent = (event: ServerSentEvent): void => {
        this.#hasNews = true;
        router.receiveEvent(event);
      };
      this.#wasOpen = true;
      this.#isSignInDeclined = false;
      return new EventStream(response, onEvent, this.#transport);
    } catch (error) {
      if (isPatchbayError(error, 'unreachable')) return error;
      // Gateways close idle connections.
      if (isPatchbayError(error, 'answerLost')) return 'busy';
      if (!isPatchbayError(error, 'needsSignIn')) throw error;
      this.#isSignInDeclined = true;
      return 'declined';
    }
  }

  /** Waits for the next sign-in or sign-out. */
  async #nextAuthorization(signal: AbortSignal): Promise<void> {
    this.#transport.note("The server's own stream wants a sign-in that was not made; it is opened after the next one.");
    let subscription: Disposable | undefined;
    const changed = new Promise<void>((resolve) => {
      subscription = this.#transport.onDidChangeAuthorization?.(resolve);
    });
    await raceAbort(changed, signal).finally(() => subscription?.dispose());
  }

  async #refused(response: HttpResponse, carried: string | undefined): Promise<OpenResult> {
    if (response.ok || isTransientStatus(response.status)) {
      response.body.cancel();
      if (!response.ok) return 'busy';
      this.#transport.note('The server offers no stream of its own: it answered with something else.');
      return 'over';
    }
    const failure = await readErrorResponse(response, this.#transport);
    // Many servers without this stream answer 404, and would do so in a new session.
    if (this.#wasOpen && carried !== undefined && meansSessionLost(failure)) this.#transport.loseSession(carried);
    else if (response.status !== 405)
      this.#transport.note(`The server offers no stream of its own: ${failure.problem.message}`);
    return 'over';
  }

  async #read(stream: EventStream): Promise<void> {
    this.#hasNews = false;
    try {
      await stream.read();
      const { lastEventId = this.#lastEventId } = stream;
      // An event without data changes the position too.
      this.#hasNews ||= lastEventId !== this.#lastEventId;
      this.#lastEventId = lastEventId;
    } catch {
      this.#transport.note('The server sent a message that is too large; it was skipped.');
      // Resuming there would bring the same message again.
      this.#lastEventId = undefined;
    }
    this.#retryMs = stream.retryMs ?? this.#retryMs;
    if (this.#hasNews) this.#delays.reset();
  }
}
