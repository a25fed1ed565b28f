import { expect, it } from 'vitest';
import { retryDelay } from '../../../../src/transport/http/requestSender.ts';

const now = Date.parse('2026-07-28T12:00:00Z');

it.each([
  [429, '5', 0, 5_000],
  [429, ' 0 ', 0, 0],
  [503, '60', 2, 60_000],
  [503, '61', 0, undefined],
  [429, '99999999999999999999', 0, undefined],
  [429, 'Tue, 28 Jul 2026 12:00:30 GMT', 0, 30_000],
  [429, 'Tue, 28 Jul 2026 11:00:00 GMT', 0, 0],
  [429, 'Tue, 28 Jul 2026 13:00:00 GMT', 0, undefined],
  [429, 'soon', 0, 1_000],
  [429, undefined, 1, 2_000],
  [429, undefined, 2, undefined],
  [429, '5', 3, undefined],
  [503, undefined, 0, undefined],
  [503, '-1', 0, undefined],
  [500, '5', 0, undefined],
  [404, '5', 0, undefined],
])('after status %i with Retry-After %j, sent again %i times: %j', (status, retryAfter, repeats, expected) => {
  expect(retryDelay(status, retryAfter, repeats, now)).toBe(expected);
});
