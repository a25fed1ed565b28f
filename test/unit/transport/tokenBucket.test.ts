import { describe, expect, it } from 'vitest';
import { TokenBucket } from '../../../src/transport/tokenBucket.ts';
import { createManualClock } from '../../fixtures/manualClock.ts';

describe('TokenBucket', () => {
  it('admits a burst, then as many as time allows, and counts the rest', async () => {
    const clock = createManualClock();
    const bucket = new TokenBucket(clock, { burst: 3, perSecond: 2 });
    const admitted = (tries: number): number =>
      Array.from({ length: tries }, () => bucket.admit()).filter(Boolean).length;
    expect(admitted(10)).toBe(3);
    expect(bucket.takeDropped()).toBe(7);
    expect(bucket.takeDropped()).toBe(0);
    await clock.advance(1_000);
    expect(admitted(10)).toBe(2);
    await clock.advance(60_000);
    expect(admitted(10)).toBe(3);
  });
});
