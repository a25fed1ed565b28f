import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { createControlGroups } from '../../src/transport/stdio/controlGroup.ts';
import { createProcessTable } from '../../src/transport/stdio/processes.ts';
import { problem } from '../fixtures/problem.ts';
import { createServerUnderTest, type HarnessOptions, type ServerUnderTest } from './serverHarness.ts';

/** A control group, if this system allows one. */
const controlGroup = await createControlGroups()(randomUUID());
await controlGroup?.remove();
const isPosix = process.platform !== 'win32';
const started: ServerUnderTest[] = [];

function create(flags: readonly string[] = [], options?: HarnessOptions): ServerUnderTest {
  const server = createServerUnderTest('scriptedServer.mjs', flags, options);
  started.push(server);
  return server;
}

async function open(flags: readonly string[] = [], options?: HarnessOptions): Promise<ServerUnderTest> {
  const server = create(flags, options);
  await server.transport.start(AbortSignal.timeout(30_000));
  return server;
}

async function openReady(flags: readonly string[] = [], options?: HarnessOptions): Promise<ServerUnderTest> {
  const server = await open(flags, options);
  await server.message((message) => message['method'] === 'ready');
  return server;
}

afterEach(async () => {
  const servers = started.splice(0);
  await Promise.all(servers.map((server) => server.transport.dispose()));
  expect(servers.flatMap((server) => server.processes())).toEqual([]);
});

describe('reading', { timeout: 30_000 }, () => {
  it('exchanges messages and reports a requested close once', async () => {
    const server = await open();
    const reply = await server.request(1, 'tools/list');
    expect(reply['result']).toMatchObject({ tools: [{ name: 'echo', description: 'Größe 漢字 🙂' }] });
    if (process.platform === 'linux') expect(server.processes()).toHaveLength(1);
    const reasons: unknown[] = [];
    server.transport.onDidClose((reason) => reasons.push(reason));
    await Promise.all([server.transport.dispose(), server.transport.dispose()]);
    await server.transport.dispose();
    expect(reasons).toEqual([{ kind: 'requested' }]);
  });

  it('joins characters that arrive one byte at a time [stdio-lines]', async () => {
    const server = await open(['--split']);
    const reply = await server.request(1, 'tools/list');
    expect(reply['result']).toMatchObject({ tools: [{ description: 'Größe 漢字 🙂' }] });
  });

  it('skips and logs a banner on stdout [stdio-noise]', async () => {
    const server = await open(['--banner']);
    await server.request(1, 'ping');
    expect(server.logs.map(({ source, text }) => [source, text])).toEqual([
      ['noise', 'Welcome to the scripted server!'],
      ['noise', '42'],
      ['noise', '{"unfinished":'],
    ]);
  });

  it('delivers 100,000 notifications in order', async () => {
    const server = await open(['--flood=100000']);
    await server.message((message) => message['method'] === 'flood' && isIndex(message['params'], 99_999));
    const flood = server.messages.filter((message) => message['method'] === 'flood');
    expect(flood).toHaveLength(100_000);
    expect(flood.every((message, index) => isIndex(message['params'], index))).toBe(true);
  });

  it('reads one message of 64 MB', async () => {
    const server = await open(['--huge=64']);
    const message = await server.message((candidate) => candidate['method'] === 'huge');
    expect((message['params'] as { text: string }).text).toHaveLength(32 * 1024 ** 2);
  });

  it('skips a message above the limit and keeps the connection [stdio-noise]', async () => {
    const server = await open(['--huge=4'], { limits: { ...limits.message, bytes: 1024 ** 2 } });
    await server.request(1, 'ping');
    expect(server.messages.map((message) => message['method'] ?? message['id'])).toEqual(['ready', 1]);
    expect(server.logs).toEqual([{ source: 'note', text: expect.stringContaining('more than 1 MB') as unknown }]);
  });
});

describe('writing', { timeout: 30_000 }, () => {
  it('hands what is sent in one turn to the system at once', async () => {
    const writes: unknown[] = [];
    const watch = (child: ChildProcessWithoutNullStreams): ChildProcessWithoutNullStreams => {
      for (const way of ['_write', '_writev'] as const) {
        const write = child.stdin[way]?.bind(child.stdin) as ((...written: unknown[]) => void) | undefined;
        child.stdin[way] = (...written: unknown[]) => {
          writes.push(written);
          write?.(...written);
        };
      }
      return child;
    };
    const server = await openReady([], { ports: { spawn: (...command) => watch(spawn(...command)) } });
    const ids = Array.from({ length: 500 }, (_, index) => index + 1);
    const replies = await Promise.all(ids.map((id) => server.request(id, 'ping')));
    expect(replies.map(({ id }) => id)).toEqual(ids);
    expect(writes).toHaveLength(2);
  });
});

