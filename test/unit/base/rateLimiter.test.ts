import { describe, expect, it } from 'vitest';
import { RateLimiter } from '../../../src/base/rateLimiter.ts';
import { createManualClock } from '../../fixtures/manualClock.ts';

function setUp() {
  const clock = createManualClock();
  const lines: string[] = [];
  const gate = new RateLimiter(clock, { count: 3, periodMs: 1000 }, (count) => lines.push(`${count} left out`));
  const pass = (line: string): void => gate.run(() => lines.push(line));
  return { clock, lines, gate, pass };
}

describe('RateLimiter', () => {
  it('lets so many through, counts the rest, and opens again in the next period', async () => {
    const { clock, lines, pass, gate } = setUp();
    for (const line of 'abcdefg') pass(line);
    gate.run(() => expect.unreachable());
    expect(lines).toEqual(['a', 'b', 'c']);
    await clock.advance(1000);
    pass('h');
    expect(lines).toEqual(['a', 'b', 'c', '5 left out', 'h']);
  });

  it('leaves no timer when idle or disposed', async () => {
    const { clock, gate, pass } = setUp();
    pass('a');
    await clock.advance(1000);
    expect(clock.waiting).toBe(0);
    pass('b');
    gate.dispose();
    expect(clock.waiting).toBe(0);
  });
});
