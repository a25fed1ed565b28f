import { CancelSource } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isPatchbayError, messageOf, PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { RequestOptions } from '../../protocol/pendingRequests.ts';
import { listKinds, type ProtocolSession } from '../../protocol/session/session.ts';

export interface HeartbeatOptions {
  readonly session: Pick<ProtocolSession, 'ping' | 'request' | 'capabilities'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds between two pings. */
  readonly everyMs: number;
  /** Milliseconds without an answer after which a ping fails. */
  readonly requestMs: number;
  /** True while the server works on a request and may be too busy to answer: it is not pinged then. */
  readonly isBusy: () => boolean;
  /** Called when a ping and a list request got no answer: `true` ends the connection through `onUnresponsive`. */
  readonly isRestartWanted: () => boolean;
  readonly onUnresponsive: (error: PatchbayError) => void;
}

/** Milliseconds without an answer until the server is shown as not responding; the ping stays open. */
const noticeMs = 10_000;

const noAnswer =
  'The server stopped answering. See its log for details. "timeouts.pingMs" sets how often it is pinged (0: never).';

/** Pings a running server at an interval to see whether it still answers (2025-11-25, Basic / Utilities / Ping). */
export class Heartbeat implements Disposable {
  readonly #options: HeartbeatOptions;
  readonly #onDidChange = new Emitter<void>();
  readonly #ended = new CancelSource();
  #timer: Disposable | undefined;
  #isResponsive = true;
  #knowsPing = false;
  #isPingUnsupported = false;

  readonly onDidChange = this.#onDidChange.event;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#schedule();
  }

  /** `false` while a ping has been open for longer than {@link noticeMs}, or could not be delivered. */
  get isResponsive(): boolean {
    return this.#isResponsive;
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#ended.abort(new PatchbayError('disposed', 'The connection was closed.'));
    this.#onDidChange.dispose();
  }

  #schedule(): void {
    const { clock, everyMs } = this.#options;
    this.#timer = clock.after(everyMs, () => void this.#ping(), { isBackground: true });
  }

  async #ping(): Promise<void> {
    const isUnresponsive = !this.#options.isBusy() && (await this.#checkUnresponsive());
    if (this.#ended.aborted) return;
    const { isRestartWanted, onUnresponsive } = this.#options;
    if (isUnresponsive && isRestartWanted()) return onUnresponsive(new PatchbayError('timeout', noAnswer));
    if (!this.#isPingUnsupported) this.#schedule();
  }

  /** True when the server has answered neither a ping nor a list request, and no other request is open. */
  async #checkUnresponsive(): Promise<boolean> {
    const { session, logger, isBusy } = this.#options;
    if (await this.#isAnswered((asking) => session.ping(asking))) {
      this.#knowsPing = true;
      return false;
    }
    if (this.#ended.aborted || isBusy()) return false;
    this.#setResponsive(false);
    const list = listKinds.find((kind) => session.capabilities[kind] !== undefined);
    const isAlive = await this.#isAnswered((asking) =>
      list === undefined ? session.ping(asking) : session.request(`${list}/list`, {}, asking),
    );
    if (!isAlive) return !isBusy();
    // Some servers never answer methods they do not know: pings say nothing about them.
    this.#isPingUnsupported = !this.#knowsPing;
    if (this.#isPingUnsupported) logger.info('The server answers list requests but no pings. It is no longer pinged.');
    return false;
  }

  async #isAnswered(ask: (options: RequestOptions) => Promise<unknown>): Promise<boolean> {
    const { clock, requestMs, isBusy } = this.#options;
    const notice = (): void => {
      if (!isBusy()) this.#setResponsive(false);
    };
    const timer = clock.after(noticeMs, notice, { isBackground: true });
    try {
      const hints = { isUnattended: true };
      await ask({ signal: this.#ended, timeoutMs: requestMs, isHeartbeat: true, hints });
    } catch (error) {
      if (this.#ended.aborted || isPatchbayError(error, 'timeout', 'answerLost', 'unreachable')) return false;
      // An error response is an answer too.
      this.#options.logger.debug(() => `Asked whether it answers, the server said: ${messageOf(error)}`);
    } finally {
      timer.dispose();
    }
    this.#setResponsive(true);
    return true;
  }

  #setResponsive(isResponsive: boolean): void {
    if (this.#isResponsive === isResponsive || this.#ended.aborted) return;
    this.#isResponsive = isResponsive;
    if (isResponsive) this.#options.logger.info('The server answers again.');
    else this.#options.logger.warn('The server does not answer a ping.');
    this.#onDidChange.fire();
  }
}
