// @ts-check
import { interruptedBy } from './runCommand.mjs';
import { steps } from './steps.mjs';

/** @typedef {import('./results.mjs').Tally & { name: string, seconds: number }} Row */

/** How many quiet steps run in parallel. */
const lanes = 2;

/**
 * Runs steps and the steps they need, continues after a failure, and prints a summary; the last line is `N passed, N failed`.
 *
 * @param {readonly string[]} goals names of steps
 * @param {readonly string[]} args for the goal, where there is only one
 * @returns {Promise<number>} exit code
 */
export async function runSteps(goals, args) {
  /** @type {Row[]} */
  const rows = [];
  const names = withNeeds(goals);
  const quiet = names.filter((name) => steps[name]?.isQuiet);
  await Promise.all(Array.from({ length: lanes }, () => runLane(quiet, rows)));
  for (const name of names.filter((candidate) => !steps[candidate]?.isQuiet)) {
    if (interruptedBy() !== undefined) break;
    rows.push(await runStep(name, rows, goals.length === 1 && goals[0] === name ? args : []));
  }
  return report(rows);
}

/**
 * Takes steps from a queue shared with other lanes until it is empty.
 *
 * @param {string[]} queue
 * @param {Row[]} rows
 */
async function runLane(queue, rows) {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    rows.push(await runStep(name, rows, []));
  }
}

/**
 * @param {readonly string[]} goals
 * @returns {readonly string[]} each step once, after the steps it needs
 */
function withNeeds(goals) {
  return [...new Set(goals.flatMap((name) => [...withNeeds(steps[name]?.needs ?? []), name]))];
}

/**
 * @param {string} name
 * @param {readonly Row[]} rows of the steps before
 * @param {readonly string[]} args
 * @returns {Promise<Row>}
 */
async function runStep(name, rows, args) {
  const step = steps[name];
  if (step === undefined) throw new Error(`There is no step "${name}".`);
  const missing = step.needs?.find((need) => rows.some((row) => row.name === need && row.failed > 0));
  if (missing !== undefined) {
    console.error(`\n${name} cannot run, because ${missing} failed.`);
    return { name, passed: 0, failed: 1, seconds: 0 };
  }
  if (!step.isQuiet) console.log(`\n── ${name}`);
  const start = performance.now();
  const tally = await step.run(args);
  return { name, ...tally, seconds: (performance.now() - start) / 1_000 };
}

/**
 * @param {readonly Row[]} rows
 * @returns {number} exit code
 */
function report(rows) {
  const passed = rows.reduce((sum, row) => sum + row.passed, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  console.log();
  for (const row of rows) {
    const mark = row.failed > 0 ? '✗' : '✓';
    const counts = `${row.passed} passed, ${row.failed} failed`;
    console.log(`${mark} ${row.name.padEnd(12)} ${counts.padStart(24)} ${row.seconds.toFixed(1).padStart(8)} s`);
  }
  if (interruptedBy() !== undefined) console.log('Interrupted: not everything ran.');
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && interruptedBy() === undefined ? 0 : 1;
}
