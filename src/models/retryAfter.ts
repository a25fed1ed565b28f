import type { ResponseHeaders } from '../base/httpClient.ts';

const longestMs = 7 * 24 * 60 * 60_000;

/**
 * Reads when to try again: `retry-after-ms` of OpenAI, or `Retry-After` as seconds or as a date (RFC 9110, section 10.2.3).
 * @param now milliseconds since the Unix epoch
 * @returns milliseconds from now, at most a week; `undefined` where the response does not say it
 */
export function readRetryAfter(headers: ResponseHeaders, now: number): number | undefined {
  const exact = headers.get('retry-after-ms');
  if (exact !== undefined && isNumber(exact)) return bounded(Number(exact));
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (isNumber(value)) return bounded(Number(value) * 1_000);
  // The platform reads nearly anything as a date.
  const date = /\d\d:\d\d:\d\d/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : bounded(date - now);
}

function isNumber(text: string): boolean {
  return /^\s*\d{1,12}(?:\.\d{1,9})?\s*$/.test(text);
}

function bounded(milliseconds: number): number {
  return Math.min(Math.max(0, Math.ceil(milliseconds)), longestMs);
}
