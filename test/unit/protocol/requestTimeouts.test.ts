import { expect, it } from 'vitest';
import type { PendingRequest } from '../../../src/protocol/pendingRequests.ts';
import { RequestTimeouts } from '../../../src/protocol/requestTimeouts.ts';
import { createManualClock } from '../../fixtures/manualClock.ts';

it('gives a request that is paused its whole limit, where the server waited for an answer before', async () => {
  const clock = createManualClock();
  const expired: unknown[] = [];
  const now = clock.now();
  const request = { startedAt: now, lastActivityAt: now, idleMs: 60, pauses: 0, pausedSince: 0 } as PendingRequest;
  const timeouts = new RequestTimeouts(clock, 1_000, new Map([[1, request]]), (id) => expired.push(id));
  timeouts.start(request);
  const suspension = timeouts.suspend();
  await clock.advance(70);
  const pause = timeouts.pause();
  await clock.advance(20);
  suspension.dispose();
  pause.dispose();
  await clock.advance(59);
  expect(expired).toEqual([]);
  await clock.advance(1);
  expect(expired).toEqual([1]);
});
