import { describe, expect, it } from 'vitest';
import { PausableClock } from '../../../src/base/clock.ts';
import { createManualClock } from '../../fixtures/manualClock.ts';

describe('PausableClock', () => {
  it('counts the time before and after a pause only', async () => {
    const outer = createManualClock();
    const clock = new PausableClock(outer);
    const start = clock.now();
    const fired: string[] = [];
    clock.after(100, () => fired.push('early'));
    const dropped = clock.after(150, () => fired.push('dropped'));
    await outer.advance(60);
    clock.pause();
    clock.pause();
    clock.after(10, () => fired.push('made while it stood'));
    dropped.dispose();
    await outer.advance(10_000);
    expect(fired).toEqual([]);
    expect(clock.now() - start).toBe(60);
    clock.resume();
    clock.resume();
    await outer.advance(39);
    expect(fired).toEqual(['made while it stood']);
    await outer.advance(1);
    expect(fired).toEqual(['made while it stood', 'early']);
    expect(clock.now() - start).toBe(100);
    expect(outer.waiting).toBe(0);
  });

  it('leaves nothing running behind a disposed timer', () => {
    const outer = createManualClock();
    const clock = new PausableClock(outer);
    clock.after(100, () => {}).dispose();
    expect(outer.waiting).toBe(0);
  });
});
