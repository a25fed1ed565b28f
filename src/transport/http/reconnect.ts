import { createBackoff } from '../../base/backoff.ts';

/** Says when to open a broken stream again. */
export interface Reconnect {
  /**
   * @param retryMs what the server asked for, if it did (HTML, "Server-sent events", `retry`)
   * @returns milliseconds to wait, or `undefined` when it is time to give up
   */
  next(retryMs: number | undefined): number | undefined;
  /** Something new came in: the next try is the first again. */
  progressed(): void;
}

/** Against servers that ask for no wait at all and hang up at once. */
const shortestWaitMs = 100;

/** @param limit tries without anything new after which to give up */
export function createReconnect(random: () => number, limit: number): Reconnect {
  const policy = { initialMs: 1_000, factor: 1.5, maximumMs: 30_000, limit, resetAfterMs: Infinity };
  const backoff = createBackoff(policy, random);
  return {
    next(retryMs) {
      const backoffMs = backoff.next(0);
      if (backoffMs === undefined || retryMs === undefined) return backoffMs;
      return Math.max(shortestWaitMs, backoff.attempts === 1 ? retryMs : Math.max(retryMs, backoffMs));
    },
    progressed: () => backoff.reset(),
  };
}

/** True for a refusal that may be over soon, such as by a server that has not yet noticed that the old stream broke. */
export function isPassing(status: number): boolean {
  return [408, 409, 425, 429].includes(status) || (status >= 500 && status !== 501);
}
