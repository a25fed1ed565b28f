const longestWaitMs = 60_000;
const maximumRepeats = 3;
/** For a server that says "too many requests" but not for how long. */
const unaskedWaitsMs = [1_000, 2_000] as const;

/**
 * How long to wait before a request is sent again that the server was too busy for (RFC 9110, 10.2.3; RFC 6585, 4).
 * @param repeats how often it was sent again before
 * @param now milliseconds since the Unix epoch, for a date in `Retry-After`
 * @returns milliseconds, or `undefined` when it should not be sent again
 */
export function waitBeforeRepeat(
  status: number,
  retryAfter: string | null,
  repeats: number,
  now: number,
): number | undefined {
  if ((status !== 429 && status !== 503) || repeats >= maximumRepeats) return undefined;
  const askedMs = retryAfter === null ? undefined : readRetryAfter(retryAfter, now);
  if (askedMs === undefined) return status === 429 ? unaskedWaitsMs[repeats] : undefined;
  // Coming back earlier than asked would only be refused again.
  return askedMs <= longestWaitMs ? askedMs : undefined;
}

function readRetryAfter(text: string, now: number): number | undefined {
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1000;
  // The platform takes almost anything for a date.
  const date = /^\s*[A-Z][a-z]+, /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
