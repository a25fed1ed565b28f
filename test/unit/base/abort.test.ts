import { describe, expect, it } from 'vitest';
import { delayWhileResponsive } from '../../../src/base/abort.ts';
import { createManualClock } from '../../fixtures/manualClock.ts';

describe('a wait that counts only while this process gets its turns', () => {
  function begin(longestMs = 30_000) {
    const clock = createManualClock();
    let lateness = 0;
    let isOver = false;
    const busy = {
      now: () => clock.now(),
      after: (milliseconds: number, callback: () => void) => clock.after(milliseconds + lateness, callback),
    };
    void delayWhileResponsive(busy, 3_000, longestMs).then(() => (isOver = true));
    return {
      clock,
      isOver: () => isOver,
      /** From the next timer on, timers are late by that many milliseconds. */
      delayTurns: (milliseconds: number) => (lateness = milliseconds),
    };
  }

  it('is over in time where nothing holds it up', async () => {
    const { clock, isOver } = begin();
    await clock.advance(2_999);
    expect(isOver()).toBe(false);
    await clock.advance(1);
    expect(isOver()).toBe(true);
  });

  it('begins again after a turn that came late', async () => {
    const { clock, isOver, delayTurns } = begin();
    await clock.advance(2_000);
    delayTurns(400);
    await clock.advance(600);
    delayTurns(0);
    await clock.advance(3_000);
    expect(isOver()).toBe(false);
    await clock.advance(500);
    expect(isOver()).toBe(true);
  });

  it('ends where the machine stays busy', async () => {
    const { clock, isOver, delayTurns } = begin(10_000);
    delayTurns(400);
    await clock.advance(9_900);
    expect(isOver()).toBe(false);
    await clock.advance(600);
    expect(isOver()).toBe(true);
  });
});
