import { waitAtMost } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';

/** Maximum milliseconds for sending a cancellation or the end of the session to a server. */
export const noticeTimeoutMs = 2_000;

/** Cancellations that are being sent. A transport that closes waits for them, for a limited time. */
export class CancellationNotices {
  readonly #clock: Clock;
  readonly #open = new Set<Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns resolves when `told` has settled, or after {@link noticeTimeoutMs} */
  async track(told: Promise<void>): Promise<void> {
    const settled = told.catch(() => {});
    const over = waitAtMost(settled, this.#clock, noticeTimeoutMs);
    this.#open.add(over);
    await over;
    this.#open.delete(over);
  }

  /** Resolves when all cancellations were sent or timed out. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }
}
