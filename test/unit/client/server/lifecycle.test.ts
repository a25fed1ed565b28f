import { describe, expect, it, vi } from 'vitest';
import { CancelledError, PatchbayError } from '../../../../src/base/errors.ts';
import { emptyContents } from '../../../../src/client/contents.ts';
import { createServerHandle } from '../../../../src/client/server/serverHandle.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { problem } from '../../../fixtures/problem.ts';
import {
  crash,
  type ServerSetUp,
  setUpServer,
  startServer,
  withTools,
} from '../../../fixtures/scriptedManagedServer.ts';

describe('starting', () => {
  it('is running once the handshake is done, and its start ends with the lists', async () => {
    const { server, states } = await startServer(withTools);
    expect(states).toEqual(['starting', 'running']);
    expect(server.contents.tools.map(({ name }) => name)).toEqual(['add']);
    expect(server.session).toMatchObject({ protocolVersion: '2025-11-25', server: { name: 'scripted' } });
    expect(server.isRemembered).toBe(false);
  });

  it('is in the log of the server, as is its end', async () => {
    const { server, notes } = await startServer(withTools);
    await server.stop();
    expect(notes).toEqual(['Starting.', 'Running: stdio, MCP 2025-11-25, ready after 0 ms.', 'Stopped.']);
  });

  describe('a server of which a list hangs', () => {
    function setUp() {
      return setUpServer({
        capabilities: { tools: {}, prompts: {} },
        options: { timeouts: { requestMs: 5_000 } },
        script: (scripted) => {
          scripted.on('tools/list', () => ({ tools: [{ name: 'add' }] }));
          scripted.on('tools/call', () => ({ content: [] }));
        },
        remembered: { ...emptyContents, prompts: [{ name: 'seen' }] },
      });
    }

    it('runs when the handshake is done, and can be used [running-early]', async () => {
      const { server, saved } = setUp();
      const start = server.start();
      await settle();
      expect(server.state).toEqual({ kind: 'running' });
      expect(server.contents.tools).toHaveLength(1);
      expect(server.listState('tools')).toEqual({ isLoading: false, failure: undefined });
      expect(server.listState('prompts')).toEqual({ isLoading: true, failure: undefined });
      expect(server.listState('resources')).toEqual({ isLoading: false, failure: undefined });
      expect([server.contents.prompts, server.lastSeen.prompts]).toEqual([[], [{ name: 'seen' }]]);
      expect(saved.at(-1)).toMatchObject({ tools: [{ name: 'add' }], prompts: [{ name: 'seen' }] });
      expect(await server.callTool('add')).toMatchObject({ content: [] });
      // A caller that needs only the tools has them.
      await server.start(undefined, 'tools');
      const stopped = expect(start).rejects.toBeInstanceOf(CancelledError);
      await server.stop();
      await stopped;
    });

    it('tells so when the limit of the request is over, starts all the same, and lists again when asked [list-hangs]', async () => {
      const { clock, server, latest } = setUp();
      const changed = vi.fn();
      server.onDidChangeContents(changed);
      const start = server.start();
      await settle();
      await clock.advance(5_000);
      await start;
      const { isLoading, failure } = server.listState('prompts');
      expect({ isLoading, failure }).toEqual({
        isLoading: false,
        failure: expect.stringMatching(/^prompts\/list failed: .*5 s/),
      });
      expect(server.problems).toEqual([failure]);
      const handle = createServerHandle(server, 'program');
      expect([handle.state, handle.error, handle.tools.length]).toEqual(['running', failure, 1]);

      latest().on('prompts/list', () => ({ prompts: [{ name: 'late' }] }));
      server.reloadList('prompts');
      server.reloadList('resources');
      expect(server.listState('prompts').isLoading).toBe(true);
      await server.start();
      expect(server.contents.prompts).toEqual([{ name: 'late' }]);
      expect(server.listState('prompts')).toEqual({ isLoading: false, failure: undefined });
      expect(handle.error).toBeUndefined();
      expect(changed.mock.calls).toEqual([['tools'], ['prompts'], ['prompts'], ['prompts']]);
      handle.dispose();
    });

    it('is called only when the list of tools has come: what is used is held against it', async () => {
      const { server, latest } = setUpServer({
        ...withTools,
        guard: { check: ({ definitions }) => void guarded.push(definitions.length) },
        script: (scripted) => {
          scripted.silence('tools/list');
          scripted.on('tools/call', () => ({ content: [] }));
        },
      });
      const guarded: number[] = [];
      void server.start();
      await settle();
      const call = server.callTool('add');
      await settle();
      expect([server.state.kind, latest().sentFor('tools/call').length]).toEqual(['running', 0]);
      latest().reply('tools/list', { tools: [{ name: 'add' }] });
      await call;
      expect(new Set(guarded)).toEqual(new Set([1]));
    });

    it('that ends meanwhile fails its start with the reason', async () => {
      const { server, latest } = setUp();
      const start = server.start();
      await settle();
      const failure = expect(start).rejects.toMatchObject({ code: 'crashed' });
      crash(latest());
      await failure;
      expect(server.state.kind).toBe('waiting');
      await server.stop();
    });
  });

  it('shares one start between callers; one of them giving up leaves it alone', async () => {
    const { server, launches } = setUpServer(withTools);
    const controller = new AbortController();
    const impatient = server.start(controller.signal);
    const patient = server.start();
    controller.abort(new CancelledError());
    await expect(impatient).rejects.toBeInstanceOf(CancelledError);
    await patient;
    expect(launches).toHaveLength(1);
    expect(server.state.kind).toBe('running');
  });

  it('fails after the connect limit, leaving nothing behind', async () => {
    const { clock, server, latest } = setUpServer({
      script: (scripted) => scripted.silence('initialize'),
      options: { timeouts: { connectMs: 2_000 } },
    });
    const failure = expect(server.start()).rejects.toMatchObject({ code: 'timeout' });
    await settle();
    await clock.advance(2_000);
    await failure;
    expect(server.state).toMatchObject({ kind: 'failed', error: { code: 'timeout' } });
    expect(latest().isDisposed).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  it('hurries nobody who signs in, neither at the start nor later', async () => {
    const { clock, server, latest } = setUpServer({
      capabilities: { tools: {} },
      script(scripted) {
        scripted.silence('initialize');
        scripted.on('tools/list', () => ({ tools: [] }));
      },
      options: { timeouts: { connectMs: 2_000, requestMs: 2_000, maximumMs: 3_000 } },
    });
    const started = server.start();
    await settle();
    latest().wait(true);
    await clock.advance(600_000);
    latest().wait(false);
    await clock.advance(1_000);
    const serverInfo = { name: 'slow', version: '1' };
    latest().reply('initialize', { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
    await started;
    const called = server.callTool('slow');
    await settle();
    latest().wait(true);
    await clock.advance(600_000);
    latest().wait(false);
    const failure = expect(called).rejects.toMatchObject({ code: 'timeout' });
    await clock.advance(2_000);
    await failure;
  });

  it('tells the time of day in the trace, however long somebody took to sign in', async () => {
    const times: (string | undefined)[] = [];
    const trace = (entry: string): void => void times.push(/^\S+:(\d\d:\d\d)/.exec(entry)?.[1]);
    const { clock, latest } = await startServer({ trace });
    times.length = 0;
    latest().wait(true);
    await clock.advance(600_000);
    latest().wait(false);
    latest().say({ jsonrpc: '2.0', method: 'notifications/message', params: {} });
    await settle();
    expect(times).toEqual([new Date(clock.now()).toTimeString().slice(3, 8)]);
  });

  it('says what a server said that exits during the start, and does not try again', async () => {
    const { clock, server, launches, errors } = setUpServer({
      script: (scripted) => scripted.on('initialize', () => crash(scripted)),
    });
    await expect(server.start()).rejects.toEqual(problem('crashed', 'out of cheese'));
    expect(server.state).toMatchObject({ error: { detail: 'out of cheese' } });
    // The error refers to its log.
    expect(errors).toEqual([expect.stringContaining('out of cheese')]);
    await clock.advance(100_000);
    expect(launches).toHaveLength(1);
    expect(server.state.kind).toBe('failed');
  });

  it('fails with the reason where the plan is refused', async () => {
    const refusal = new PatchbayError('needsTrust', 'Not trusted.');
    const { server, launches } = setUpServer({ prepare: () => Promise.reject(refusal) });
    await expect(server.start()).rejects.toBe(refusal);
    expect(server.state).toEqual({ kind: 'failed', error: refusal });
    expect(launches).toEqual([]);
  });

  it('lists what it can when one list fails and one entry is bad [tool-schema-odd]', async () => {
    const { server } = await startServer({
      capabilities: { tools: {}, prompts: {}, resources: {} },
      script(scripted) {
        scripted.on('tools/list', () => ({ tools: [{ name: 'good' }, { title: 'nameless' }, 7] }));
        scripted.fail('prompts/list', { code: -32603, message: 'prompts are broken' });
        scripted.fail('resources/templates/list', { code: -32601, message: 'no templates' });
      },
    });
    expect(server.contents.tools).toEqual([{ name: 'good', inputSchema: { type: 'object' } }]);
    expect(server.problems).toEqual([
      expect.stringContaining('tools[1]'),
      expect.stringContaining('tools[2]'),
      expect.stringContaining('prompts are broken'),
    ]);
  });
});

describe('stopping', () => {
  it.each<[string, ServerSetUp]>([
    ['the handshake', { script: (scripted) => scripted.silence('initialize') }],
    ['a question that stays open', { prepare: () => new Promise(() => {}) }],
  ])('during %s ends the start without calling it a failure', async (_, setUp) => {
    const { server, launches } = setUpServer(setUp);
    const start = expect(server.start()).rejects.toMatchObject({ name: 'AbortError' });
    await settle();
    await server.stop();
    await start;
    expect(server.state).toEqual({ kind: 'stopped' });
    expect(launches.map(({ isDisposed }) => isDisposed)).toEqual(setUp.script ? [true] : []);
  });

  it('fails open calls and remembers what was listed', async () => {
    const { server } = await startServer(withTools);
    const call = expect(server.callTool('add')).rejects.toMatchObject({ code: 'connectionClosed' });
    await settle();
    await server.stop();
    await call;
    expect(server.contents.tools.map(({ name }) => name)).toEqual(['add']);
    expect(server.isRemembered).toBe(true);
    await expect(server.callTool('add')).rejects.toMatchObject({ code: 'notRunning' });
  });

  it('can be followed by a start at once', async () => {
    const { server, launches } = await startServer(withTools);
    const stop = server.stop();
    const start = server.start();
    await Promise.all([stop, start]);
    expect(server.state.kind).toBe('running');
    expect(launches.map(({ isDisposed }) => isDisposed)).toEqual([true, false]);
  });
});

describe('in any order', () => {
  it('a stop after a restart has the last word', async () => {
    const { server, latest } = await startServer(withTools);
    const restart = expect(server.restart()).rejects.toMatchObject({ name: 'AbortError' });
    await server.stop();
    await restart;
    await settle();
    expect(server.state.kind).toBe('stopped');
    expect(latest().isDisposed).toBe(true);
  });

  it('a start waits until a start that was given up has left nothing behind', async () => {
    const { server, launches } = setUpServer({
      script: (scripted, launch) => launch === 1 && scripted.silence('initialize'),
    });
    const first = expect(server.start()).rejects.toMatchObject({ name: 'AbortError' });
    await settle();
    let release = (): void => {};
    const [{ transport } = expect.unreachable('never launched')] = launches;
    const dispose = transport.dispose.bind(transport);
    transport.dispose = async () => {
      await new Promise<void>((resolve) => (release = resolve));
      await dispose();
    };
    const stop = server.stop();
    const second = server.start();
    await settle();
    expect(launches).toHaveLength(1);
    release();
    await Promise.all([first, stop, second]);
    expect(launches.map(({ isDisposed }) => isDisposed)).toEqual([true, false]);
  });

  it('nothing starts once the server is disposed, a restart under way included', async () => {
    const { server, launches } = await startServer(withTools);
    const restart = expect(server.restart()).rejects.toThrow();
    await server.dispose();
    await restart;
    await expect(server.start()).rejects.toMatchObject({ code: 'disposed' });
    expect(launches.filter(({ isDisposed }) => !isDisposed)).toEqual([]);
  });

  it('a start whose caller has given up already launches nothing', async () => {
    const { server, launches } = setUpServer();
    await expect(server.start(AbortSignal.abort(new CancelledError()))).rejects.toBeInstanceOf(CancelledError);
    await settle();
    expect(launches).toEqual([]);
    expect(server.state.kind).toBe('stopped');
  });
});

describe('a crash', () => {
  it('is not followed by question after question where the user says no', async () => {
    const { clock, server, latest, refuse, states } = await startServer(withTools);
    refuse(new PatchbayError('needsTrust', 'Not trusted.'));
    crash(latest());
    await clock.advance(120_000);
    expect(server.state).toMatchObject({ kind: 'failed', error: { code: 'needsTrust' } });
    expect(states).toEqual(['starting', 'running', 'waiting', 'starting', 'failed']);
  });

  it('is followed by a new start after a wait [stdio-restart]', async () => {
    const { clock, server, latest, launches, states } = await startServer(withTools);
    const call = expect(server.callTool('add')).rejects.toMatchObject({ code: 'crashed' });
    await settle();
    crash(latest());
    await call;
    expect(server.state).toMatchObject({ kind: 'waiting', retryAt: clock.now() + 1_000 });
    await clock.advance(1_000);
    expect(launches).toHaveLength(2);
    expect(states).toEqual(['starting', 'running', 'waiting', 'starting', 'running']);
  });

  it('again and again ends in failure after the limit, with growing waits', async () => {
    const waits: number[] = [];
    const { clock, server, latest, launches } = await startServer(withTools);
    for (;;) {
      crash(latest());
      const { state } = server;
      if (state.kind !== 'waiting') break;
      waits.push(state.retryAt - clock.now());
      await clock.advance(state.retryAt - clock.now());
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(server.state).toMatchObject({ kind: 'failed', error: { code: 'crashed' } });
    expect(launches).toHaveLength(6);
  });

  it('of a restart counts toward the same limit', async () => {
    const { clock, server, latest, launches } = await startServer({
      ...withTools,
      script(scripted, launch) {
        withTools.script(scripted);
        if (launch > 1) scripted.on('initialize', () => crash(scripted));
      },
    });
    crash(latest());
    await clock.advance(120_000);
    expect(server.state.kind).toBe('failed');
    expect(launches).toHaveLength(6);
  });

  it('while waiting can be cut short by a stop', async () => {
    const { clock, server, latest, launches } = await startServer(withTools);
    crash(latest());
    await server.stop();
    await clock.advance(120_000);
    expect(server.state.kind).toBe('stopped');
    expect(launches).toHaveLength(1);
  });

  it('stays a failure where restarting is off', async () => {
    const { server, latest } = await startServer({ ...withTools, options: { autoRestart: false } });
    crash(latest());
    expect(server.state.kind).toBe('failed');
  });
});

describe('a server that is replaced', () => {
  const why = 'The server was restarted because a.js changed.';

  it('runs anew before the earlier run ends, whose open calls say why', async () => {
    const names = ['add', 'more'];
    const { server, states, latest, launches } = await startServer({
      capabilities: { tools: {} },
      script: (scripted) => {
        const name = names.shift() ?? '';
        scripted.on('tools/list', () => ({ tools: [{ name, inputSchema: { type: 'object' } }] }));
        scripted.on('tools/call', () => undefined);
      },
    });
    const first = latest();
    const call = expect(server.callTool('add')).rejects.toMatchObject({ message: why, code: 'connectionClosed' });
    await settle();
    await server.replace(why);
    await call;
    expect(latest()).not.toBe(first);
    expect(launches).toHaveLength(2);
    // It was never stopped, and never without its lists.
    expect(states).toEqual(['starting', 'running', 'running']);
    expect(server.contents.tools.map(({ name }) => name)).toEqual(['more']);
  });

  it.each([
    ["SyntaxError: Unexpected token ';'", 2, 'running'],
    ['Error: listen EADDRINUSE: address already in use :::3000', 3, 'running'],
    ['', 3, 'running'],
    ['sqlite3.OperationalError: database is locked', 3, 'running'],
  ])('is tried once more only where the earlier run may have been in the way: %j', async (lastOutput, times, ends) => {
    const { server, states, latest, launches } = await startServer({
      capabilities: { tools: {} },
      script: (scripted, launch) => {
        scripted.on('tools/list', () => ({ tools: [{ name: `run${launch}`, inputSchema: { type: 'object' } }] }));
        scripted.on('tools/call', () => undefined);
        const exited = { kind: 'exited', code: 1, signal: null, lastOutput } as const;
        if (launch === 2) scripted.on('initialize', () => scripted.close(exited));
      },
    });
    const first = latest();
    const call = server.callTool('run1');
    call.catch(() => {});
    const failure = await server.replace(why).catch((error: unknown) => error);
    expect([launches.length, states.at(-1)]).toEqual([times, ends]);
    if (times === 3) {
      expect(failure).toBeUndefined();
      // It is known from now on.
      await server.replace(why);
      expect(launches).toHaveLength(4);
      return expect(call).rejects.toMatchObject({ message: why });
    }
    // What runs is what ran, with its open calls.
    expect(failure).toMatchObject({ code: 'crashed', message: expect.stringContaining(lastOutput) });
    expect(states).toEqual(['starting', 'running']);
    expect(server.contents.tools.map(({ name }) => name)).toEqual(['run1']);
    first.reply('tools/call', { content: [] });
    await expect(call).resolves.toMatchObject({ content: [] });
  });

  it('gives way to a newer replacement, and goes on until that is there', async () => {
    const { server, states, launches } = await startServer({
      capabilities: { tools: {} },
      script: (scripted, launch) => {
        scripted.on('tools/list', () => ({ tools: [] }));
        if (launch === 2) scripted.silence('initialize');
      },
    });
    const slow = expect(server.replace(why)).rejects.toBeInstanceOf(CancelledError);
    await settle();
    await server.replace(why);
    await slow;
    expect(launches).toHaveLength(3);
    expect(states).toEqual(['starting', 'running', 'running']);
  });

  it('is left alone by a stop meanwhile', async () => {
    const { server, states } = await startServer(withTools);
    const replaced = expect(server.replace(why)).rejects.toBeInstanceOf(CancelledError);
    await server.stop();
    await replaced;
    expect(states.at(-1)).toBe('stopped');
  });

  it('is started where it does not run', async () => {
    const { server, states } = setUpServer(withTools);
    await server.replace(why);
    expect(states.at(-1)).toBe('running');
  });
});
