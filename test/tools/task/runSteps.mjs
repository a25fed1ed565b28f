// @ts-check
import { readSlowestFiles } from './results.mjs';
import { interruptedBy } from './runCommand.mjs';
import { steps } from './steps.mjs';

/** @typedef {import('./results.mjs').Tally & { name: string, seconds: number }} Row */

/** How many steps run in parallel, beside those that wait. */
const lanes = 2;

/**
 * Runs steps and the steps they need, continues after a failure, and prints a summary; the last line is `N passed, N failed`.
 *
 * @param {readonly string[]} goals names of steps
 * @param {readonly string[]} args for the goal, where there is only one
 * @returns {Promise<number>} exit code
 */
export async function runSteps(goals, args) {
  const started = performance.now();
  /** @type {Map<string, Promise<Row>>} */
  const running = new Map();
  const names = withNeeds(goals);
  const isAlone = goals.length === 1;
  const free = createLanes(lanes);

  /** @param {string} name */
  async function start(name) {
    const step = steps[name];
    if (step === undefined) throw new Error(`There is no step "${name}".`);
    const needed = await Promise.all((step.needs ?? []).map(async (need) => running.get(need)));
    await Promise.all((step.after ?? []).map(async (other) => running.get(other)));
    const ownArgs = goals.length === 1 && goals[0] === name ? args : [];
    const options = { args: ownArgs, collect: isAlone ? name !== goals[0] : name !== 'ui' };
    const run = () => runStep(name, needed.find((row) => row !== undefined && row.failed > 0)?.name, options);
    return step.isWaiting === true ? await run() : await free(run);
  }

  for (const name of names) running.set(name, start(name));
  const rows = await Promise.all(running.values());
  await report(rows, (performance.now() - started) / 1_000);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  return failed === 0 && interruptedBy() === undefined ? 0 : 1;
}

/**
 * @param {number} count
 * @returns {<T>(run: () => Promise<T>) => Promise<T>} runs a function as soon as fewer than that many run
 */
function createLanes(count) {
  let busy = 0;
  /** @type {(() => void)[]} */
  const waiting = [];
  return async (run) => {
    if (busy >= count) await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    else busy += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) busy -= 1;
      else next();
    }
  };
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
 * @param {string | undefined} missing a step it needs that has failed
 * @param {import('./steps.mjs').RunOptions} options
 * @returns {Promise<Row>}
 */
async function runStep(name, missing, options) {
  if (interruptedBy() !== undefined) return { name, passed: 0, failed: 0, seconds: 0 };
  if (missing !== undefined && name !== 'requirements') {
    console.error(`\n${name} cannot run, because ${missing} failed.`);
    return { name, passed: 0, failed: 1, seconds: 0 };
  }
  console.log(`\n── ${name}`);
  const start = performance.now();
  const tally = await /** @type {import('./steps.mjs').Step} */ (steps[name]).run(options);
  const seconds = (performance.now() - start) / 1_000;
  if (options.collect)
    console.log(`── ${name}: ${tally.passed} passed, ${tally.failed} failed, ${seconds.toFixed(1)} s`);
  return { name, ...tally, seconds };
}

/**
 * @param {readonly Row[]} rows
 * @param {number} seconds of all steps together
 */
async function report(rows, seconds) {
  const slowest = await readSlowestFiles(rows.map(({ name }) => name));
  if (slowest.length > 0) console.log('\nThe slowest files:');
  for (const file of slowest) console.log(`${file.seconds.toFixed(1).padStart(7)} s  ${file.path}`);
  console.log();
  for (const row of rows) {
    const mark = row.failed > 0 ? '✗' : '✓';
    const counts = `${row.passed} passed, ${row.failed} failed`;
    console.log(`${mark} ${row.name.padEnd(12)} ${counts.padStart(24)} ${row.seconds.toFixed(1).padStart(8)} s`);
  }
  if (rows.length > 1) console.log(`All together, in parallel: ${seconds.toFixed(1)} s`);
  if (interruptedBy() !== undefined) console.log('Interrupted: not everything ran.');
  const passed = rows.reduce((sum, row) => sum + row.passed, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
}
