const longestWaitMs = 60_000;
const maximumRepeats = 3;
/** Delays for status 429 without `Retry-After`. */
const unaskedWaitsMs = [1_000, 2_000] as const;

/**
 * The delay before a request is repeated after status 429 or 503 (RFC 9110, section 10.2.3; RFC 6585, section 4).
 * @param repeats number of earlier repetitions
 * @param now milliseconds since the Unix epoch, for a date in `Retry-After`
 * @returns milliseconds, or `undefined` when it must not be repeated
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
  // An earlier retry would be refused again.
  return askedMs <= longestWaitMs ? askedMs : undefined;
}

function readRetryAfter(text: string, now: number): number | undefined {
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1000;
  // The platform accepts almost any text as a date.
  const date = /^\s*[A-Z][a-z]+, /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
