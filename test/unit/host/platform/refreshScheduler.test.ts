import { describe, expect, it } from 'vitest';
import { createRefreshScheduler } from '../../../../src/host/platform/refreshScheduler.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

function setUp() {
  const clock = createManualClock();
  const runs: string[] = [];
  const scheduler = createRefreshScheduler<string>(
    clock,
    () => 200,
    (key) => runs.push(key),
  );
  return { clock, runs, scheduler };
}

describe('createRefreshScheduler', () => {
  it('runs the first request at once', () => {
    const { runs, scheduler } = setUp();
    scheduler.request('a');
    expect(runs).toEqual(['a']);
  });

  it('makes at most five runs a second of a thousand requests', async () => {
    const { clock, runs, scheduler } = setUp();
    for (let request = 0; request < 999; request += 1) {
      scheduler.request('a');
      await clock.advance(1);
    }
    expect(runs).toHaveLength(5);
  });

  it('runs once more for the last request', async () => {
    const { clock, runs, scheduler } = setUp();
    scheduler.request('a');
    scheduler.request('a');
    expect(runs).toHaveLength(1);
    await clock.advance(200);
    expect(runs).toHaveLength(2);
    await clock.advance(1000);
    expect(runs).toHaveLength(2);
  });

  it('holds back one key without holding back another', () => {
    const { runs, scheduler } = setUp();
    scheduler.request('a');
    scheduler.request('b');
    expect(runs).toEqual(['a', 'b']);
  });

  it('leaves no timer behind', () => {
    const { clock, scheduler } = setUp();
    scheduler.request('a');
    scheduler.dispose();
    expect(clock.waiting).toBe(0);
  });
});
