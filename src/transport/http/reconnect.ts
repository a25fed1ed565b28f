import { Backoff } from '../../base/backoff.ts';

/** Delays before a broken stream is opened again. */
export interface ReconnectDelays {
  /**
   * @param retryMs the delay that the server asked for, if any (WHATWG HTML, "Server-sent events", `retry`)
   * @returns milliseconds to wait, or `undefined` after the last attempt
   */
  next(retryMs: number | undefined): number | undefined;
  /** Call when the stream brought something new: restarts the delays and attempts. */
  reset(): void;
}

/** For servers that ask for no delay and close the stream at once. */
const minimumWaitMs = 100;

/** Delays from 1 to 30 s. @param limit maximum attempts without anything new */
export function createReconnectDelays(random: () => number, limit: number): ReconnectDelays {
  const policy = { initialMs: 1_000, factor: 1.5, maximumMs: 30_000, limit, resetAfterMs: Infinity };
  const backoff = new Backoff(policy, random);
  return {
    next(retryMs) {
      const backoffMs = backoff.next(0);
      if (backoffMs === undefined || retryMs === undefined) return backoffMs;
      return Math.max(minimumWaitMs, backoff.attempts === 1 ? retryMs : Math.max(retryMs, backoffMs));
    },
    reset: () => backoff.reset(),
  };
}

/** True for a status that may be temporary, for instance while the server has not noticed that the old stream broke. */
export function isTransientStatus(status: number): boolean {
  return [408, 409, 425, 429].includes(status) || (status >= 500 && status !== 501);
}
