import { readdir } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownGroupPath } from '../../../../src/transport/stdio/controlGroup.ts';
import { createWindowsTree, findMembers, ListedTree, shutDown } from '../../../../src/transport/stdio/processTree.ts';
import {
  createProcessTable,
  parseProcEntry,
  parseWindowsList,
  parsePsLine,
  type ProcessEntry,
} from '../../../../src/transport/stdio/processes.ts';
import { ProcessLedger } from '../../../../src/transport/stdio/processLedger.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';
import { createManualClock, type ManualClock, settle } from '../../../fixtures/manualClock.ts';

function entry(pid: number, parent: number, group: number, treeId?: string): ProcessEntry {
  return { pid, parent, group, startedAt: `t${pid}`, treeId };
}

describe('parseProcEntry', () => {
  const rest = '4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1000 200';

  it('reads a process whose name holds spaces and parentheses', () => {
    const environment = 'HOME=/root\0PATCHBAY_PROCESS_TREE=abc\0X=1\0';
    const read = { pid: 42, parent: 7, group: 40, startedAt: '98765', treeId: 'abc' };
    expect(parseProcEntry(`42 (a) S (b) S 7 40 40 0 -1 ${rest}`, environment)).toEqual(read);
  });

  it('is not misled by a variable that ends like ours', () => {
    expect(parseProcEntry(`42 (x) S 7 40 40 0 -1 ${rest}`, 'MY_PATCHBAY_PROCESS_TREE=abc\0')?.treeId).toBeUndefined();
  });

  it('leaves out zombies', () => {
    expect(parseProcEntry(`42 (x) Z 7 40 40 0 -1 ${rest}`, '')).toBeUndefined();
  });
});

it('parsePsLine reads a line of ps and leaves out zombies and anything else', () => {
  expect(parsePsLine('  42     7    40 S+   Sat Nov 21 10:00:00 2026  ')).toEqual([
    { pid: 42, parent: 7, group: 40, startedAt: 'Sat Nov 21 10:00:00 2026', treeId: undefined },
  ]);
  expect(parsePsLine('  42     7    40 Z    Sat Nov 21 10:00:00 2026')).toEqual([]);
  expect(parsePsLine('')).toEqual([]);
});

describe('a tree on Windows', () => {
  const host = '500 4 133700000000000000';
  const shell = '600 500 133700000000000100';
  const server = '700 600 133700000000000200';
  const child = '800 700 133700000000000300';
  const identity = '600@00133700000000000100';
  const marks = { leader: undefined, treeId: 'x', known: new Set<string>(), orphansOf: identity };
  const pidsOf = (...lines: string[]): number[] =>
    findMembers(parseWindowsList(lines.join('\r\n')), marks).map(({ pid }) => pid);

  it('is read with the ids of parents that started before', () => {
    // 900 got the id of the parent of 700 after that had ended.
    const list = parseWindowsList(
      `${host}\r\n900 500 133700000000000900\r\n701 900 133700000000000200\r\nError: x\r\n`,
    );
    expect(list.map(({ pid, parent, startedAt }) => [pid, parent, startedAt])).toEqual([
      [500, 4, '00133700000000000000'],
      [900, 500, '00133700000000000900'],
      [701, 0, '00133700000000000200'],
    ]);
  });

  it.each<[name: string, lines: string[], members: number[]]>([
    ['what the shell of a batch file left', [server, child], [700, 800]],
    ['nothing where it left nothing', [host], []],
    ['no child of another process that has its id', ['600 4 133700000000000150', '701 600 133700000000000300'], []],
    ['nothing that started long after it, as after a restart', ['701 600 133700006000000101'], []],
    ['what started within ten minutes, as after an installation', ['701 600 133700006000000100'], [701]],
    ['no child of an earlier process with its id', ['702 600 133700000000000050'], []],
  ])('has, after its leader ended, %s', (_, lines, members) => {
    expect(pidsOf(...lines)).toEqual(members);
  });

  it('has the children of a leader that is alive', () => {
    const found = findMembers(parseWindowsList([host, shell, server, child].join('\n')), {
      ...marks,
      known: new Set([identity]),
    });
    expect(found.map(({ pid }) => pid)).toEqual([600, 700, 800]);
  });
});

