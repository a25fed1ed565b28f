import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { delay, waitAtMost } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { getOrMake } from '../../base/memoize.ts';
import type { ControlGroup } from './controlGroup.ts';
import type { ProcessEntry, ProcessTable } from './processes.ts';

/** A server's process with all its descendants. */
export interface ProcessTree {
  /** Ids of the living processes. They are remembered, so that they are found even after their parents ended. */
  alive(): Promise<readonly number[]>;
  /** Sends a signal to all of them. Processes that have ended or belong to another user are skipped. */
  signal(signal: StopSignal): Promise<void>;
}

export type StopSignal = 'SIGTERM' | 'SIGKILL';

export interface TreeMarks {
  /** Process id of the leader, which is also its process group id; `undefined` if it may have been reused. */
  readonly leader: number | undefined;
  /** The value of `treeVariable` in its environment. */
  readonly treeId: string;
  /** Members that were found before, as identities of {@link identify}. */
  readonly known?: ReadonlySet<string>;
  /**
   * Identity of a leader whose children are members after it ended: on Windows, where a process keeps the id of its parent and nothing
   * else marks a tree. A batch file is such a leader: its `cmd.exe` ends with the host, and what it started does not.
   */
  readonly orphansOf?: string;
}

/** The tree of a system whose processes can be listed. */
export class ListedTree implements ProcessTree {
  readonly #marks: TreeMarks;
  readonly #group: Pick<ControlGroup, 'pids'> | undefined;
  readonly #table: Pick<ProcessTable, 'list'>;
  readonly #kill: (pid: number, signal: StopSignal) => void;
  /** Created when it is stopped: an idle server needs none. */
  #known: Set<string> | undefined;

  /** @param kill as `process.kill` */
  constructor(
    marks: TreeMarks,
    group: Pick<ControlGroup, 'pids'> | undefined,
    table: Pick<ProcessTable, 'list'>,
    kill: (pid: number, signal: StopSignal) => void,
  ) {
    this.#marks = marks;
    this.#group = group;
    this.#table = table;
    this.#kill = kill;
  }

  async alive(): Promise<readonly number[]> {
    return (await this.#members()).map(({ pid }) => pid);
  }

  async signal(signal: StopSignal): Promise<void> {
    const { leader } = this.#marks;
    const found = await this.#members();
    // The process group first, in one call, so that no member can start a process in between.
    if (leader !== undefined && found.some(({ group }) => group === leader)) this.#tryKill(-leader, signal);
    for (const { group, pid } of found) if (group !== leader) this.#tryKill(pid, signal);
  }

  async #members(): Promise<readonly ProcessEntry[]> {
    const controlled = await this.#group?.pids();
    const known = (this.#known ??= new Set(this.#marks.known));
    const found = findMembers(await this.#table.list(), { ...this.#marks, known }, controlled);
    for (const entry of found) known.add(identify(entry));
    return found;
  }

  #tryKill(pid: number, signal: StopSignal): void {
    try {
      this.#kill(pid, signal);
    } catch {
      // ESRCH: it has ended; EPERM: it belongs to another user. The next listing shows what is left.
    }
  }
}

/**
 * After its leader started, an orphan may start within this time, in the units of Windows (100 ns): its id is used again some time, after
 * a restart of the system for any process. 10 minutes, the longest start: a batch file may install before it starts the server.
 */
const maximumOrphanDelay = 6_000_000_000n;

/** @param controlled ids of the processes in its cgroup */
export function findMembers(
  entries: readonly ProcessEntry[],
  marks: TreeMarks,
  controlled: readonly number[] = [],
): readonly ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of entries) getOrMake(children, entry.parent, () => []).push(entry);
  const [, former, start = ''] = /^(\d+)@(\d+)$/.exec(marks.orphansOf ?? '') ?? [];
  // While its id is that of another process, the children are those of that one.
  const isGone = former !== undefined && !entries.some(({ pid }) => String(pid) === former);
  const isOrphan = ({ parent, startedAt }: ProcessEntry): boolean => {
    if (String(parent) !== former) return false;
    const later = BigInt(startedAt) - BigInt(start);
    return later >= 0n && later <= maximumOrphanDelay;
  };
  const isSeed = (entry: ProcessEntry): boolean =>
    entry.treeId === marks.treeId ||
    entry.group === marks.leader ||
    controlled.includes(entry.pid) ||
    marks.known?.has(identify(entry)) === true ||
    (isGone && isOrphan(entry));
  const members = new Set(entries.filter(isSeed));
  // The loop also visits the members that it adds.
  for (const member of members) for (const child of children.get(member.pid) ?? []) members.add(child);
  return [...members];
}

