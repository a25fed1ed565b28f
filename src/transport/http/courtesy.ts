import { within } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';

/** How long a server gets to take what it is told out of courtesy: that a request or a session is over. Milliseconds. */
export const courtesyMs = 2_000;

/** Cancellations that are on their way to the server: a transport that ends lets them arrive, but not for long. */
export class Courtesies {
  readonly #clock: Clock;
  readonly #open = new Set<Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns resolves when `told` has settled, or was waited for long enough */
  async wait(told: Promise<void>): Promise<void> {
    const settled = told.catch(() => {});
    const over = within(settled, this.#clock, courtesyMs);
    this.#open.add(over);
    await over;
    this.#open.delete(over);
  }

  /** Resolves when the server was told everything it still gets the time for. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }
}
