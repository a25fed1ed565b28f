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

it('the real clock lets the process end before a background timer', () => {
  const clock = createSystemClock();
  const keepingAlive = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = keepingAlive();
  const background = clock.after(60_000, () => {}, { isBackground: true });
  expect(keepingAlive()).toBe(before);
  const usual = clock.after(60_000, () => {});
  expect(keepingAlive()).toBe(before + 1);
  for (const timer of [background, usual]) timer.dispose();
});
