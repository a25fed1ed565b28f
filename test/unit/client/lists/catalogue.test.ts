import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createNullLogger } from '../../../../src/base/logger.ts';
import { Catalogue } from '../../../../src/client/lists/catalogue.ts';
import { type Contents, emptyContents } from '../../../../src/client/contents.ts';
import { JsonRpcError } from '../../../../src/protocol/jsonRpc.ts';
import { handshakeRevisions } from '../../../../src/protocol/session/revision.ts';
import { createManualClock, settle } from '../../../fixtures/manualClock.ts';
import {
  listing,
  setUpServer,
  startServer,
  statelessSetUp,
  withTools,
} from '../../../fixtures/scriptedManagedServer.ts';

describe('lists', () => {
  it('are read to the last page, an empty cursor included, and never twice [pagination] [cursor-empty] [cursor-loop]', async () => {
    const { server, latest } = await startServer({
      ...statelessSetUp,
      capabilities: { tools: {} },
      script: (scripted) =>
        scripted.on('tools/list', ({ cursor }) => {
          const nextCursor = cursor === undefined ? '' : 'two';
          return { tools: [{ name: `after ${String(cursor)}` }], nextCursor };
        }),
    });
    expect(server.contents.tools.map(({ name }) => name)).toEqual(['after undefined', 'after ', 'after two']);
    expect(latest().sentFor('tools/list')).toHaveLength(3);
    expect(server.problems).toEqual([expect.stringContaining('did not come to an end')]);
  });

  it.each(handshakeRevisions)('of %s end with an empty cursor [cursor-empty-end]', async (protocolVersion) => {
    const { server, latest } = await startServer({
      capabilities: { tools: {} },
      protocolVersion,
      script: (scripted) => scripted.on('tools/list', () => ({ tools: [{ name: 'a' }], nextCursor: '' })),
    });
    expect(latest().sentFor('tools/list')).toHaveLength(1);
    expect(server.contents.tools).toHaveLength(1);
    expect(server.problems).toEqual([]);
  });

  it.each<[string, (asked: number) => string | undefined, number]>([
    ['the same cursor', () => 'again', 2],
    ['a new cursor each time', (asked) => `cursor ${asked}`, 3],
    ['no cursor after that', (asked) => (asked === 1 ? 'more' : undefined), 2],
  ])('leave out a page that comes again with %s, and say so [page-repeated]', async (_what, cursorOf, requests) => {
    const { server, latest } = setUpServer(
      listing('tools', () => ({
        tools: [{ name: 'a' }, { name: 'b' }],
        nextCursor: cursorOf(latest().sentFor('tools/list').length),
      })),
    );
    await server.start();
    expect(latest().sentFor('tools/list')).toHaveLength(requests);
    expect(server.contents.tools.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(server.problems.at(-1)).toMatch(/^tools\/list (gave|gives) the same page/);
  });

  it('go on after a page that came twice, and keep pages that only look the same [page-repeated]', async () => {
    const pages = [
      { tools: [{ name: 'a' }], nextCursor: '1' },
      { tools: [{ name: 'a' }], nextCursor: '2' },
      { tools: [{ name: 'a', description: 'another' }], nextCursor: '3' },
      { tools: [], nextCursor: '4' },
      { tools: [], nextCursor: '5' },
      { tools: [{ name: 'b' }] },
    ];
    const { server } = await startServer(listing('tools', ({ cursor = 0 }) => pages[Number(cursor)]));
    expect(server.contents.tools.map(({ name, description }) => description ?? name)).toEqual(['a', 'another', 'b']);
    expect(server.problems).toEqual(['tools/list gave the same page twice; the second was left out.']);
  });

  it('end with a cursor that is no string, and say so [cursor-type]', async () => {
    const { server, latest } = await startServer(listing('tools', () => ({ tools: [{ name: 'a' }], nextCursor: 7 })));
    expect(latest().sentFor('tools/list')).toHaveLength(1);
    expect(server.contents.tools).toHaveLength(1);
    expect(server.problems).toEqual([expect.stringMatching(/"nextCursor".*"tools".*not a string/)]);
  });

  it('keep the pages before one that fails, and say what is missing [page-failed]', async () => {
    const { server, warnings } = await startServer({
      capabilities: { tools: {}, prompts: {} },
      script(scripted) {
        scripted.on('prompts/list', () => ({ prompts: [{ name: 'p' }] }));
        scripted.on('tools/list', ({ cursor }) => {
          if (cursor === undefined) return { tools: [{ name: 'a' }, { name: 'b' }], nextCursor: 'more' };
          throw { code: -32603, message: 'out of cheese' };
        });
      },
    });
    expect(server.contents.tools.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(server.contents.prompts).toHaveLength(1);
    expect(server.problems).toEqual([
      expect.stringMatching(/^tools\/list could not be read to its end: out of cheese.*first 2 entries/),
    ]);
    expect(warnings).toEqual(server.problems);
  });

  it('are read from the beginning, once, when a cursor is not valid any more [cursor-invalid]', async () => {
    let staleTimes = 1;
    let refusals = 0;
    const { server, latest } = await startServer(
      listing('tools', ({ cursor }) => {
        if (cursor === undefined) return { tools: [{ name: 'first' }], nextCursor: 'second page' };
        refusals += 1;
        if (refusals <= staleTimes) throw { code: -32602, message: 'Invalid cursor' };
        return { tools: [{ name: 'second' }] };
      }),
    );
    expect(server.contents.tools.map(({ name }) => name)).toEqual(['first', 'second']);
    expect(server.problems).toEqual([]);

    staleTimes = Infinity;
    await server.restart();
    expect(latest().sentFor('tools/list')).toHaveLength(4);
    expect(server.problems).toEqual([expect.stringContaining('Invalid cursor')]);
  });

  it('without end are read up to so many characters, and what was read is kept', async () => {
    const text = 'x'.repeat(900_000);
    const { server, latest } = await startServer(
      listing('tools', ({ cursor = '0' }) => ({
        tools: Array.from({ length: 10 }, (_, index) => ({
          name: `${String(cursor)}.${index}`,
          inputSchema: { type: 'object', description: text },
        })),
        nextCursor: String(Number(cursor) + 1),
      })),
    );
    expect(latest().sentFor('tools/list')).toHaveLength(4);
    expect(server.contents.tools.at(-1)?.name).toBe('3.4');
    expect(server.contents.tools).toHaveLength(35);
    expect(server.problems).toEqual([expect.stringMatching(/^tools\/list is too long; .*first 35 entries/)]);
  });

  it('count what is no entry of theirs too, such as their cursors', async () => {
    const { server, latest } = await startServer(
      listing('tools', ({ cursor = '0' }) => ({
        tools: [],
        nextCursor: `${Number.parseInt(String(cursor), 10) + 1} ${'c'.repeat(5_000_000)}`,
      })),
    );
    expect(latest().sentFor('tools/list')).toHaveLength(7);
    expect(server.problems).toEqual([expect.stringContaining('tools/list is too long')]);
  });

  it('hold no more entries than the limit', async () => {
    const names = Array.from({ length: 150_000 }, (_, index) => ({ name: String(index) }));
    const { server } = await startServer(
      listing('prompts', ({ cursor }) => ({
        prompts: names.map(({ name }) => ({ name: `${String(cursor)} ${name}` })),
        ...(cursor === undefined && { nextCursor: '2' }),
      })),
    );
    expect(server.contents.prompts).toHaveLength(200_000);
    expect(server.contents.prompts.at(-1)?.name).toBe('2 49999');
    expect(server.problems).toEqual([expect.stringContaining('prompts/list has too many entries')]);
  });

  it('are read again after the first time when they changed meanwhile', async () => {
    const { clock, server, latest } = setUpServer({ capabilities: { tools: {} } });
    const start = server.start();
    await settle();
    latest().notify('notifications/tools/list_changed');
    await settle();
    expect(latest().sentFor('tools/list')).toHaveLength(1);
    latest().on('tools/list', () => ({ tools: [{ name: 'new' }] }));
    latest().reply('tools/list', { tools: [{ name: 'old' }] });
    await start;
    await clock.advance(0);
    expect(server.contents.tools.map(({ name }) => name)).toEqual(['new']);
  });

  it('of bad entries do not fill the memory with complaints', async () => {
    const { server } = await startServer(listing('tools', () => ({ tools: Array.from({ length: 5_000 }, () => 0) })));
    expect(server.problems).toHaveLength(100);
  });

  it('are forgotten after a sign-out, once the server is stopped', async () => {
    const { server, saved } = await startServer(withTools);
    server.forgetContents();
    expect(server.contents.tools).toHaveLength(1);
    await server.stop();
    expect(server.lastSeen.tools).toHaveLength(1);
    server.forgetContents();
    expect([server.lastSeen, saved.at(-1)]).toMatchObject([{ tools: [] }, { tools: [] }]);
  });

  it('leave out what is not worth remembering', async () => {
    const { saved } = await startServer(
      listing('prompts', () => ({ prompts: [{ name: 'p', arguments: [{ name: 'a', required: true, junk: {} }] }] })),
    );
    expect(saved.at(-1)?.prompts).toEqual([{ name: 'p', arguments: [{ name: 'a', required: true }] }]);
  });

  it('are read at most four times a second, however often the server says they changed [list-flood]', async () => {
    const { clock, latest } = await startServer(withTools);
    const before = latest().sentFor('tools/list').length;
    for (let tick = 0; tick < 100; tick += 1) {
      for (let burst = 0; burst < 10; burst += 1) latest().notify('notifications/tools/list_changed');
      await clock.advance(10);
    }
    expect(latest().sentFor('tools/list').length - before).toBeLessThanOrEqual(5);
    expect(latest().sentFor('tools/list').length - before).toBeGreaterThanOrEqual(4);
  });

  it('of 10,000 entries cost a request for each page, and are told of once', async () => {
    const page = (start: number) => Array.from({ length: 1_000 }, (_, index) => ({ name: `tool ${start + index}` }));
    const { clock, server, latest } = await startServer({
      capabilities: { tools: { listChanged: true } },
      script: (scripted) =>
        scripted.on('tools/list', ({ cursor = 0 }) => {
          const next = Number(cursor) + 1_000;
          return { tools: page(Number(cursor)), ...(next < 10_000 && { nextCursor: String(next) }) };
        }),
    });
    expect(server.contents.tools).toHaveLength(10_000);
    expect(latest().sentFor('tools/list')).toHaveLength(10);
    const changed = vi.fn();
    server.onDidChangeContents(changed);
    latest().notify('notifications/tools/list_changed');
    await clock.advance(1_000);
    expect(latest().sentFor('tools/list')).toHaveLength(20);
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it('change when the server says so [list-changed]', async () => {
    const { clock, server, latest } = await startServer(withTools);
    const changed = vi.fn();
    server.onDidChangeContents(changed);
    latest().on('tools/list', () => ({ tools: [{ name: 'add' }, { name: 'subtract' }] }));
    latest().notify('notifications/tools/list_changed');
    await clock.advance(0);
    expect(changed).toHaveBeenCalledWith('tools');
    expect(server.contents.tools).toHaveLength(2);
  });

  it('of last time are there before the first start', () => {
    const remembered: Contents = { ...emptyContents, tools: [{ name: 'old', inputSchema: {} }] };
    const { server } = setUpServer({ remembered });
    expect(server.contents).toBe(remembered);
    expect(server.rememberedAt).toBe(1);
    expect(server.isRemembered).toBe(true);
  });
});

/** Lists whose readings the test answers, one after the other. */
function openHeld() {
  const held: ((result: object) => void)[] = [];
  const catalogue = new Catalogue(
    {
      revision: '2025-11-25',
      capabilities: { tools: {} },
      request: () => new Promise<never>((resolve) => held.push(resolve as (result: object) => void)),
      validateTool: () => undefined,
      receivesListChanges: () => true,
    },
    createManualClock(),
    createNullLogger(),
  );
  onTestFinished(() => catalogue.dispose());
  return { catalogue, held };
}

it('a list of another account is forgotten, then waited for as one that was never read', async () => {
  const { catalogue, held } = openHeld();
  const tools = [{ name: 'add', inputSchema: { type: 'object' } }];
  catalogue.listAll();
  held[0]?.({ tools });
  await catalogue.whenListed();
  const told: object[] = [];
  catalogue.onDidChange(() => {
    const { contents } = catalogue;
    told.push({ tools: contents.tools.length, isAwaited: catalogue.pendingList('tools') !== undefined });
  });
  catalogue.authorizationChanged({ before: 'a', account: 'b' });
  // First the remembered contents are dropped, then the new list is awaited.
  expect(told).toEqual([
    { tools: 0, isAwaited: false },
    { tools: 0, isAwaited: true },
  ]);
  const awaited = catalogue.pendingList('tools');
  held[1]?.({ tools });
  await awaited;
  expect(told.at(-1)).toEqual({ tools: 1, isAwaited: false });
  catalogue.authorizationChanged({ before: 'b', account: '' });
  expect(catalogue.failure('tools')).toMatchObject({ code: 'needsSignIn' });
  expect(held).toHaveLength(2);
});

it('a list that is used is read to what the server has said last, also what it says while it is read', async () => {
  const { catalogue, held } = openHeld();
  const listed = (name: string) => ({ tools: [{ name, inputSchema: { type: 'object' } }] });
  catalogue.listAll();
  held[0]?.(listed('a'));
  await catalogue.whenListed();
  expect(catalogue.currentList('tools')).toBeUndefined();
  const names = (): string[] => catalogue.contents.tools.map(({ name }) => name);
  catalogue.invalidate('tools');
  // Both are of the reading that is going on.
  const current = async (): Promise<readonly string[] | undefined> => {
    const waiting = catalogue.currentList('tools');
    if (waiting === undefined) return undefined;
    await waiting;
    return names();
  };
  const early = [current(), current()];
  catalogue.invalidate('tools');
  const late = [current(), current()];
  held[1]?.(listed('b'));
  expect(await Promise.all(early)).toEqual([['b'], ['b']]);
  await settle();
  held[2]?.(listed('c'));
  expect(await Promise.all(late)).toEqual([['c'], ['c']]);
  expect(catalogue.currentList('tools')).toBeUndefined();
});

describe('a list that is said to have changed again and again', () => {
  const tools = (...names: string[]) => ({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) });

  /** The lists of a server that says so `afterMs` after each reading, until it is quiet. */
  function open(list: (asked: number) => object, afterMs = 10) {
    const clock = createManualClock();
    const state = { asked: 0, isQuiet: false };
    const session = {
      revision: '2025-11-25',
      capabilities: { tools: {} },
      request: async () => {
        state.asked += 1;
        clock.after(afterMs, () => state.isQuiet || catalogue.invalidate('tools'));
        return list(state.asked) as never;
      },
      validateTool: () => undefined,
      receivesListChanges: () => true,
    };
    const catalogue = new Catalogue(session, clock, createNullLogger());
    onTestFinished(() => catalogue.dispose());
    catalogue.listAll();
    return { catalogue, clock, state };
  }

  const fail = (): never => {
    throw new JsonRpcError(-32_603, 'out of cheese');
  };

  it.each<[name: string, list: (asked: number) => object, inAMinute: number, later: number, problems: RegExp[]]>([
    ['is the same', () => tools('a'), 13, 2, [/keeps reporting/]],
    ['is another each time', (asked) => tools(`a${asked}`), 23, 13, []],
    ['cannot be read', fail, 13, 2, [/out of cheese/, /keeps reporting/]],
  ])('is read with growing pauses where it %s', async (_, list, inAMinute, later, problems) => {
    const { catalogue, clock, state } = open(list);
    await clock.advance(60_000);
    expect(state.asked).toBeLessThanOrEqual(inAMinute);
    const before = state.asked;
    await clock.advance(60_000);
    expect(state.asked - before).toBeLessThanOrEqual(later);
    expect(state.asked - before).toBeGreaterThan(0);
    expect(catalogue.problems).toEqual(problems.map((words) => expect.stringMatching(words) as unknown));
  });

  it('is not read at the pace of a server that says so every few seconds', async () => {
    const { clock, state } = open(() => tools('a'), 2_300);
    await clock.advance(600_000);
    expect(state.asked).toBeLessThan(25);
  });

  it('is read at once again, and no complaint is left, when it was quiet for a while', async () => {
    const { catalogue, clock, state } = open(() => tools('a'));
    await clock.advance(60_000);
    state.isQuiet = true;
    await clock.advance(60_000);
    expect(catalogue.problems).toHaveLength(1);
    const changed = vi.fn();
    catalogue.onDidChange(changed);
    await clock.advance(120_000);
    expect(changed).toHaveBeenCalledWith('tools');
    expect(catalogue.problems).toEqual([]);
    const before = state.asked;
    catalogue.invalidate('tools');
    await clock.advance(0);
    expect(state.asked).toBe(before + 1);
    expect(clock.waiting).toBeLessThanOrEqual(2);
  });
});

it('tools that cannot be called are left out, with the reason among the problems and once in the log', async () => {
  const tool = (name: string, header: string) => ({
    name,
    inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': header } } },
  });

  const { clock, server, latest, warnings } = await startServer({
    ...statelessSetUp,
    capabilities: { tools: {} },
    script: (scripted) => scripted.on('tools/list', () => ({ tools: [tool('bad', 'A B'), tool('good', 'A')] })),
  });
  expect(server.contents.tools.map(({ name }) => name)).toEqual(['good']);
  expect(server.problems).toEqual([expect.stringContaining('"bad" was left out')]);
  latest().notify('notifications/tools/list_changed');
  await clock.advance(1_000);
  expect(latest().sentFor('tools/list')).toHaveLength(2);
  expect(warnings).toEqual(server.problems);
});

describe('a list that has grown old', () => {
  function open(ttlMs: unknown, capability: object = {}) {
    return setUpServer({
      ...statelessSetUp,
      capabilities: { resources: capability },
      script(scripted) {
        scripted.on('resources/list', ({ cursor }) =>
          cursor === undefined ? { resources: [], nextCursor: 'b', ttlMs: 60_000 } : { resources: [], ttlMs },
        );
        scripted.on('resources/templates/list', () => ({ resourceTemplates: [], ttlMs: 60_000 }));
        scripted.on('subscriptions/listen', (_params, id) => {
          const meta = { 'io.modelcontextprotocol/subscriptionId': id };
          scripted.notify('notifications/subscriptions/acknowledged', { _meta: meta });
        });
      },
    });
  }

  it('is listed again when somebody looks, not before', async () => {
    const { clock, server, latest } = open(5_000);
    await server.start();
    await clock.advance(4_999);
    server.refreshStale('resources');
    await clock.advance(1);
    expect(latest().sentFor('resources/list')).toHaveLength(2);
    server.refreshStale('tools');
    server.refreshStale('resources');
    server.refreshStale('resources');
    await clock.advance(1_000);
    expect(latest().sentFor('resources/list')).toHaveLength(4);
    expect(latest().sentFor('resources/templates/list')).toHaveLength(1);
  });

  it('is reported as changed only where it is another one now', async () => {
    let names = ['a'];
    const { clock, server } = setUpServer({
      ...statelessSetUp,
      capabilities: { resources: {} },
      script(scripted) {
        const listed = () => ({ resources: names.map((name) => ({ name, uri: `file:///${name}` })), ttlMs: 1_000 });
        scripted.on('resources/list', listed);
        scripted.on('resources/templates/list', () => ({ resourceTemplates: [], ttlMs: 60_000 }));
      },
    });
    await server.start();
    const { resources } = server.contents;
    let changes = 0;
    server.onDidChangeContents(() => (changes += 1));
    async function look(): Promise<void> {
      await clock.advance(5_000);
      server.refreshStale('resources');
      await clock.advance(1_000);
    }
    await look();
    expect(changes).toBe(0);
    // Whoever shows them has still the ones that are listed.
    expect(server.contents.resources).toBe(resources);
    names = ['b'];
    await look();
    expect(changes).toBe(1);
    expect(server.contents.resources).toMatchObject([{ name: 'b' }]);
  });

  it('is no list that changes again and again', async () => {
    const { clock, server } = open(1_000);
    await server.start();
    for (let view = 0; view < 20; view += 1) {
      await clock.advance(5_000);
      server.refreshStale('resources');
    }
    await clock.advance(1_000);
    expect(server.problems).toEqual([]);
  });

  it.each([
    ['nobody said how long it is good', undefined, {}],
    ['changes are told', 0, { listChanged: true }],
  ])('is left alone where %s', async (_why, ttlMs, capability) => {
    const { clock, server, latest } = open(ttlMs, capability);
    await server.start();
    await clock.advance(59_000);
    server.refreshStale('resources');
    await clock.advance(500);
    expect(latest().sentFor('resources/list')).toHaveLength(2);
  });

  it('is no matter while the server is stopped', () => {
    expect(() => setUpServer().server.refreshStale('tools')).not.toThrow();
  });
});
