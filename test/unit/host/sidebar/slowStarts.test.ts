import { expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import type { ServerState } from '../../../../src/client/server/server.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { describeServer } from '../../../../src/host/servers/serverStatus.ts';
import { followSlowStarts } from '../../../../src/host/sidebar/slowStarts.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { sampleServer } from '../sampleServer.ts';

it('says how long a start takes, every few seconds, and nothing once it has ended', async () => {
  const clock = createManualClock();
  const changes = new Emitter<HostServer>();
  let server = sampleServer('demo', { state: { kind: 'starting' } });
  const registry = { get: () => server, onDidChangeAny: changes.event };
  const refresh = vi.fn<(label: string) => void>();
  const starts = followSlowStarts(registry, clock, refresh);
  const enter = (state: ServerState, awaitsAnswer = false): void => {
    server = sampleServer('demo', { state, awaitsAnswer });
    changes.fire(server);
  };
  enter({ kind: 'starting' });
  // A server that says much while it starts causes no more of them.
  for (let index = 0; index < 20; index += 1) enter({ kind: 'starting' });
  expect(starts.seconds('demo')).toBeUndefined();
  await clock.advance(12_000);
  expect(refresh.mock.calls).toEqual([['demo'], ['demo'], ['demo']]);
  expect(describeServer(server, starts.seconds('demo'))).toBe('starting, 12 s…');
  // What the person takes to answer is not counted.
  enter({ kind: 'starting' }, true);
  await clock.advance(60_000);
  expect(starts.seconds('demo')).toBeUndefined();
  enter({ kind: 'starting' });
  await clock.advance(5_000);
  expect(starts.seconds('demo')).toBe(5);
  enter({ kind: 'running' });
  await clock.advance(60_000);
  expect(refresh).toHaveBeenCalledTimes(4);
  expect(starts.seconds('demo')).toBeUndefined();
});