describe('the record of running servers on Windows', () => {
  const [host, shell] = ['500 4 100', '600 500 200'];
  const server = '700 600 300';
  const running = new Set<string>();
  let folder: string;
  let ledger: ProcessLedger;

  beforeEach(async () => {
    running.clear();
    for (const line of [host, shell, server]) running.add(line);
    const list = async () => parseWindowsList([...running].join('\r\n'));
    const find = async (pid: number) => (await list()).find((one) => one.pid === pid);
    const kill = (pid: number): void => running.forEach((line) => line.startsWith(`${pid} `) && running.delete(line));
    const processes = { list, find, isBlind: true, keepsParents: true };
    folder = await temporaryFolder();
    ledger = new ProcessLedger({ folder, processes, clock: createManualClock(), pid: 500, kill });
    const started = { label: 'notes', command: 'npx', pid: 600, treeId: 'tree', controlGroup: undefined };
    await ledger.record(started);
  });

  it('finds what a batch file has started after its window was killed, and ends it', async () => {
    expect(await ledger.leftovers()).toEqual([]);
    running.delete(host);
    running.delete(shell);
    const [leftover] = await ledger.leftovers();
    expect(leftover).toMatchObject({ label: 'notes', pids: [700] });
    expect(await leftover?.end()).toEqual([]);
    expect([...running]).toEqual([]);
  });

  it('forgets at once what ends while the processes are still being listed', async () => {
    let listed = (_none: undefined): void => {};
    const listing = new Promise<undefined>((resolve) => (listed = resolve));
    const processes = { list: async () => [], find: () => listing, isBlind: true, keepsParents: true };
    const slow = new ProcessLedger({ folder, processes, clock: createManualClock(), pid: 500, kill: () => {} });
    const started = { label: 'short', command: 'npx', pid: 601, treeId: 'short', controlGroup: undefined };
    const recorded = slow.record(started);
    await slow.forget('short');
    listed(undefined);
    await recorded;
    expect(await readdir(folder)).toEqual(['tree.json']);
  });

  it('forgets nothing where the processes cannot be listed', async () => {
    running.clear();
    expect(await ledger.leftovers()).toEqual([]);
    running.add(server);
    expect(await ledger.leftovers()).toHaveLength(1);
  });
});

describe('createProcessTable', () => {
  it.runIf(process.platform === 'linux')('lists this process, for callers that come at once', async () => {
    const table = createProcessTable('linux');
    const lists = await Promise.all([table.list(), table.list()]);
    for (const list of lists) {
      expect(list).toContainEqual(expect.objectContaining({ pid: process.pid, parent: process.ppid }));
    }
  });

  it('never answers with a list begun before the call', async () => {
    const table = createProcessTable('win32');
    const first = table.list();
    await Promise.resolve();
    expect(table.list()).not.toBe(first);
  });
});

describe('findMembers', () => {
  const leader = entry(10, 1, 10, 'tree');
  const strangers = [entry(1, 0, 1), entry(2, 1, 2, 'other'), entry(3, 2, 2)];

  it('finds by group, by mark, by descent, and leaves the rest alone', () => {
    const tree = [leader, entry(11, 10, 10), entry(12, 11, 12), entry(13, 12, 13), entry(14, 1, 14, 'tree')];
    const found = findMembers([...tree, ...strangers], { leader: 10, treeId: 'tree' });
    expect(found.map(({ pid }) => pid).toSorted((a, b) => a - b)).toEqual([10, 11, 12, 13, 14]);
  });

  it('finds a known process whose parents are gone, but not another with its id', () => {
    const orphan = entry(12, 1, 12);
    const seeds = { leader: 10, treeId: 'tree', known: new Set(['12@t12']) };
    expect(findMembers([orphan], seeds)).toEqual([orphan]);
    expect(findMembers([{ ...orphan, startedAt: 'later' }], seeds)).toEqual([]);
  });
});

describe('ListedTree', () => {
  it('signals the group at one stroke, others one by one, and passes over those that ended', async () => {
    const signals: string[] = [];
    const list = async (): Promise<ProcessEntry[]> => [entry(10, 1, 10), entry(11, 10, 10), entry(12, 10, 12)];
    const tree = new ListedTree({ leader: 10, treeId: 'tree' }, undefined, { list }, (pid, signal) => {
      signals.push(`${pid} ${signal}`);
      throw new Error('ESRCH');
    });
    await tree.signal('SIGTERM');
    expect(signals).toEqual(['-10 SIGTERM', '12 SIGTERM']);
  });

  it('signals what is in the control group though nothing else tells whose it is', async () => {
    const signals: number[] = [];
    const list = async (): Promise<ProcessEntry[]> => [entry(12, 1, 12), entry(13, 1, 13)];
    const group = { pids: async () => [12] };
    const tree = new ListedTree({ leader: 10, treeId: 'tree' }, group, { list }, (pid) => signals.push(pid));
    expect(await tree.alive()).toEqual([12]);
    await tree.signal('SIGKILL');
    expect(signals).toEqual([12]);
  });

  it('does not signal a group that has no members left', async () => {
    const signals: number[] = [];
    const list = async (): Promise<ProcessEntry[]> => [entry(12, 1, 12, 'tree')];
    const tree = new ListedTree({ leader: 10, treeId: 'tree' }, undefined, { list }, (pid) => signals.push(pid));
    await tree.signal('SIGKILL');
    expect(signals).toEqual([12]);
  });
});

