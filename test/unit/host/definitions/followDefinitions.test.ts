import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.ts';
import { createLogger } from '../../../../src/base/logger.ts';
import type { ChangedDefinition, PinnedServer } from '../../../../src/client/definitions/ports.ts';
import { DefinitionFollower } from '../../../../src/host/definitions/followDefinitions.ts';
import type { HostServer } from '../../../../src/host/servers/serverRegistry.ts';
import { ItemMarks } from '../../../../src/host/definitions/itemMarks.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import { running, sampleRegistry, sampleServer } from '../sampleServer.ts';
import { sampleState } from '../sampleState.ts';

const changed: ChangedDefinition = {
  server: 'demo',
  kind: 'tools',
  key: 'a',
  before: '[1]',
  after: '[2]',
  difference: { changes: [], isCut: false },
};

function setUp() {
  const clock = createManualClock();
  const onDidChangeAny = new Emitter<HostServer>();
  const onDidChange = new Emitter<PinnedServer>();
  const marks = new ItemMarks();
  const host = sampleServer('demo', { isRemembered: true });
  let changes: readonly ChangedDefinition[] = [];
  let asked = 0;
  const follower = new DefinitionFollower({
    registry: Object.assign(sampleRegistry(host), { onDidChangeAny: onDidChangeAny.event }),
    pins: {
      changesIn: () => {
        asked += 1;
        return Promise.resolve(changes);
      },
      onDidChange: onDidChange.event,
    },
    storage: sampleState(),
    random: () => 0.5,
    marks,
    clock,
    logger: createLogger(() => {}),
  });
  let drawn = 0;
  marks.onDidChange(() => (drawn += 1));
  return {
    follower,
    marks,
    clock,
    counts: () => ({ asked, drawn }),
    tools: () => marks.list({ server: 'demo', contents: 'tools' }),
    announce: () => onDidChangeAny.fire(host),
    change: (next: readonly ChangedDefinition[]) => void (changes = next),
    list: async (...names: readonly string[]) => {
      const tools = names.map((name) => ({ name, inputSchema: {} }));
      Object.assign(host, sampleServer('demo', { state: running, contents: { tools } }));
      onDidChangeAny.fire(host);
      await clock.advance(200);
    },
    stop: async () => {
      Object.assign(host, sampleServer('demo', { isRemembered: true }));
      onDidChangeAny.fire(host);
      await clock.advance(200);
    },
  };
}

describe('marks of a running server', () => {
  it('are drawn again only when they are other ones', async () => {
    const { list, change, counts, tools } = setUp();
    await list('a', 'b');
    await list('a', 'b');
    expect(counts().drawn).toBe(0);
    change([changed]);
    await list('a', 'b', 'c');
    expect([...tools().changed.keys(), ...tools().fresh]).toEqual(['a', 'c']);
    await list('a', 'b', 'c');
    expect(counts().drawn).toBe(1);
  });

  it('are looked for at a bounded rate in a storm of changes', async () => {
    const { list, announce, counts, clock } = setUp();
    await list('a');
    const before = counts().asked;
    for (let time = 0; time < 100; time += 1) announce();
    await clock.advance(400);
    await settle();
    expect(counts().asked - before).toBeLessThan(5);
  });

  it('end with the server, and when a person has seen them all', async () => {
    const { list, stop, change, tools, follower, clock } = setUp();
    change([changed]);
    await list('a');
    await list('a', 'b');
    follower.markAllSeen('demo');
    await clock.advance(400);
    expect([...tools().changed.keys(), ...tools().fresh]).toEqual(['a']);
    await stop();
    expect(tools().changed.size).toBe(0);
  });
});
