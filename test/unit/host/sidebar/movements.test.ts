import { expect, it } from 'vitest';
import { createMovements } from '../../../../src/host/sidebar/movements.ts';
import { ServersTree } from '../../../../src/host/sidebar/serversTree.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { running, sampleRegistry, sampleServer, session } from '../sampleServer.ts';

/** What is opened by `move`, where the first `failures` attempts to open a row fail. */
async function openedBy(failures: number, move: 'start' | 'reveal'): Promise<readonly string[]> {
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
  const started = movements[move]('demo');
  for (let pauses = 0; pauses < 20; pauses += 1) {
    await settle();
    await clock.advance(100);
  }
  await started;
  return revealed;
}

it.each([
  ['is opened down to its first list, though VS Code draws the view again meanwhile', 3, ['server', 'group']],
  ['is left as it is where VS Code does not find its row', 100, []],
])('a server that was started %s', async (_what, failures, opened) => {
  expect(await openedBy(failures, 'start')).toEqual(opened);
});

it('a server that was added and started is opened down to its first list too', async () => {
  expect(await openedBy(0, 'reveal')).toEqual(['server', 'group']);
});
