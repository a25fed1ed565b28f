import { describe, expect, it } from 'vitest';
import { createProcessTable, parseProcEntry, parsePsLine } from '../../../../src/transport/stdio/processes.ts';
import type { ProcessEntry } from '../../../../src/transport/stdio/processes.ts';
import { PosixTree, findMembers } from '../../../../src/transport/stdio/processTree.ts';

function entry(pid: number, parent: number, group: number, treeId?: string): ProcessEntry {
  return { pid, parent, group, startedAt: `t${pid}`, treeId };
}

describe('parseProcEntry', () => {
  const rest = '4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1000 200';

  it('reads a process whose name holds spaces and parentheses', () => {
    const environment = 'HOME=/root\0PATCHBAY_PROCESS_TREE=abc\0X=1\0';
    expect(parseProcEntry(`42 (a) S (b) S 7 40 40 0 -1 ${rest}`, environment)).toEqual({
      pid: 42,
      parent: 7,
      group: 40,
      startedAt: '98765',
      treeId: 'abc',
    });
  });

  it('is not misled by a variable that ends like ours', () => {
    expect(parseProcEntry(`42 (x) S 7 40 40 0 -1 ${rest}`, 'MY_PATCHBAY_PROCESS_TREE=abc\0')?.treeId).toBeUndefined();
  });

  it('leaves out zombies', () => {
    expect(parseProcEntry(`42 (x) Z 7 40 40 0 -1 ${rest}`, '')).toBeUndefined();
  });
});

describe('parsePsLine', () => {
  it('reads a line of ps and leaves out zombies and anything else', () => {
    expect(parsePsLine('  42     7    40 S+   Sat Nov 21 10:00:00 2026  ')).toEqual([
      { pid: 42, parent: 7, group: 40, startedAt: 'Sat Nov 21 10:00:00 2026', treeId: undefined },
    ]);
    expect(parsePsLine('  42     7    40 Z    Sat Nov 21 10:00:00 2026')).toEqual([]);
    expect(parsePsLine('')).toEqual([]);
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

describe('PosixTree', () => {
  it('signals the group at one stroke, others one by one, and passes over those that ended', async () => {
    const signals: [number, string][] = [];
    const list = async (): Promise<ProcessEntry[]> => [entry(10, 1, 10), entry(11, 10, 10), entry(12, 10, 12)];
    const tree = new PosixTree({ leader: 10, treeId: 'tree' }, undefined, { list }, (pid, signal) => {
      signals.push([pid, signal]);
      throw new Error('ESRCH');
    });
    await tree.signal('SIGTERM');
    expect(signals).toEqual([
      [-10, 'SIGTERM'],
      [12, 'SIGTERM'],
    ]);
  });

  it('signals what is in the control group though nothing else tells whose it is', async () => {
    const signals: number[] = [];
    const list = async (): Promise<ProcessEntry[]> => [entry(12, 1, 12), entry(13, 1, 13)];
    const group = { pids: async () => [12] };
    const tree = new PosixTree({ leader: 10, treeId: 'tree' }, group, { list }, (pid) => signals.push(pid));
    expect(await tree.alive()).toEqual([12]);
    await tree.signal('SIGKILL');
    expect(signals).toEqual([12]);
  });

  it('does not signal a group that has no members left', async () => {
    const signals: number[] = [];
    const list = async (): Promise<ProcessEntry[]> => [entry(12, 1, 12, 'tree')];
    const tree = new PosixTree({ leader: 10, treeId: 'tree' }, undefined, { list }, (pid) => signals.push(pid));
    await tree.signal('SIGKILL');
    expect(signals).toEqual([12]);
  });
});
