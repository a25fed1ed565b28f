import { describe, expect, it, vi } from 'vitest';
import { CancelledError, PatchbayError } from '../../../src/base/errors.ts';
import { createNullLogger } from '../../../src/base/logger.ts';
import type { AuditEntry } from '../../../src/client/auditLog.ts';
import { createManagedServer } from '../../../src/client/managedServer.ts';
import type { RequestAnswerers } from '../../../src/client/requestGate.ts';
import type { Contents } from '../../../src/client/server.ts';
import type { LaunchPlan } from '../../../src/base/launchPlan.ts';
import type { ServerOptions } from '../../../src/config/serverDefinition.ts';
import { createManualClock, settle } from '../../fixtures/manualClock.ts';
import { createScriptedServer, type ScriptedServer } from '../../fixtures/scriptedServer.ts';

const plan: LaunchPlan = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: {} };

interface SetUp {
  readonly script?: (server: ScriptedServer, launch: number) => void;
  readonly capabilities?: object;
  readonly protocolVersion?: string;
  readonly options?: ServerOptions;
  readonly answerers?: RequestAnswerers;
  readonly remembered?: Contents;
}

function setUp({ script, options = {}, answerers = {}, remembered, ...handshake }: SetUp = {}) {
  const clock = createManualClock();
  const launches: ScriptedServer[] = [];
  const audit: AuditEntry[] = [];
  const saved: Contents[] = [];
  const states: string[] = [];
  const server = createManagedServer({
    label: 'it',
    logger: createNullLogger(),
    options: () => options,
    plan: () => Promise.resolve(plan),
    ports: {
      clientInfo: { name: 'test', version: '0' },
      clock,
      random: () => 1,
      audit: { record: (entry) => audit.push(entry) },
      answerers,
      memory: { load: () => remembered, save: (_, contents) => saved.push(contents) },
      async createTransport() {
        const scripted = createScriptedServer(handshake);
        launches.push(scripted);
        script?.(scripted, launches.length);
        return scripted.transport;
      },
    },
  });
  server.onDidChangeState(({ kind }) => states.push(kind));
  const latest = (): ScriptedServer => launches.at(-1) ?? expect.unreachable('never launched');
  return { clock, server, launches, latest, audit, saved, states };
}

const withTools = {
  capabilities: { tools: { listChanged: true } },
  script: (server: ScriptedServer) =>
    server.on('tools/list', () => ({ tools: [{ name: 'add', inputSchema: { type: 'object' } }] })),
};

function crash(server: ScriptedServer): void {
  server.close({ kind: 'exited', code: 1, signal: null, lastOutput: 'out of cheese' });
}

