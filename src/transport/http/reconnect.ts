import { Backoff } from '../../base/backoff.ts';

/** For servers that ask for no delay and close the stream at once. */
const minimumWaitMs = 100;

/** Delays before a broken stream is opened again: from 1 to 30 s. */
export class ReconnectDelays {
  readonly #backoff: Backoff;

  /** @param limit maximum attempts without anything new */
  constructor(random: () => number, limit: number) {
    const policy = { initialMs: 1_000, factor: 1.5, maximumMs: 30_000, limit, resetAfterMs: Infinity };
    this.#backoff = new Backoff(policy, random);
  }

  /** @param retryMs of the server (WHATWG HTML, "Server-sent events"). @returns `undefined` after the last attempt */
  next(retryMs: number | undefined): number | undefined {
    const backoffMs = this.#backoff.next(0);
    if (backoffMs === undefined || retryMs === undefined) return backoffMs;
    return Math.max(minimumWaitMs, this.#backoff.attempts === 1 ? retryMs : Math.max(retryMs, backoffMs));
  }

  /** Call when the stream brought something new: restarts the delays and attempts. */
  reset(): void {
    this.#backoff.reset();
  }
}

/** True for a status that may be temporary, for instance while the server has not noticed that the old stream broke. */
export function isTransientStatus(status: number): boolean {
  return [408, 409, 425, 429].includes(status) || (status >= 500 && status !== 501);
}
