import { expect, it } from 'vitest';
import { ReconnectDelays } from '../../../../src/transport/http/reconnect.ts';

it('waits exactly as long as asked, then at least as long', () => {
  const reconnect = new ReconnectDelays(() => 0.99, 3);
  expect([1, 2, 3].map(() => reconnect.next(900))).toEqual([900, 1_493, 2_239]);
});

it('never comes back at once', () => {
  expect(new ReconnectDelays(() => 0, 3).next(0)).toBe(100);
});
