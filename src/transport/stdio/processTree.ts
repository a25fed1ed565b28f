import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { ControlGroup } from './controlGroup.ts';
import type { ProcessEntry, ProcessTable } from './processes.ts';

/** A server's process with everything it started, directly or not. */
export interface ProcessTree {
  /** Ids of those alive. Also remembers them, so that they are known later, when their parents are gone. */
  alive(): Promise<readonly number[]>;
  /** Sends to all of them; those that ended meanwhile or belong to another user are passed over. */
  signal(signal: StopSignal): Promise<void>;
}

export type StopSignal = 'SIGTERM' | 'SIGKILL';

/** What a tree is known by. */
export interface TreeMarks {
  /** The leader's process id, which is also that of the group it leads; `undefined` once another may have it. */
  readonly leader: number | undefined;
  readonly treeId: string;
  /** Members seen before, as {@link identify} names them. */
  readonly known?: ReadonlySet<string>;
}

/**
 * @param group where the system keeps one for this tree
 * @param kill as `process.kill`
 */
export function createPosixTree(
  { leader, treeId, known: before }: TreeMarks,
  group: Pick<ControlGroup, 'pids'> | undefined,
  table: Pick<ProcessTable, 'list'>,
  kill: (pid: number, signal: StopSignal) => void,
): ProcessTree {
  const known = new Set<string>(before);

  async function members(): Promise<readonly ProcessEntry[]> {
    const controlled = await group?.pids();
    const found = findMembers(await table.list(), { leader, treeId, known }, controlled);
    for (const entry of found) known.add(identify(entry));
    return found;
  }

  function tryKill(pid: number, signal: StopSignal): void {
    try {
      kill(pid, signal);
    } catch {
      // ESRCH: it has ended; EPERM: it is not ours. The next listing tells whether anything is left.
    }
  }

  return {
    alive: async () => (await members()).map((entry) => entry.pid),
    async signal(signal) {
      const found = await members();
      // The group first, at one stroke, so that no member can start another in between.
      if (leader !== undefined && found.some((entry) => entry.group === leader)) tryKill(-leader, signal);
      for (const entry of found) if (entry.group !== leader) tryKill(entry.pid, signal);
    },
  };
}

/**
 * Of all processes those that belong to the tree: by mark, by group, by being known, and whatever descends from these.
 * @param controlled ids of those in its control group
 */
export function findMembers(
  entries: readonly ProcessEntry[],
  marks: TreeMarks,
  controlled: readonly number[] = [],
): readonly ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of entries) {
    const siblings = children.get(entry.parent);
    if (siblings === undefined) children.set(entry.parent, [entry]);
    else siblings.push(entry);
  }
  const isSeed = (entry: ProcessEntry): boolean =>
    entry.treeId === marks.treeId ||
    entry.group === marks.leader ||
    controlled.includes(entry.pid) ||
    marks.known?.has(identify(entry)) === true;
  const members = new Set(entries.filter(isSeed));
  // A set yields what is added while it is walked.
  for (const member of members) for (const child of children.get(member.pid) ?? []) members.add(child);
  return [...members];
}

/** A name that no later process with the same id has. */
export function identify(entry: ProcessEntry): string {
  return `${entry.pid}@${entry.startedAt}`;
}

/**
 * Windows keeps no groups, but `taskkill` follows parents. There is no polite signal for a process without a window, so
 * both signals end the tree at once (2026-07-28, stdio, "Shutdown").
 *
 * @param isLeaderAlive children cannot be found any more once it has ended
 */
export function createWindowsTree(leader: number, isLeaderAlive: () => boolean, systemRoot: string): ProcessTree {
  return {
    alive: async () => (isLeaderAlive() ? [leader] : []),
    signal: () =>
      new Promise((resolve) => {
        const taskkill = join(systemRoot, 'System32', 'taskkill.exe');
        // It fails when the process has ended meanwhile; `alive` tells.
        execFile(taskkill, ['/pid', String(leader), '/T', '/F'], { windowsHide: true }, () => resolve());
      }),
  };
}