describe('ending', { timeout: 30_000 }, () => {
  it('reports exit code and stderr of a server that exits during its start [stdio-stderr]', async () => {
    const server = await open(['--stderr=cannot find the database', '--exit=3']);
    expect(await server.closed).toEqual({
      kind: 'exited',
      code: 3,
      signal: null,
      lastOutput: 'cannot find the database',
    });
  });

  it('reports noise as the last output where there was no stderr', async () => {
    const server = await open(['--banner', '--exit=1']);
    expect(await server.closed).toMatchObject({
      code: 1,
      lastOutput: expect.stringContaining('Welcome to') as unknown,
    });
  });

  it.runIf(isPosix)('reads what is still to come on its streams before it reports the exit', async () => {
    const server = await open([], {
      // The table is empty, so that nothing is stopped and only the open stream is waited for.
      ports: { processes: { list: async () => [] }, graceMs: 20_000 },
      command: { command: '/bin/sh', args: ['-c', '(sleep 0.2; echo the end >&2) & exit 3'] },
    });
    expect(await server.closed).toMatchObject({ kind: 'exited', code: 3, lastOutput: 'the end' });
  });

  it('drops half a message and reports the exit', async () => {
    const server = await open(['--die-mid-message']);
    await server.transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await server.closed).toMatchObject({ kind: 'exited', code: 7 });
    expect(server.messages.map((message) => message['method'])).toEqual(['ready']);
    expect(server.logs).toEqual([{ source: 'noise', text: expect.stringMatching(/^\{"jsonrpc"/) as unknown }]);
  });

  it('refuses to send once the server has exited', async () => {
    const server = await open(['--exit=0']);
    await server.closed;
    await expect(server.transport.send({ jsonrpc: '2.0', method: 'late' })).rejects.toMatchObject({
      code: 'connectionClosed',
    });
  });

  it.runIf(isPosix)('reports the signal that ended the server', async () => {
    const server = await openReady();
    process.kill(pidsOf(server)[0] ?? 0, 'SIGKILL');
    expect(await server.closed).toMatchObject({ kind: 'exited', code: null, signal: 'SIGKILL' });
  });

  it('stops a server that closes its output and lives on', async () => {
    const server = await openReady(['--close-stdout', '--ignore-stdin-end']);
    await server.transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const reason = await server.closed;
    expect(reason).toMatchObject({ kind: 'failed', error: { code: 'connectionClosed' } });
    expect(server.processes()).toEqual([]);
  });

  it('stops a server that closes its input and lives on', async () => {
    const server = await openReady(['--close-stdin']);
    await Promise.allSettled([server.transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })]);
    expect(await server.closed).toMatchObject({ kind: 'failed', error: { code: 'connectionClosed' } });
  });
});

describe('starting', { timeout: 30_000 }, () => {
  it('gives the configured folder, variables and only the safe part of its own environment [stdio-environment]', async () => {
    const ports = { environment: async () => ({ ...process.env, SECRET_TOKEN: 'secret', LANG: 'C.UTF-8' }) };
    const command = { cwd: tmpdir(), env: { CONFIGURED: 'yes', LANG: null } };
    const server = await open([], { command, ports });
    const reply = await server.request(1, 'environment');
    const { variables, cwd } = reply['result'] as { variables: Record<string, string>; cwd: string };
    expect(cwd).toBe(await realpath(tmpdir()));
    expect(variables).toMatchObject({ CONFIGURED: 'yes', PATCHBAY_PROCESS_TREE: expect.any(String) as unknown });
    expect(variables).not.toHaveProperty('SECRET_TOKEN');
    expect(variables).not.toHaveProperty('LANG');
  });

  it('rejects with the reason when aborted before or during the start, and leaves nothing', async () => {
    const reason = new Error('enough');
    await expect(create().transport.start(AbortSignal.abort(reason))).rejects.toBe(reason);
    const abort = new AbortController();
    const server = create(['--ignore-stdin-end', '--ignore-sigterm'], {
      ports: {
        spawn: (file, args, options) => {
          const child = spawn(file, args, options);
          child.once('spawn', () => abort.abort(reason));
          return child;
        },
      },
    });
    await expect(server.transport.start(abort.signal)).rejects.toBe(reason);
    expect(server.processes()).toEqual([]);
  });

  it('rejects when disposed while the environment is still being asked for', async () => {
    const server = create([], { ports: { environment: () => new Promise(() => {}) } });
    const start = server.transport.start(new AbortController().signal);
    await Promise.all([expect(start).rejects.toMatchObject({ code: 'disposed' }), server.transport.dispose()]);
    expect(await server.closed).toEqual({ kind: 'requested' });
  });

  it.each([{}, { command: './server' }])('says which folder is missing, for %j', async (command) => {
    const server = create([], { command: { ...command, cwd: '/no/such/folder' } });
    await expect(server.transport.start(AbortSignal.timeout(10_000))).rejects.toEqual(
      problem('spawnFailed', 'its working folder /no/such/folder does not exist'),
    );
  });

  it('can be started only once, and sends nothing before', async () => {
    const server = create();
    await expect(server.transport.send({ jsonrpc: '2.0', method: 'early' })).rejects.toEqual(
      problem('connectionClosed', 'has not started'),
    );
    await server.transport.start(AbortSignal.timeout(30_000));
    await expect(server.transport.start(AbortSignal.timeout(30_000))).rejects.toMatchObject({ code: 'disposed' });
  });
});