/** An identity that stays unique if the process id is reused. */
export function identify(entry: ProcessEntry): string {
  return `${entry.pid}@${entry.startedAt}`;
}

/**
 * A process tree on Windows, which has no process groups; `taskkill` finds descendants by their parents. A process without a
 * window cannot be asked to exit, so both signals kill the tree (2026-07-28, Basic / Transports / stdio, "Shutdown").
 *
 * @param isLeaderAlive without the leader, its descendants cannot be found
 * @param killLeader ends the leader alone, where `taskkill` is missing, blocked or fails
 */
export function createWindowsTree(
  leader: number,
  isLeaderAlive: () => boolean,
  systemRoot: string,
  killLeader: () => void,
): ProcessTree {
  return {
    alive: async () => (isLeaderAlive() ? [leader] : []),
    signal: () =>
      new Promise((resolve) => {
        const taskkill = join(systemRoot, 'System32', 'taskkill.exe');
        execFile(taskkill, ['/pid', String(leader), '/T', '/F'], { windowsHide: true }, (error) => {
          // It also fails when the process has already ended.
          if (error !== null && isLeaderAlive()) killLeader();
          resolve();
        });
      }),
  };
}

export interface ShutdownTarget {
  readonly tree: ProcessTree;
  /** Closes its standard input, which asks it to exit. Absent where it is closed. */
  readonly closeInput?: () => void;
  /** Resolves when the process has exited; its children may still run. Absent where it has exited. */
  readonly exited?: Promise<unknown>;
  readonly onSignal?: (signal: StopSignal, pids: readonly number[]) => void;
}

const maximumPollMs = 200;
/** Milliseconds for killed processes to disappear, which may take long under load. */
const killTimeoutMs = 10_000;

/**
 * Stops a server and all its descendants: closes its input, then sends SIGTERM, then SIGKILL, with `graceMs` milliseconds
 * after each of the first two (2025-11-25, Basic / Lifecycle, "Shutdown"; 2026-07-28, Basic / Transports / stdio, "Shutdown").
 * If the server has already exited, its remaining descendants get the signals.
 *
 * @returns ids of the processes that could not be ended: normally none, else those of another user or stuck in the kernel
 */
export async function shutDown(target: ShutdownTarget, clock: Clock, graceMs: number): Promise<readonly number[]> {
  // Finds the descendants while their parents still run.
  await target.tree.alive();
  target.closeInput?.();
  if (target.exited !== undefined) await waitAtMost(target.exited, clock, graceMs);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const alive = await target.tree.alive();
    if (alive.length === 0) return [];
    target.onSignal?.(signal, alive);
    await signalUntilGone(target.tree, signal, clock, signal === 'SIGKILL' ? killTimeoutMs : graceMs);
  }
  return target.tree.alive();
}

async function signalUntilGone(tree: ProcessTree, signal: StopSignal, clock: Clock, timeoutMs: number): Promise<void> {
  const deadline = clock.now() + timeoutMs;
  await tree.signal(signal);
  for (let pollMs = 10; clock.now() < deadline; pollMs = Math.min(pollMs * 2, maximumPollMs)) {
    if ((await tree.alive()).length === 0) return;
    await delay(clock, pollMs);
    // A process may have started after the listing. SIGTERM is sent only once: a process may be saving data.
    if (signal === 'SIGKILL') await tree.signal(signal);
  }
}
