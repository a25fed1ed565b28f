import { expect, it } from 'vitest';
import { createMovements } from '../../../../src/host/sidebar/movements.ts';
import { ServersTree } from '../../../../src/host/sidebar/serversTree.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { running, sampleRegistry, sampleServer, session } from '../sampleServer.ts';

it.each([
  ['is opened down to its first list, though VS Code draws the view again meanwhile', 3, ['server', 'group']],
  ['is left as it is where VS Code does not find its row', 100, []],
])('a server that was started %s', async (_what, failures, opened) => {
  const contents = { tools: [{ name: 'add', inputSchema: {} }] };
  const registry = sampleRegistry(sampleServer('demo', { state: running, session, contents }));
  const savedCalls = { of: () => [] };
  const tree = new ServersTree({ registry, problemCount: () => 0, canStart: () => true, savedCalls });
  const clock = createManualClock();
  const revealed: string[] = [];
  let left = failures;
  const view = {
    visible: true,
    reveal: async ({ kind }: { readonly kind: string }) => {
      left -= 1;
      if (left >= 0) throw new Error('Cannot resolve tree item');
      revealed.push(kind);
    },
  };
  const movements = createMovements({
    view: view as never,
    tree,
    registry,
    actions: { start: async () => {} },
    setFilter: () => {},
    clock,
    startsOpen: () => false,
  });
  const started = movements.start('demo');
  for (let pauses = 0; pauses < 20; pauses += 1) {
    await settle();
    await clock.advance(100);
  }
  await started;
  expect(revealed).toEqual(opened);
});
