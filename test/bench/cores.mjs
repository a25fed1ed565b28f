// @ts-check
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Runs something while processes share one core. Where each always waits for the other, waking one on another core takes
 * longer than what is measured, and the system chooses the core anew for each run. Without `taskset`, so on other systems than
 * Linux, the processes are left alone.
 *
 * @template T
 * @param {readonly number[]} processes their ids
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 */
export async function onOneCore(processes, run) {
  const allowed = allowedCores();
  const first = allowed && /^\d+/.exec(allowed)?.[0];
  if (first === undefined) return await run();
  keepTo(first, processes);
  try {
    return await run();
  } finally {
    keepTo(/** @type {string} */ (allowed), processes);
  }
}

/** The cores this process may use, as `taskset` takes them: `0-3,6`. */
function allowedCores() {
  try {
    return /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** @param {string} cores @param {readonly number[]} processes */
function keepTo(cores, processes) {
  for (const pid of processes) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)]);
}
