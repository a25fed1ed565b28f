import { describe, expect, it } from 'vitest';
import { Coalescer } from '../../../src/base/coalescer.ts';
import { createManualClock, settle } from '../../fixtures/manualClock.ts';

function setUp() {
  const clock = createManualClock();
  const runs: (readonly string[])[] = [];
  const coalescer = new Coalescer<string>(
    clock,
    () => 200,
    (keys) => runs.push(keys),
  );
  return { clock, runs, coalescer };
}

describe('Coalescer', () => {
  it('makes one run of what is requested in one turn', async () => {
    const { runs, coalescer } = setUp();
    for (const key of ['a', 'b', 'a']) coalescer.request(key);
    await settle();
    expect(runs).toEqual([['a', 'b']]);
  });

  it('makes at most five runs a second of a thousand requests', async () => {
    const { clock, runs, coalescer } = setUp();
    for (let request = 0; request < 999; request += 1) {
      coalescer.request('a');
      await clock.advance(1);
    }
    expect(runs).toHaveLength(5);
  });

  it('runs once more for the last request', async () => {
    const { clock, runs, coalescer } = setUp();
    coalescer.request('a');
    await settle();
    coalescer.request('a');
    await clock.advance(199);
    expect(runs).toHaveLength(1);
    await clock.advance(1);
    expect(runs).toHaveLength(2);
    await clock.advance(1000);
    expect(runs).toHaveLength(2);
  });

  it('holds back one key without holding back another', async () => {
    const { runs, coalescer } = setUp();
    coalescer.request('a');
    await settle();
    coalescer.request('a');
    coalescer.request('b');
    await settle();
    expect(runs).toEqual([['a'], ['b']]);
  });

  it('waits for the end of a burst where it is told to', async () => {
    const { clock, runs, coalescer } = setUp();
    for (let event = 0; event < 3; event += 1) {
      coalescer.postpone('a');
      await clock.advance(150);
    }
    expect(runs).toEqual([]);
    await clock.advance(50);
    expect(runs).toEqual([['a']]);
  });

  it('leaves no timer behind', async () => {
    const { clock, coalescer, runs } = setUp();
    coalescer.request('a');
    await settle();
    coalescer.postpone('b');
    coalescer.request('c');
    coalescer.dispose();
    await settle();
    expect(clock.waiting).toBe(0);
    expect(runs).toEqual([['a']]);
  });
});