describe('starting', () => {
  it('is running once the handshake and the lists are done', async () => {
    const { server, states } = setUp(withTools);
    await server.start();
    expect(states).toEqual(['starting', 'running']);
    expect(server.contents.tools.map(({ name }) => name)).toEqual(['add']);
    expect(server.session).toMatchObject({ protocolVersion: '2025-11-25', server: { name: 'scripted' } });
    expect(server.isRemembered).toBe(false);
  });

  it('shares one start between callers; one of them giving up leaves it alone', async () => {
    const { server, launches } = setUp(withTools);
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
    const { clock, server, latest } = setUp({
      script: (scripted) => scripted.on('initialize', () => undefined),
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

  it('says what a server said that exits during the start, and does not try again', async () => {
    const { clock, server, launches } = setUp({
      script: (scripted) => scripted.on('initialize', () => crash(scripted)),
    });
    await expect(server.start()).rejects.toMatchObject({
      code: 'crashed',
      message: expect.stringContaining('out of cheese'),
    });
    await clock.advance(100_000);
    expect(launches).toHaveLength(1);
    expect(server.state.kind).toBe('failed');
  });

  it('fails with the reason where the plan is refused', async () => {
    const refusal = new PatchbayError('needsTrust', 'Not trusted.');
    const { server } = setUp();
    const refused = createManagedServer({
      label: 'refused',
      logger: createNullLogger(),
      options: () => ({}),
      plan: () => Promise.reject(refusal),
      ports: setUpPorts(),
    });
    await expect(refused.start()).rejects.toBe(refusal);
    expect(refused.state).toEqual({ kind: 'failed', error: refusal });
    await server.dispose();
  });

  it('lists what it can when one list fails and one entry is bad', async () => {
    const { server } = setUp({
      capabilities: { tools: {}, prompts: {}, resources: {} },
      script(scripted) {
        scripted.on('tools/list', () => ({ tools: [{ name: 'good' }, { title: 'nameless' }, 7] }));
        scripted.on('prompts/list', () => {
          throw { code: -32603, message: 'prompts are broken' };
        });
        scripted.on('resources/list', () => ({ resources: [] }));
        scripted.on('resources/templates/list', () => {
          throw { code: -32601, message: 'no templates' };
        });
      },
    });
    await server.start();
    expect(server.contents.tools).toEqual([{ name: 'good', inputSchema: { type: 'object' } }]);
    expect(server.problems).toEqual([
      expect.stringContaining('tools[1]'),
      expect.stringContaining('tools[2]'),
      expect.stringContaining('prompts are broken'),
    ]);
  });
});

describe('stopping', () => {
  it('during a start ends the start without calling it a failure', async () => {
    const { server, latest } = setUp({ script: (scripted) => scripted.on('initialize', () => undefined) });
    const start = expect(server.start()).rejects.toMatchObject({ name: 'AbortError' });
    await settle();
    await server.stop();
    await start;
    expect(server.state).toEqual({ kind: 'stopped' });
    expect(latest().isDisposed).toBe(true);
  });

  it('fails open calls and remembers what was listed', async () => {
    const { server } = setUp(withTools);
    await server.start();
    const call = expect(server.callTool('add')).rejects.toMatchObject({ code: 'connectionClosed' });
    await server.stop();
    await call;
    expect(server.contents.tools.map(({ name }) => name)).toEqual(['add']);
    expect(server.isRemembered).toBe(true);
    await expect(server.callTool('add')).rejects.toMatchObject({ code: 'notRunning' });
  });

  it('can be followed by a start at once', async () => {
    const { server, launches } = setUp(withTools);
    await server.start();
    const stop = server.stop();
    const start = server.start();
    await Promise.all([stop, start]);
    expect(server.state.kind).toBe('running');
    expect(launches.map(({ isDisposed }) => isDisposed)).toEqual([true, false]);
  });
});

describe('a crash', () => {
  it('is followed by a new start after a wait', async () => {
    const { clock, server, latest, launches, states } = setUp(withTools);
    await server.start();
    const call = expect(server.callTool('add')).rejects.toMatchObject({ code: 'crashed' });
    crash(latest());
    await call;
    expect(server.state).toMatchObject({ kind: 'waiting', retryAt: clock.now() + 1_000 });
    await clock.advance(1_000);
    expect(launches).toHaveLength(2);
    expect(states).toEqual(['starting', 'running', 'waiting', 'starting', 'running']);
  });

  it('again and again ends in failure after the limit, with growing waits', async () => {
    const waits: number[] = [];
    const { clock, server, latest, launches } = setUp(withTools);
    await server.start();
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
    const { clock, server, latest, launches } = setUp({
      ...withTools,
      script(scripted, launch) {
        withTools.script(scripted);
        if (launch > 1) scripted.on('initialize', () => crash(scripted));
      },
    });
    await server.start();
    crash(latest());
    await clock.advance(120_000);
    expect(server.state.kind).toBe('failed');
    expect(launches).toHaveLength(6);
  });

  it('while waiting can be cut short by a stop', async () => {
    const { clock, server, latest, launches } = setUp(withTools);
    await server.start();
    crash(latest());
    await server.stop();
    await clock.advance(120_000);
    expect(server.state.kind).toBe('stopped');
    expect(launches).toHaveLength(1);
  });

  it('stays a failure where restarting is off', async () => {
    const { server, latest } = setUp({ ...withTools, options: { autoRestart: false } });
    await server.start();
    crash(latest());
    expect(server.state.kind).toBe('failed');
  });
});

describe('calls', () => {
  it('return checked results and leave a record', async () => {
    const { server, latest, audit } = setUp(withTools);
    await server.start();
    latest().on('tools/call', ({ name }) => ({
      content: [{ type: 'text', text: String(name) }, { type: 'hologram' }],
      isError: true,
    }));
    expect(await server.callTool('add', { a: 1 })).toEqual({
      content: [
        { type: 'text', text: 'add' },
        { type: 'unknown', original: { type: 'hologram' } },
      ],
      isError: true,
    });
    expect(audit).toEqual([{ server: 'it', action: 'toolCall', outcome: 'tool error', detail: { tool: 'add' } }]);
  });

  it('pass errors on with their code, whatever the code is', async () => {
    const { server, latest, audit } = setUp(withTools);
    await server.start();
    latest().on('resources/read', () => {
      throw { code: -32001, message: 'Resource not found' };
    });
    await expect(server.readResource('x:y')).rejects.toMatchObject({ code: -32001 });
    expect(audit.at(-1)).toMatchObject({ action: 'resourceRead', outcome: 'failed: Resource not found' });
  });

  it.each([
    ['2024-11-05', {}, 1],
    ['2025-03-26', {}, 0],
    ['2025-03-26', { completions: {} }, 1],
  ])('complete in %s with capabilities %j asks %i times', async (protocolVersion, capabilities, times) => {
    const { server, latest } = setUp({ protocolVersion, capabilities });
    await server.start();
    latest().on('completion/complete', () => {
      throw { code: -32601, message: 'none' };
    });
    const completion = await server.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' });
    expect(completion).toEqual({ values: [] });
    expect(latest().sentFor('completion/complete')).toHaveLength(times);
  });

  it('refuse what the server does not offer', async () => {
    const { server } = setUp();
    await server.start();
    await expect(server.subscribe('a:b')).rejects.toMatchObject({ code: 'capabilityMissing' });
    await expect(server.setLogLevel('debug')).rejects.toMatchObject({ code: 'capabilityMissing' });
  });
});

describe('lists', () => {
  it('are read to the last page, an empty cursor included, and never twice', async () => {
    const { server, latest } = setUp({
      capabilities: { tools: {} },
      script: (scripted) =>
        scripted.on('tools/list', ({ cursor }) => {
          const next = new Map<unknown, string>([
            [undefined, ''],
            ['', 'two'],
            ['two', 'two'],
          ]);
          return { tools: [{ name: `after ${String(cursor)}` }], nextCursor: next.get(cursor) };
        }),
    });
    await server.start();
    expect(server.contents.tools.map(({ name }) => name)).toEqual(['after undefined', 'after ', 'after two']);
    expect(latest().sentFor('tools/list')).toHaveLength(3);
    expect(server.problems).toEqual([expect.stringContaining('did not come to an end')]);
  });

  it('are read at most four times a second, however often the server says they changed', async () => {
    const { clock, server, latest } = setUp(withTools);
    await server.start();
    const before = latest().sentFor('tools/list').length;
    for (let tick = 0; tick < 100; tick += 1) {
      for (let burst = 0; burst < 10; burst += 1) latest().notify('notifications/tools/list_changed');
      await clock.advance(10);
    }
    expect(latest().sentFor('tools/list').length - before).toBeLessThanOrEqual(5);
    expect(latest().sentFor('tools/list').length - before).toBeGreaterThanOrEqual(4);
  });

  it('change when the server says so', async () => {
    const { clock, server, latest } = setUp(withTools);
    await server.start();
    const changed = vi.fn();
    server.onDidChangeContents(changed);
    latest().on('tools/list', () => ({ tools: [{ name: 'add' }, { name: 'subtract' }] }));
    latest().notify('notifications/tools/list_changed');
    await clock.advance(0);
    expect(changed).toHaveBeenCalledWith('tools');
    expect(server.contents.tools).toHaveLength(2);
  });

  it('of last time are there before the first start', () => {
    const remembered: Contents = {
      tools: [{ name: 'old', inputSchema: {} }],
      resources: [],
      resourceTemplates: [],
      prompts: [],
    };
    const { server } = setUp({ remembered });
    expect(server.contents).toBe(remembered);
    expect(server.isRemembered).toBe(true);
  });
});

describe('requests of the server', () => {
  it('get the roots lent to it, and hear when they change', async () => {
    const roots = vi.fn(() => [{ uri: 'file:///a', name: 'a' }]);
    const { server, latest, audit } = setUp({ answerers: { roots } });
    await server.start();
    expect(latest().sent[0]).toMatchObject({ params: { capabilities: { roots: { listChanged: true } } } });
    expect(await latest().ask('roots/list')).toMatchObject({ result: { roots: [{ uri: 'file:///a', name: 'a' }] } });
    expect(audit.at(-1)).toMatchObject({ action: 'roots', outcome: 'given' });
    server.notifyRootsChanged();
    expect(latest().sentFor('notifications/roots/list_changed')).toHaveLength(1);
  });

  it('never get a root that is not a file', async () => {
    const { server, latest } = setUp({ answerers: { roots: () => [{ uri: 'vscode-vfs://x/y' }] } });
    await server.start();
    expect(await latest().ask('roots/list')).toMatchObject({ error: { code: -32603 } });
  });

  it('carry the running call as their cause', async () => {
    const causes: (string | undefined)[] = [];
    const { server, latest } = setUp({
      answerers: {
        sampling: (_, { cause }) => {
          causes.push(cause);
          return Promise.resolve({ role: 'assistant', content: [{ type: 'text', text: 'yes' }], model: 'm' });
        },
      },
    });
    await server.start();
    const params = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 };
    latest().on('tools/call', () => undefined);
    void server.callTool('summarize').catch(() => {});
    await latest().ask('sampling/createMessage', params);
    await server.stop();
    expect(causes).toEqual(['tool summarize']);
  });
});

function setUpPorts() {
  return {
    clientInfo: { name: 'test', version: '0' },
    clock: createManualClock(),
    random: () => 0,
    audit: { record: () => {} },
    answerers: {},
    memory: { load: () => undefined, save: () => {} },
    createTransport: () => Promise.reject(new Error('launched')),
  };
}
