import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../src/base/clock.ts';
import { ProcessLedger } from '../../src/transport/stdio/processLedger.ts';
import { createProcessTable } from '../../src/transport/stdio/processes.ts';
import { temporaryFolder } from '../fixtures/temporaryFolder.ts';
import { createServerUnderTest, type ServerUnderTest } from './serverHarness.ts';

let folder: string;
/** Takes the place of the process that runs the servers, so that a test can kill it. */
let host: ChildProcess;
const started: ServerUnderTest[] = [];

beforeEach(async () => {
  folder = join(await temporaryFolder(), 'processes');
  host = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)']);
  await once(host, 'spawn');
});

afterEach(async () => {
  host.kill('SIGKILL');
  const servers = started.splice(0);
  await Promise.all(servers.map(({ transport }) => transport.dispose()));
  expect(servers.flatMap((server) => server.processes())).toEqual([]);
});

function ledgerOf(pid: number | undefined): ProcessLedger {
  const processes = createProcessTable(process.platform);
  const kill = (target: number, signal: NodeJS.Signals): void => void process.kill(target, signal);
  return new ProcessLedger({ folder, processes, clock: createSystemClock(), pid: pid ?? 0, kill });
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

  it('is in a folder of the person alone, also where it was there before', async () => {
    await mkdir(folder, { mode: 0o755 });
    await chmod(folder, 0o755);
    await startServer();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  describe('with entries that Patchbay has not written', () => {
    const treeId = '00000000-0000-4000-8000-000000000000';
    let victim: ChildProcess;
    let entry: Readonly<Record<string, unknown>>;

    beforeEach(async () => {
      victim = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)']);
      await once(victim, 'spawn');
      const found = await createProcessTable(process.platform).find(victim.pid ?? 0);
      const identity = `${victim.pid}@${found?.startedAt}`;
      entry = { label: 'x', command: 'x', pid: victim.pid, treeId, identity, host: '1@0', startedAt: 1 };
      await mkdir(folder);
    });

    afterEach(() => void victim.kill('SIGKILL'));

    async function write(name: string, changes: object): Promise<void> {
      await writeFile(join(folder, name), JSON.stringify({ ...entry, ...changes }));
    }

    it.each(['../precious/settings', '..', '', 'a/../../precious/settings', '/precious/settings', `${treeId}/../x`])(
      'removes no other file for the id %j',
      async (id) => {
        const precious = join(folder, '..', 'precious', 'settings.json');
        await mkdir(join(precious, '..'));
        await writeFile(precious, '{}');
        await write('a.json', { treeId: id, pid: 999_999_999, identity: '999999999@1' });
        await write(`${treeId}.json`, { treeId: id, pid: 999_999_999, identity: '999999999@1' });
        expect(await ledgerOf(process.pid).leftovers()).toEqual([]);
        await access(precious);
      },
    );

    it.runIf(process.platform === 'linux')('takes no process for a leftover by its id and start alone', async () => {
      await write(`${treeId}.json`, {});
      expect(await ledgerOf(process.pid).leftovers()).toEqual([]);
    });

    it.each([treeId, `patchbay-${treeId}`])('takes no process for a leftover by a folder %j', async (name) => {
      const group = join(folder, '..', name);
      await mkdir(group);
      await writeFile(join(group, 'cgroup.procs'), `${victim.pid}\n`);
      await write(`${treeId}.json`, { pid: 999_999_999, identity: '999999999@1', controlGroup: group });
      expect(await ledgerOf(process.pid).leftovers()).toEqual([]);
      await access(group);
    });

    it('takes no process for a leftover by the group of another', async () => {
      await write(`${treeId}.json`, { pid: process.pid });
      await write('zero.json', { pid: 0, treeId: 'zero', identity: '0@' });
      expect(await ledgerOf(process.pid).leftovers()).toEqual([]);
    });

    it('opens neither a named pipe nor a link nor a huge file', async () => {
      await write('../outside.json', { treeId: 'link', pid: 999_999_999, identity: '999999999@1' });
      await symlink('../outside.json', join(folder, 'link.json'));
      await symlink('/dev/zero', join(folder, 'zero.json'));
      await promisify(execFile)('mkfifo', [join(folder, 'pipe.json')]);
      await write('huge.json', {
        treeId: 'huge',
        pid: 999_999_999,
        identity: '999999999@1',
        label: 'x'.repeat(100_000),
      });
      expect(await ledgerOf(process.pid).leftovers()).toEqual([]);
      expect((await readdir(folder)).toSorted()).toEqual(['huge.json', 'link.json', 'pipe.json', 'zero.json']);
      await access(join(folder, '..', 'outside.json'));
    });
  });
});
