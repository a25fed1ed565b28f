import { describe, expect, it } from 'vitest';
import { createSlices } from '../../../src/base/slices.ts';
import {
  createLenientFinder,
  createStrictFinder,
  type ScriptedRequest,
} from '../../../src/transport/replay/sessionScript.ts';
import { createManualClock } from '../../fixtures/manualClock.ts';

const never = () => undefined;

/** Requests of a hostile recording: many of one method, each of them long. `read` counts how often one is gone through. */
function longRequests(count: number) {
  const counts = { read: 0 };
  const requests = Array.from({ length: count }, (_, id): ScriptedRequest => {
    const params = { cursor: `${'y'.repeat(50_000)}${id}` };
    const counted = new Proxy(params, {
      ownKeys: (target) => ((counts.read += 1), Reflect.ownKeys(target)),
    });
    return { kind: 'request', method: 'tools/list', params: counted, line: id, id, at: id, closedAt: count };
  });
  return { counts, requests };
}

describe('a hostile recording', () => {
  it.each([
    ['lenient', createLenientFinder],
    ['strict', createStrictFinder],
  ])('makes the search for one request no longer than a moment: %s', async (_, create) => {
    const { counts, requests } = longRequests(400);
    const finder = await create(requests, never);
    counts.read = 0;
    expect(finder.find({ method: 'tools/list', params: { cursor: 'x' } })).toMatchObject({ code: -32_602 });
    expect(counts.read).toBeLessThan(50);
    expect(finder.find({ method: 'tools/list', params: { cursor: `${'y'.repeat(50_000)}0` } })).toBe(requests[0]);
  });

  it('is prepared in slices of time', async () => {
    const clock = createManualClock();
    let pauses = 0;
    const nextSlice = createSlices(clock, async () => void (pauses += 1));
    const { requests } = longRequests(10);
    const slow = (): Promise<void> | undefined => (void clock.advance(10), nextSlice());
    await createLenientFinder(requests, slow);
    expect(pauses).toBeGreaterThan(9);
  });
});
