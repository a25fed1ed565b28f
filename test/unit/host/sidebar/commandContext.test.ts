import { expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { followCommandContext } from '../../../../src/host/sidebar/commandContext.ts';
import { createManualClock } from '../../../fixtures/manualClock.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { running, sampleRegistry, sampleServer } from '../sampleServer.ts';

it('offers in the palette what can do something now, and says only what has changed', async () => {
  const clock = createManualClock();
  const source = { kind: 'demo', title: 'Demo', uri: undefined, folder: undefined } as const;
  const [changed, marked] = [new Emitter<HostServer>(), new Emitter<string>()];
  const servers = { now: [sampleServer('a')] };
  const registry = Object.assign(sampleRegistry(), { onDidChangeAny: changed.event });
  Object.defineProperty(registry, 'servers', { get: () => servers.now });
  const marks = { hasAny: false, onDidChange: marked.event };
  const following = followCommandContext(registry, marks, clock);
  const said = (): unknown => editor.executed.splice(0).map(([, key, value]) => [key, value]);
  expect(said()).toEqual([
    ['patchbay.hasIdle', true],
    ['patchbay.hasDebuggable', true],
    ['patchbay.hasRecordable', true],
  ]);
  const [demo] = (servers.now = [sampleServer('demo', { state: running, configured: { source } })]);
  if (demo !== undefined) changed.fire(demo);
  await clock.advance(200);
  expect(said()).toEqual(
    expect.arrayContaining([
      ['patchbay.hasIdle', false],
      ['patchbay.hasRunning', true],
      ['patchbay.hasDemo', true],
    ]),
  );
  if (demo !== undefined) changed.fire(demo);
  await clock.advance(200);
  expect(said()).toEqual([]);
  following.dispose();
});
