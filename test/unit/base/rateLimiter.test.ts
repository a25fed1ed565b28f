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
  it('lets so many through and counts the rest', async () => {
    const { clock, lines, pass } = setUp();
    for (const line of 'abcdefg') pass(line);
    expect(lines).toEqual(['a', 'b', 'c']);
    await clock.advance(1000);
    expect(lines).toEqual(['a', 'b', 'c', '4 left out']);
  });

  it('opens again in the next period', async () => {
    const { clock, lines, pass } = setUp();
    for (const line of 'abc') pass(line);
    await clock.advance(1000);
    pass('d');
    expect(lines).toEqual(['a', 'b', 'c', 'd']);
  });

  it('does not run what does not pass', () => {
    const { gate, pass } = setUp();
    for (const line of 'abc') pass(line);
    gate.run(() => expect.unreachable());
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
