import type { HttpResponse } from '../../base/httpClient.ts';
import { delay, linkAbort, raceAbort } from '../../base/abort.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { CancelledError, isPatchbayError, messageOf, type PatchbayError } from '../../base/errors.ts';
import { EventStream } from './eventStream.ts';
import { discardBody, mediaType } from './readBody.ts';
import { ReconnectDelays, isTransientStatus } from './reconnect.ts';
import { meansSessionLost, readErrorResponse } from './errorResponse.ts';
import type { StreamableHttpContext } from './httpTransport.ts';

/** Consecutive failed connections after which the server counts as unreachable. */
const maximumUnreachable = 5;

/** The result of one attempt to open the stream. */
type OpenResult =
  | { readonly kind: 'open'; readonly stream: EventStream }
  /** Refused with an error that may be temporary. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'unreached'; readonly error: PatchbayError }
  /** The user declined to sign in for it. */
  | { readonly kind: 'declined' }
  /** The server does not offer the stream, or no longer. */
  | { readonly kind: 'over' };

/** The stream for messages that are not responses. */
export interface ListenStream extends Disposable {
  /** Resumes the stream with the current headers. */
  reopen(): void;
}

/**
 * Keeps the stream for messages of the server open, until disposed or the session is lost (2025-11-25, Basic / Transports,
 * "Listening for Messages from the Server"). The stream is optional for servers. If the user declines the sign-in for it,
 * it is opened after the next sign-in.
 * @param onGone called when the server is unreachable
 */
export function openListenStream(context: StreamableHttpContext, onGone: (error: PatchbayError) => void): ListenStream {
  const life = new AbortController();
  const listener = new ServerStreamReader(context, onGone);
  let round = linkAbort(life.signal);
  // At once: servers send their own requests on it as soon as the first call arrives.
  let running = Promise.resolve();
  const run = (): void => {
    const { signal } = round;
    // The old stream must end first: its last event id is where the new one continues.
    running = running
      .then(() => listener.run(signal))
      .catch((error: unknown) => {
        if (!signal.aborted) context.note(`Stopped listening for messages of the server: ${messageOf(error)}`);
      });
  };
  run();
  return {
    reopen() {
      round.abort(new CancelledError('Opened again'));
      round.dispose();
      round = linkAbort(life.signal);
      run();
    },
    dispose: () => life.abort(new CancelledError('No longer listening')),
  };
}

class ServerStreamReader {
  readonly #context: StreamableHttpContext;
  readonly #onGone: (error: PatchbayError) => void;
  readonly #delays;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #hasNews = false;
  /** The stream was open before in this session. */
  #wasOpen = false;
  /** Do not ask the user to sign in for it again until it was open. */
  #isSignInDeclined = false;
  #unreached = 0;

  constructor(context: StreamableHttpContext, onGone: (error: PatchbayError) => void) {
    this.#context = context;
    this.#onGone = onGone;
    this.#delays = new ReconnectDelays(context.random, Infinity);
  }

  /** Resolves when the server offers no stream or is unreachable. @param signal aborts it; then it can run again */
  async run(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // Failures of another account do not count.
    this.#unreached = 0;
    for (;;) {
      const opening = await this.#open(signal);
      if (opening.kind === 'over') return;
      this.#unreached = opening.kind === 'unreached' ? this.#unreached + 1 : 0;
      if (opening.kind === 'unreached' && this.#unreached === maximumUnreachable) return this.#onGone(opening.error);
      if (opening.kind === 'open') await this.#read(opening.stream);
      if (opening.kind === 'declined') await this.#nextAuthorization(signal);
      signal.throwIfAborted();
      const waitMs = this.#delays.next(this.#retryMs) ?? 0;
      this.#context.note(`The server's own stream is not open; trying again in ${waitMs} ms.`);
      await delay(this.#context.clock, waitMs, signal);
    }
  }

  async #open(signal: AbortSignal): Promise<OpenResult> {
    const { sender, session, url, router } = this.#context;
    const carried = session.id;
    const headers = session.streamHeaders(this.#lastEventId);
    try {
      const response = await sender.send({
        method: 'GET',
        url,
        headers,
        signal,
        isUnattended: this.#isSignInDeclined,
      });
      if (!response.ok || mediaType(response) !== 'text/event-stream') return await this.#refused(response, carried);
      const onEvent: ConstructorParameters<typeof EventStream>[1] = (event) => {
        this.#hasNews = true;
        router.receiveEvent(event);
      };
      this.#wasOpen = true;
      this.#isSignInDeclined = false;
      return { kind: 'open', stream: new EventStream(response, onEvent, this.#context) };
    } catch (error) {
      if (isPatchbayError(error, 'unreachable')) return { kind: 'unreached', error };
      // Gateways close idle connections.
      if (isPatchbayError(error, 'answerLost')) return { kind: 'busy' };
      if (!isPatchbayError(error, 'needsSignIn')) throw error;
      this.#isSignInDeclined = true;
      return { kind: 'declined' };
    }
  }

  /** Waits for the next sign-in or sign-out. */
  async #nextAuthorization(signal: AbortSignal): Promise<void> {
    const { note, onDidChangeAuthorization } = this.#context;
    note("The server's own stream wants a sign-in that was not made; it is opened after the next one.");
    const subscriptions = new DisposableStore();
    const changed = new Promise<void>((resolve) => {
      if (onDidChangeAuthorization !== undefined) subscriptions.add(onDidChangeAuthorization(resolve));
    });
    try {
      await raceAbort(changed, signal);
    } finally {
      subscriptions.dispose();
    }
  }

  async #refused(response: HttpResponse, carried: string | undefined): Promise<OpenResult> {
    const { note, loseSession } = this.#context;
    if (response.ok || isTransientStatus(response.status)) {
      discardBody(response);
      if (!response.ok) return { kind: 'busy' };
      note('The server offers no stream of its own: it answered with something else.');
      return { kind: 'over' };
    }
    const failure = await readErrorResponse(response, this.#context);
    // Many servers without this stream answer 404, and would do so in a new session.
    if (this.#wasOpen && carried !== undefined && meansSessionLost(failure)) loseSession(carried);
    else if (response.status !== 405) note(`The server offers no stream of its own: ${failure.problem.message}`);
    return { kind: 'over' };
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
      this.#context.note('The server sent a message that is too large; it was skipped.');
      // Resuming there would bring the same message again.
      this.#lastEventId = undefined;
    }
    this.#retryMs = stream.retryMs ?? this.#retryMs;
    if (this.#hasNews) this.#delays.reset();
  }
}
