import { raceAbort } from '../../base/abort.ts';
import type { Backoff } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import type { AsyncDisposable, Disposable } from '../../base/disposable.ts';
import { CancelledError, isCancellation, isPatchbayError, messageOf, PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { RunningServer } from './runningServer.ts';
import type { ServerState } from './server.ts';

/** Milliseconds that a new run has to list what it offers before it takes the place of the earlier one. */
const listingMs = 2_000;
/** What programs say that found a port, a lock or a file taken: by the run that they shall replace. */
const taken =
  /EADDRINUSE|EBUSY|EAGAIN|ETXTBSY|SQLITE_BUSY|errno (?:11|16|35|48|98)\b|10048|already (?:running|in use|locked|listening|bound)|(?:is|are) locked|another (?:instance|process)|resource temporarily unavailable|(?:acquire|obtain|get)\b.{0,30}\block\b/i;
/** All that is known of the end of a program that said nothing. */
const silentEnd = /^(?:Exit code -?\w+|Ended by \w+)$/;

interface Attempt {
  readonly controller: AbortController;
  readonly done: Promise<void>;
  /** What runs goes on meanwhile. */
  readonly isReplacing?: boolean;
}

interface LifecycleOptions {
  /** When it rejects, it must have released everything. */
  readonly open: (signal: AbortSignal) => Promise<RunningServer>;
  readonly backoff: Backoff;
  readonly clock: Clock;
  readonly isRestartWanted: () => boolean;
}

export class Lifecycle implements AsyncDisposable {
  readonly #options: LifecycleOptions;
  readonly #onDidChangeState = new Emitter<ServerState>();
  #state: ServerState = { kind: 'stopped' };
  #current: RunningServer | undefined;
  /** `stop` and a newer attempt replace it. */
  #attempt: Attempt | undefined;
  #retryTimer: Disposable | undefined;
  /** It was found that the server cannot run twice. */
  #runsAlone = false;
  /** Settles when everything that is being closed is closed; the next start waits for it. */
  #closing: Promise<void> = Promise.resolve();
  #isDisposed = false;

  readonly onDidChangeState = this.#onDidChangeState.event;

  constructor(options: LifecycleOptions) {
    this.#options = options;
  }

  get state(): ServerState {
    return this.#state;
  }

  get current(): RunningServer | undefined {
    return this.#current;
  }

  /**
   * Resolves when the server runs. Several calls share one attempt.
   * @throws {PatchbayError} `disposed` after `dispose`; otherwise the error of opening, or the signal's reason
   */
  start(signal?: AbortSignal): Promise<void> {
    if (this.#isDisposed) return Promise.reject(new PatchbayError('disposed', 'The server is no longer configured.'));
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (this.#current !== undefined) return Promise.resolve();
    if (this.#attempt === undefined) {
      this.#options.backoff.reset();
      this.#begin('asked');
    }
    return raceAbort(this.#attempt?.done ?? Promise.resolve(), signal);
  }

  /** Resolves when the server and any attempt to start it have ended. Never rejects. */
  async stop(): Promise<void> {
    this.#retryTimer?.dispose();
    this.#runsAlone = false;
    const attempt = this.#attempt;
    this.#attempt = undefined;
    attempt?.controller.abort(new CancelledError('The server was stopped'));
    const running = this.#current;
    this.#current = undefined;
    if (running !== undefined) this.#wait(running.dispose());
    // The caller of `start` gets the error of a failed attempt.
    if (attempt !== undefined) this.#wait(attempt.done.catch(() => {}));
    await this.#closing;
    // Another caller may have started it again in the meantime.
    if (this.#attempt === undefined && this.#current === undefined) this.#enter({ kind: 'stopped' });
  }

  /**
   * Opens a new run while the earlier one still works, which ends once the new one has its lists, and stays where the new one fails.
   * A server that cannot run twice, as it needs a port or a lock, is opened after the earlier run has ended. Without a run this is
   * a stop and a start. A replacement that is on its way gives way to this one.
   * @param reason what requests that are open reject with
   * @throws why the new run failed: the earlier one may still run
   */
  async replace(reason: PatchbayError): Promise<void> {
    const earlier = this.#attempt;
    if (this.#current === undefined || (earlier !== undefined && earlier.isReplacing !== true)) {
      const stopped = this.stop();
      await this.start();
      return stopped;
    }
    const controller = new AbortController();
    const done = this.#replace(controller, reason);
    this.#attempt = { controller, done, isReplacing: true };
    done.catch(() => {});
    earlier?.controller.abort(new CancelledError('A newer start has taken its place'));
    return done;
  }

  async #replace(controller: AbortController, reason: PatchbayError): Promise<void> {
    const isCurrent = (): boolean => this.#attempt?.controller === controller;
    try {
      const running = await this.#openBeside(controller, reason);
      if (!isCurrent()) {
        await running.dispose();
        throw controller.signal.reason;
      }
      this.#attempt = undefined;
      this.#endCurrent(reason);
      this.#becomeRunning(running);
    } catch (error) {
      if (isCurrent()) {
        this.#attempt = undefined;
        if (this.#current === undefined)
          this.#enter(isCancellation(error) ? { kind: 'stopped' } : { kind: 'failed', error: asPatchbayError(error) });
      }
      throw error;
    }
  }

  async #openBeside({ signal }: AbortController, reason: PatchbayError): Promise<RunningServer> {
    if (this.#runsAlone) return this.#openAlone(signal, reason);
    const { open, clock } = this.#options;
    try {
      const running = await open(signal);
      // Its lists take the place of the earlier ones in one step.
      await new Promise<void>((resolve) => {
        const timer = clock.after(listingMs, resolve);
        const end = (): void => {
          timer.dispose();
          resolve();
        };
        running.catalogue.whenListed().then(end, end);
      });
      return running;
    } catch (error) {
      if (signal.aborted || this.#current === undefined || !mayRunAlone(error)) throw error;
      const running = await this.#openAlone(signal, reason);
      this.#runsAlone = true;
      return running;
    }
  }

  async #openAlone(signal: AbortSignal, reason: PatchbayError): Promise<RunningServer> {
    this.#endCurrent(reason);
    this.#enter({ kind: 'starting' });
    await this.#closing;
    signal.throwIfAborted();
    return this.#options.open(signal);
  }

  #endCurrent(reason: PatchbayError): void {
    const running = this.#current;
    this.#current = undefined;
    if (running !== undefined) this.#wait(running.dispose(reason));
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.stop();
    this.#onDidChangeState.dispose();
  }

  #begin(why: 'asked' | 'retry'): void {
    this.#retryTimer?.dispose();
    const controller = new AbortController();
    const attempt = { controller, done: this.#run(controller, why) };
    this.#attempt = attempt;
    this.#enter({ kind: 'starting', ...(why === 'retry' && { isRetry: true }) });
    // `start` reports the failure; after a crash no caller waits for the restart.
    attempt.done.catch(() => {});
  }

  async #run(controller: AbortController, why: 'asked' | 'retry'): Promise<void> {
    await this.#closing;
    const isCurrent = (): boolean => this.#attempt?.controller === controller;
    try {
      controller.signal.throwIfAborted();
      const running = await this.#options.open(controller.signal);
      if (!isCurrent()) {
        await running.dispose();
        throw controller.signal.reason;
      }
      this.#attempt = undefined;
      this.#becomeRunning(running);
    } catch (error) {
      if (isCurrent()) {
        this.#attempt = undefined;
        if (isCancellation(error)) this.#enter({ kind: 'stopped' });
        else if (why === 'retry') this.#retryOrFail(asPatchbayError(error), 0);
        else this.#enter({ kind: 'failed', error: asPatchbayError(error) });
      }
      throw error;
    }
  }

  #becomeRunning(running: RunningServer): void {
    const startedAt = this.#options.clock.now();
    this.#current = running;
    const { ended } = running.connection;
    const crashed = (): void => this.#crashed(running, ended.reason as PatchbayError, startedAt);
    if (ended.aborted) queueMicrotask(crashed);
    else ended.addEventListener('abort', crashed);
    this.#enter({ kind: 'running' });
  }

  #crashed(running: RunningServer, error: PatchbayError, startedAt: number): void {
    if (this.#current !== running) return;
    this.#current = undefined;
    this.#wait(running.dispose());
    // A new run is being opened already.
    if (this.#attempt !== undefined) return this.#enter({ kind: 'starting' });
    this.#retryOrFail(error, this.#options.clock.now() - startedAt);
  }

  #retryOrFail(error: PatchbayError, upForMs: number): void {
    const { clock, backoff, isRestartWanted } = this.#options;
    const waitMs = isFinal(error) || !isRestartWanted() ? undefined : backoff.next(upForMs);
    if (waitMs === undefined) return this.#enter({ kind: 'failed', error });
    this.#retryTimer = clock.after(waitMs, () => this.#begin('retry'));
    this.#enter({ kind: 'waiting', retryAt: clock.now() + waitMs, error });
  }

  #wait(closed: Promise<void>): void {
    this.#closing = Promise.all([this.#closing, closed]).then(() => {});
  }

  #enter(state: ServerState): void {
    if (state.kind === 'stopped' && this.#state.kind === 'stopped') return;
    this.#state = state;
    this.#onDidChangeState.fire(state);
  }
}

/** A retry cannot help: a person declined or has to change something first. */
function isFinal(error: PatchbayError): boolean {
  const needs = ['needsIssuer', 'needsSignIn', 'needsTrust'] as const;
  return isPatchbayError(error, 'configuration', 'declined', 'unsupportedRevision', ...needs);
}

/** Whether a new run may have failed as the earlier one still runs; all else is a fault of its own. */
function mayRunAlone(error: unknown): boolean {
  return isPatchbayError(error, 'crashed') && (silentEnd.test(error.detail ?? '') || taken.test(error.message));
}

function asPatchbayError(error: unknown): PatchbayError {
  if (error instanceof PatchbayError) return error;
  return new PatchbayError('connectionClosed', messageOf(error), { cause: error });
}
