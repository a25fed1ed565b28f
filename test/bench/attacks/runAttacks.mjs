// @ts-check
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { attacks } from './all.mjs';

/** @typedef {import('./attack.d.ts').AttackRow} AttackRow */

const heapMegabytes = 1_536;
const deadlineMs = 60_000;
/** On an otherwise idle machine. */
export const attackBudget = { blockMs: 100, peakBytes: 700_000_000 };

/** @param {string} file */
const pathOf = (file) => fileURLToPath(new URL(file, import.meta.url));

/**
 * Attacks hosts, each in a separate process, and measures the blocks of their event loops.
 *
 * @param {(id: string) => boolean} isWanted
 * @returns {Promise<AttackRow[]>}
 */
export async function runAttacks(isWanted) {
  /** @type {AttackRow[]} */
  const rows = [];
  for (const attack of attacks.filter(({ id }) => isWanted(id))) {
    process.stderr.write(`${attack.title}\n`);
    rows.push(await runAttack(attack));
  }
  return rows;
}

/** @param {import('./attack.d.ts').Attack} attack @returns {Promise<AttackRow>} */
async function runAttack({ id, title, respond }) {
  const server = respond === undefined ? undefined : await startHttpServer(id);
  try {
    const measured = await watch(
      fork(pathOf('victim.mjs'), [id, ...(server === undefined ? [] : [server.url])], {
        execArgv: [`--max-old-space-size=${heapMegabytes}`],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
    );
    return { id, title, ...measured };
  } finally {
    server?.stop();
  }
}

/** @param {string} id */
async function startHttpServer(id) {
  const server = spawn(process.execPath, [pathOf('server.mjs'), id, 'http'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const [line] = await once(server.stdout, 'data');
  return { url: String(line).trim(), stop: () => server.kill('SIGKILL') };
}

/**
 * @param {import('node:child_process').ChildProcess} victim
 * @returns {Promise<Omit<AttackRow, 'id' | 'title'>>}
 */
function watch(victim) {
  /** @type {Omit<AttackRow, 'id' | 'title'> | undefined} */
  let measured;
  let lastSign = Number.NaN;
  let longestMs = 0;
  let isLate = false;
  const sign = () => {
    if (!Number.isNaN(lastSign)) longestMs = Math.max(longestMs, performance.now() - lastSign);
    lastSign = performance.now();
  };
  const deadline = setTimeout(() => {
    isLate = true;
    victim.kill('SIGKILL');
  }, deadlineMs);
  victim.on('message', (/** @type {any} */ message) => {
    sign();
    if (message.isAlive !== true) measured = message;
  });
  return new Promise((resolve) => {
    victim.on('exit', (code, signal) => {
      clearTimeout(deadline);
      sign();
      const outcome = isLate ? `no end after ${deadlineMs / 1000} s` : `crashed (${signal ?? `code ${code}`})`;
      resolve(
        measured ?? { blockMs: longestMs, waitedMs: longestMs, peakBytes: Number.NaN, outcome, isUnharmed: false },
      );
    });
  });
}
