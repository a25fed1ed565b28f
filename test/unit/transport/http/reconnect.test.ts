import { expect, it } from 'vitest';
import { ReconnectDelays } from '../../../../src/transport/http/reconnect.ts';

it('waits longer and longer, then gives up; news starts it anew', () => {
  const reconnect = new ReconnectDelays(() => 0, 3);
  expect([1, 2, 3, 4].map(() => reconnect.next(undefined))).toEqual([500, 750, 1_125, undefined]);
  reconnect.reset();
  expect(reconnect.next(undefined)).toBe(500);
});

it('waits exactly as long as asked, then at least as long', () => {
  const reconnect = new ReconnectDelays(() => 0.99, 3);
  expect([1, 2, 3].map(() => reconnect.next(900))).toEqual([900, 1_493, 2_239]);
});

it('never comes back at once', () => {
  expect(new ReconnectDelays(() => 0, 3).next(0)).toBe(100);
});

it('waits half a minute at most', () => {
  const reconnect = new ReconnectDelays(() => 0.999, Infinity);
  const waits = Array.from({ length: 50 }, () => reconnect.next(undefined) ?? 0);
  expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
});
