import { describe, expect, it } from 'vitest';
import { CancelSource, delay, delayWhileResponsive, toAbortSignal } from '../../../src/base/abort.ts';
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

describe('the signal of a request', () => {
  it('tells its listeners once, and not those that were removed', () => {
    const source = new CancelSource();
    const heard: string[] = [];
    const removed = (): void => void heard.push('removed');
    source.signal.addEventListener('abort', removed);
    source.signal.addEventListener('abort', () => heard.push(String(source.signal.reason)));
    source.signal.removeEventListener('abort', removed);
    expect([source.signal.aborted, source.signal.reason]).toEqual([false, undefined]);
    source.abort('first');
    source.abort('second');
    expect([source.signal.aborted, heard]).toEqual([true, ['first']]);
  });

  it('ends a wait', async () => {
    const source = new CancelSource();
    const waiting = delay(createManualClock(), 1_000, source.signal);
    source.abort('stop');
    await expect(waiting).rejects.toBe('stop');
  });

  it('becomes one of the platform where that is needed', () => {
    const source = new CancelSource();
    const signal = toAbortSignal(source.signal);
    expect(signal.aborted).toBe(false);
    source.abort('stop');
    expect([signal.aborted, signal.reason]).toEqual([true, 'stop']);
    expect(toAbortSignal(source.signal).reason).toBe('stop');
    expect(toAbortSignal(signal)).toBe(signal);
  });
});
