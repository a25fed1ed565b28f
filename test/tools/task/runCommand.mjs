// @ts-check
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onParentEnd } from '../vscodeHost/lifetime.mjs';

/**
 * @typedef {object} Ended
 * @property {number} code exit code; 1 when it was ended by a signal or could not start
 * @property {string} output what it printed, where that was collected
 */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** @type {NodeJS.Signals | undefined} */
let interruption;

/** The signal that asked this process to stop, if one did. */
export function interruptedBy() {
  return interruption;
}

/** Forwards SIGINT and SIGTERM to the running programs, and waits until they end. */
export function forwardSignals() {
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM'];
  for (const signal of signals) {
    process.on(signal, () => {
      interruption = signal;
      // A terminal sends Ctrl+C to every process of the group; a second signal would interrupt their clean-up.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      for (const child of running) child.kill(signal);
    });
  }
  // npm forwards SIGTERM to the shell between npm and this process, and the shell ends without forwarding it.
  if (process.env['npm_lifecycle_event'] !== undefined) onParentEnd(() => process.kill(process.pid, 'SIGTERM'));
}

/**
 * Runs a program to its end.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ collect?: boolean }} [options] `collect` keeps the output for later in place of printing it
 * @returns {Promise<Ended>} never rejects
 */
export function runCommand(command, args, { collect = false } = {}) {
  if (interruption !== undefined) return Promise.resolve({ code: 1, output: 'Interrupted.\n' });
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: collect ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
    running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('error', (error) => {
      running.delete(child);
      resolve({ code: 1, output: `${output}Cannot run ${command}: ${error.message}\n` });
    });
    child.on('close', (code) => {
      running.delete(child);
      resolve({ code: code ?? 1, output });
    });
  });
}

/**
 * Runs the command-line program of an installed package, in the Node that runs this.
 *
 * @param {string} packageName whose program has the same name, such as `oxlint`
 * @param {readonly string[]} args
 * @param {{ collect?: boolean, program?: string }} [options] `program` where its name is another, such as `tsc`
 * @returns {Promise<Ended>}
 */
export async function runTool(packageName, args, { collect = false, program = packageName } = {}) {
  const folder = join('node_modules', packageName);
  const { bin } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const script = join(folder, typeof bin === 'string' ? bin : bin[program]);
  return await runCommand(process.execPath, [script, ...args], { collect });
}
