import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../src/base/clock.ts';
import { createProcessLedger, type ProcessLedger } from '../../src/transport/stdio/processLedger.ts';
import { createProcessTable } from '../../src/transport/stdio/processes.ts';
import { createServerUnderTest, type ServerUnderTest } from './serverHarness.ts';

let folder: string;
/** Takes the place of the process that runs the servers, so that a test can kill it. */
let host: ChildProcess;
const started: ServerUnderTest[] = [];

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'patchbay-ledger-')), 'processes');
  host = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)']);
  await once(host, 'spawn');
});

afterEach(async () => {
  host.kill('SIGKILL');
  const servers = started.splice(0);
  await Promise.all(servers.map(({ transport }) => transport.dispose()));
  expect(servers.flatMap((server) => server.processes())).toEqual([]);
  await rm(join(folder, '..'), { recursive: true });
});

function ledgerOf(pid: number | undefined): ProcessLedger {
  const processes = createProcessTable(process.platform);
  const kill = (target: number, signal: NodeJS.Signals): void => void process.kill(target, signal);
  return createProcessLedger({ folder, processes, clock: createSystemClock(), pid: pid ?? 0, kill });
}

/** Starts a server that ignores signals, recorded in the host's ledger. */
async function startServer(): Promise<ServerUnderTest> {
  const flags = ['--ignore-stdin-end', '--ignore-sigterm', '--children'];
  const ledger = ledgerOf(host.pid);
  const server = createServerUnderTest('scriptedServer.mjs', flags, { command: { label: 'notes' }, ports: { ledger } });
  started.push(server);
  await server.transport.start(AbortSignal.timeout(30_000));
  await server.message(({ method }) => method === 'ready');
  await expect.poll(() => readdir(folder).catch(() => [])).toHaveLength(1);
  return server;
}

async function killHost(): Promise<void> {
  const exited = once(host, 'exit');
  host.kill('SIGKILL');
  await exited;
}

describe.runIf(process.platform !== 'win32')('the record of running servers', { timeout: 30_000 }, () => {
  it('finds what a killed host left running, and ends all of it', async () => {
    const server = await startServer();
    await killHost();
    const [leftover, ...others] = await ledgerOf(process.pid).leftovers();
    expect(others).toEqual([]);
    expect(leftover).toMatchObject({ label: 'notes', command: process.execPath });
    expect(leftover?.pids).toEqual(expect.arrayContaining(server.processes()));
    expect(await leftover?.end()).toEqual([]);
    expect(server.processes()).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves the servers of a living host alone', async () => {
    await startServer();
    expect(await ledgerOf(process.pid).leftovers()).toEqual([]);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('takes off what was stopped properly', async () => {
    const server = await startServer();
    await server.transport.dispose();
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes off what ended by itself after its host was killed', async () => {
    const server = await startServer();
    await killHost();
    for (const pid of server.processes()) process.kill(pid, 'SIGKILL');
    await expect.poll(() => server.processes()).toEqual([]);
    expect(await ledgerOf(process.pid).leftovers()).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes no process for a leftover because it has the number of one', async () => {
    await startServer();
    await killHost();
    const [name = ''] = await readdir(folder);
    const entry = {
      label: 'a',
      command: 'a',
      pid: process.pid,
      treeId: 'gone',
      identity: `${process.pid}@0`,
      host: '1@0',
    };
    await writeFile(join(folder, 'gone.json'), JSON.stringify({ ...entry, startedAt: 0 }));
    await writeFile(join(folder, 'damaged.json'), '{"label":');
    expect((await ledgerOf(process.pid).leftovers()).map(({ label }) => label)).toEqual(['notes']);
    expect((await readdir(folder)).toSorted()).toEqual(['damaged.json', name].toSorted());
  });
});