it('the leader of a tree on Windows ends where taskkill is missing or fails', async () => {
  const alive = new Set([1]);
  const killed: number[] = [];
  const kill = (): void => {
    killed.push(1);
    alive.delete(1);
  };
  const tree = createWindowsTree(1, () => alive.has(1), '/no/such/folder', kill);
  await tree.signal('SIGTERM');
  expect(await tree.alive()).toEqual([]);
  // It has ended: its number may be that of another process.
  await tree.signal('SIGKILL');
  expect(killed).toEqual([1]);
});

const unified = '30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate';
const others =
  '23 28 0:21 / /sys rw shared:7 - sysfs sysfs rw\n31 23 0:27 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids';

describe.runIf(process.platform !== 'win32')('ownGroupPath', () => {
  it.each([
    ['a desktop session', '0::/user.slice/app.scope\n', unified, '/sys/fs/cgroup/user.slice/app.scope'],
    ['both versions mounted', '8:pids:/\n0::/\n', `${others}\n${unified.replace('/sys/fs/cgroup', '/cg')}`, '/cg/'],
    ['a mount of a part', '0::/docker/1/sub\n', unified.replace(' / ', ' /docker/1 '), '/sys/fs/cgroup/sub'],
  ])('finds it in %s', (_, membership, mounts, path) => {
    expect(ownGroupPath(membership, mounts)).toBe(path);
  });

  it.each([
    ['version 1 alone', '8:pids:/a\n', others],
    ['no such mount', '0::/\n', others],
    ['a group outside of the container', '0::/../other\n', unified],
    ['a group outside of the mount', '0::/docker/10\n', unified.replace(' / ', ' /docker/1 ')],
  ])('finds none with %s', (_, membership, mounts) => {
    expect(ownGroupPath(membership, mounts)).toBeUndefined();
  });
});

type Step = 'closeInput' | 'SIGTERM' | 'SIGKILL';

/** Processes that end at a given step, or never; a killed one needs `dyingMs` to end. */
function createScene(endsAt: Record<number, Step | 'never'>, dyingMs = 0) {
  const clock: ManualClock = createManualClock();
  const startedAt = clock.now();
  const steps: [Step, number][] = [];
  const alive = new Set(Object.keys(endsAt).map(Number));
  let leaveLeader = (): void => {};
  const exited = new Promise<void>((resolve) => (leaveLeader = resolve));

  function take(step: Step): void {
    if (steps.at(-1)?.[0] !== step) steps.push([step, clock.now() - startedAt]);
    const end = (): void => {
      for (const pid of alive) if (endsAt[pid] === step) alive.delete(pid);
      if (!alive.has(1)) leaveLeader();
    };
    if (step === 'SIGKILL' && dyingMs > 0) clock.after(dyingMs, end);
    else end();
  }

  const result = shutDown(
    {
      tree: { alive: async () => [...alive], signal: async (signal) => take(signal) },
      closeInput: () => take('closeInput'),
      exited,
    },
    clock,
    2_000,
  );
  return { clock, steps, result };
}

describe('shutDown', () => {
  it('only ends the input of a server that exits by itself, without waiting', async () => {
    const { steps, result, clock } = createScene({ 1: 'closeInput' });
    expect(await result).toEqual([]);
    expect(steps).toEqual([['closeInput', 0]]);
    expect(clock.waiting).toBe(0);
  });

  it('gives each step its time', async () => {
    const { steps, result, clock } = createScene({ 1: 'SIGKILL' });
    await settle();
    await clock.advance(10_000);
    expect(await result).toEqual([]);
    expect(steps.map(([step]) => step)).toEqual(['closeInput', 'SIGTERM', 'SIGKILL']);
    expect(steps[1]?.[1]).toBe(2_000);
    expect(steps[2]?.[1]).toBeGreaterThanOrEqual(4_000);
  });

  it('signals at once what an exited server left behind', async () => {
    const { steps, result, clock } = createScene({ 1: 'closeInput', 2: 'SIGTERM' });
    await settle();
    await clock.advance(100);
    expect(await result).toEqual([]);
    expect(steps).toEqual([
      ['closeInput', 0],
      ['SIGTERM', 0],
    ]);
  });

  it('waits beyond the grace for a killed process to be gone, as on a machine under load', async () => {
    const { result, clock } = createScene({ 1: 'SIGKILL' }, 5_000);
    await settle();
    await clock.advance(20_000);
    expect(await result).toEqual([]);
  });

  it('gives up on what cannot be killed, and names it', async () => {
    const { result, clock } = createScene({ 1: 'SIGTERM', 2: 'never' });
    await settle();
    await clock.advance(60_000);
    expect(await result).toEqual([2]);
  });
});
