import { expect, it, vi } from 'vitest';
import { createSystemClock } from '../../../src/base/clock.ts';

it.each([Infinity, 2 ** 31])('the real clock does not take %d milliseconds for none', (milliseconds) => {
  vi.useFakeTimers();
  try {
    const callback = vi.fn();
    createSystemClock().after(milliseconds, callback);
    vi.advanceTimersByTime(2 ** 31 - 2);
    expect(callback).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});
