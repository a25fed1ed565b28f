import { expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { followSecrets } from '../../../../src/client/trace/tappedChannel.ts';
import { TrafficLog } from '../../../../src/client/trace/trafficLog.ts';
import { TrafficPageConnection } from '../../../../src/host/traffic/trafficPanel.ts';
import type { TrafficToPanel } from '../../../../src/shared/trafficMessages.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';

const plan = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: {} } as const;

function openPage(rows: number) {
  const clock = createManualClock();
  const log = new TrafficLog(clock);
  const tap = log.tap({ label: 'demo', plan, redactor: followSecrets(plan, () => undefined) });
  for (let count = 0; count < rows; count += 1)
    tap.message('sent', { jsonrpc: '2.0', method: `notifications/${count}` });
  const messages = new Emitter<unknown>();
  const states: Extract<TrafficToPanel, { type: 'state' }>[] = [];
  const none = async (): Promise<void> => {};
  const connection = new TrafficPageConnection(
    { post: (message) => void (message.type === 'state' && states.push(message)), onMessage: messages.event },
    { log, clock, isRestored: false, actionsOf: () => [], act: none, copy: none, exportRows: none, run: () => {} },
  );
  const view = (filter: string, isPaused = false): void =>
    messages.fire({ type: 'view', filter, showsPings: true, sort: 'time', isPaused });
  messages.fire({ type: 'ready' });
  return { clock, connection, states, view };
}

it('a filter that is typed searches once, and the search ends with the page', async () => {
  const { clock, connection, states, view } = openPage(10_000);
  for (const filter of ['text:n', 'text:no', 'text:not']) view(filter);
  expect(clock.waiting).toBe(1);
  await clock.advance(0);
  expect(states.at(-1)).toMatchObject({ isSearching: false });
  expect(states.at(-1)?.count).toBeGreaterThan(9_999);
  view('text:noti');
  connection.dispose();
  expect(clock.waiting).toBe(0);
});

it('a new filter is searched to its end while the list is paused', async () => {
  const { clock, states, view } = openPage(10_000);
  view('text:n', true);
  view('text:n', true);
  await clock.advance(0);
  expect(states.at(-1)).toMatchObject({ isSearching: false });
  expect(states.at(-1)?.count).toBeGreaterThan(9_999);
});
