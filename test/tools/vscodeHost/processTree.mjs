// @ts-check
// Not tree-kill, which needs `ps` and does not wait until the processes have ended.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Tells whether a process runs. A zombie counts as ended.
 * @param {number} pid
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return process.platform !== 'linux' || readStat(pid)?.state !== 'Z';
}

/**
 * Ends a process, its process group and all its descendants, those in other groups included: SIGTERM, a grace period,
 * SIGKILL.
 * @param {number} root the leader of its process group; it may have ended already
 * @param {number} graceMs how long they may take to end by themselves
 * @returns {Promise<void>} resolves when none of them runs any more
 */
export async function endProcessTree(root, graceMs) {
  const ended = new Set([root, ...descendants(root)]);
  signalAll([...ended, -root], 'SIGTERM');
  const deadline = performance.now() + graceMs;
  while (performance.now() < deadline && [...ended].some(isAlive)) {
    await delay(50);
    // A process that is shutting down may still have started another.
    for (const pid of [...ended].filter(isAlive).flatMap(descendants)) ended.add(pid);
  }
  signalAll([...ended, -root], 'SIGKILL');
  while ([...ended].some(isAlive)) await delay(20);
}

/**
 * @param {readonly number[]} pids negative for process groups
 * @param {NodeJS.Signals} signal
 */
function signalAll(pids, signal) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended already.
    }
  }
}

/**
 * @param {number} pid
 * @returns {string} its command line; empty when it has ended
 */
export function commandLineOf(pid) {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/**
 * @param {number} root
 * @returns {number[]} the ids of all processes below `root`
 */
export function descendants(root) {
  const parents = process.platform === 'linux' ? parentsFromProc() : parentsFromPs();
  /** @type {number[]} */
  const found = [];
  const open = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const [pid, parentPid] of parents) {
      if (parentPid !== parent) continue;
      found.push(pid);
      open.push(pid);
    }
  }
  return found;
}

/** Small containers have no `ps`, so Linux is asked directly. */
function parentsFromProc() {
  /** @type {Map<number, number>} */
  const parents = new Map();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) ? readStat(pid) : undefined;
    if (stat !== undefined) parents.set(pid, stat.parent);
  }
  return parents;
}

function parentsFromPs() {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
      return [pid, parent];
    }),
  );
}

/**
 * @param {number} pid
 * @returns {{ state: string, parent: number } | undefined}
 */
function readStat(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may itself hold spaces and brackets.
    const [state = '', parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    // The process has ended since it was listed.
    return undefined;
  }
}
