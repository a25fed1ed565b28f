// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const costs = /** @type {const} */ (['traffic', 'recording', 'recording-secret']);

/** @typedef {(typeof costs)[number]} Cost */

/**
 * @typedef {object} CostRow
 * @property {string} title
 * @property {readonly number[]} off milliseconds, of CPU time or until the calls were answered, without it
 * @property {readonly number[]} on the same in turns, with it
 */

/** Each in a process of its own. @param {readonly Cost[]} wanted @returns {Promise<readonly CostRow[]>} */
export async function measureCosts(wanted) {
  /** @type {CostRow[]} */
  const rows = [];
  for (const cost of wanted) {
    const worker = fork(fileURLToPath(new URL('costs.mjs', import.meta.url)), [cost]);
    /** @type {any} */
    const [measured] = await Promise.race([once(worker, 'message'), once(worker, 'exit')]);
    if (!Array.isArray(measured)) throw new Error(`The measure of ${cost} ended early: ${measured}.`);
    rows.push(...measured);
  }
  return rows;
}