describe('back-pressure', { timeout: 30_000 }, () => {
  it('holds sends back while the server does not read, and rejects them when it dies', async () => {
    const server = await openReady(['--never-read']);
    const message = { jsonrpc: '2.0', method: 'filler', params: { text: 'x'.repeat(1024 ** 2) } } as const;
    const sends = Array.from({ length: 50 }, () => server.transport.send(message));
    const outcomes = Promise.allSettled(sends);
    process.kill(pidsOf(server)[0] ?? 0, 'SIGKILL');
    const rejected = (await outcomes).filter((outcome) => outcome.status === 'rejected');
    expect(rejected.length).toBeGreaterThan(40);
    expect(rejected[0]).toMatchObject({ reason: { code: 'connectionClosed' } });
  });

  it('lets sends go on when the server reads again', async () => {
    const server = await open();
    const text = 'x'.repeat(1024 ** 2);
    const replies = Array.from({ length: 20 }, (_, id) =>
      server.request(id, 'tools/call', { name: 'echo', arguments: { text } }),
    );
    expect(await Promise.all(replies)).toHaveLength(20);
  });
});

describe('stopping', { timeout: 30_000 }, () => {
  it('ends a server that never answers', async () => {
    const server = await openReady(['--silent']);
    await server.transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await server.transport.dispose();
    expect(await server.closed).toEqual({ kind: 'requested' });
    expect(server.processes()).toEqual([]);
  });

  it.runIf(isPosix)('sends SIGTERM to a server that ignores the end of its input', async () => {
    const server = await openReady(['--ignore-stdin-end']);
    await server.transport.dispose();
    expect(signalsOf(server)).toEqual(['SIGTERM']);
  });

  it.runIf(process.platform === 'linux')(
    'kills a server that ignores SIGTERM, its child and a grandchild in another session',
    async () => {
      const server = await openReady(['--ignore-stdin-end', '--ignore-sigterm', '--children']);
      expect(server.processes()).toHaveLength(3);
      await server.transport.dispose();
      expect(signalsOf(server)).toEqual(['SIGTERM', 'SIGKILL']);
      expect(server.processes()).toEqual([]);
    },
  );

  it.runIf(process.platform === 'linux')(
    'kills what a server left behind when it exited on the end of its input',
    async () => {
      const server = await openReady(['--children']);
      expect(server.processes()).toHaveLength(3);
      await server.transport.dispose();
      expect(await server.closed).toEqual({ kind: 'requested' });
      expect(server.processes()).toEqual([]);
    },
  );

  it.runIf(controlGroup !== undefined)(
    'kills what left for a session of its own with an empty environment (needs control groups)',
    async () => {
      const script = 'sleep 0.3; (env -i setsid sh -c "echo \\$\\$ >&2; exec sleep 1000" &) ; cat >/dev/null';
      const server = await open([], { command: { command: '/bin/sh', args: ['-c', script] } });
      await expect.poll(() => server.logs).toHaveLength(1);
      const pid = Number(server.logs[0]?.text);
      const processes = createProcessTable(process.platform);
      expect(await processes.find(pid)).toMatchObject({ pid, treeId: undefined });
      await server.transport.dispose();
      expect(await processes.find(pid)).toBeUndefined();
    },
  );

  it.runIf(process.platform === 'linux')('kills what a crashed server left behind', async () => {
    const server = await openReady(['--children']);
    process.kill(pidsOf(server)[0] ?? 0, 'SIGKILL');
    expect(await server.closed).toMatchObject({ kind: 'exited', signal: 'SIGKILL' });
    await server.transport.dispose();
    expect(server.processes()).toEqual([]);
  });

  it('stops many servers at once', async () => {
    const servers = await Promise.all(Array.from({ length: 10 }, () => openReady()));
    await Promise.all(servers.map((server) => server.transport.dispose()));
    expect(servers.flatMap((server) => server.processes())).toEqual([]);
  });
});

function isIndex(params: unknown, index: number): boolean {
  return (params as { index: number }).index === index;
}

function pidsOf(server: ServerUnderTest): number[] {
  const ready = server.messages[0]?.['params'] as { pids: number[] } | undefined;
  return ready?.pids ?? [];
}

function signalsOf(server: ServerUnderTest): string[] {
  return server.logs.flatMap(({ text }) => /^Sending (\w+) to/.exec(text)?.[1] ?? []);
}
