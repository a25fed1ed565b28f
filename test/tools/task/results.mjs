// @ts-check
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { repositoryRoot, resultsFolder } from '../vscodeHost/paths.mjs';

/**
 * @typedef {object} Tally
 * @property {number} passed
 * @property {number} failed
 */

/**
 * The result of a step that passes or fails as a whole, such as lint.
 *
 * @param {{ code: number }} ended
 * @returns {Tally}
 */
export function tallyExitCode({ code }) {
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/**
 * Removes the results of an earlier run, so that an interrupted run does not look successful.
 *
 * @param {RegExp} names of result files
 */
export async function clearResults(names) {
  await Promise.all((await findResults(names)).map((file) => rm(file, { force: true })));
}

/**
 * Adds up result files. A layer that ran no test, or ended badly with no test failed, has failed.
 *
 * @param {RegExp} names of result files
 * @param {{ code: number }} ended how the run that wrote them ended
 * @returns {Promise<Tally>}
 */
export async function tallyResults(names, ended) {
  const files = await findResults(names);
  const tallies = await Promise.all(files.map(async (file) => readTally(JSON.parse(await readFile(file, 'utf8')))));
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
  const isBroken = failed === 0 && (passed === 0 || ended.code !== 0);
  return { passed, failed: isBroken ? 1 : failed };
}

/**
 * Single tests, of the layers that vitest runs.
 *
 * @param {RegExp} names of result files
 * @returns {Promise<readonly { title: string, ancestors: readonly string[], passed: boolean }[]>}
 */
export async function readTests(names) {
  const files = await findResults(names);
  const results = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
  return results.flatMap(({ testResults }) =>
    testResults.flatMap((/** @type {any} */ { assertionResults }) =>
      assertionResults.map((/** @type {any} */ { title, ancestorTitles, status }) => ({
        title,
        ancestors: ancestorTitles,
        passed: status === 'passed',
      })),
    ),
  );
}

/**
 * The files whose tests took longest, of the layers that vitest runs.
 *
 * @param {readonly string[]} layers
 * @returns {Promise<readonly { path: string, seconds: number }[]>} ten at most
 */
export async function readSlowestFiles(layers) {
  const files = await findResults(/^(unit|process|conformance|ui)\.json$/);
  const wanted = files.filter((file) => layers.some((layer) => file.endsWith(join(resultsFolder, `${layer}.json`))));
  const results = await Promise.all(wanted.map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
  /** @type {readonly { path: string, seconds: number }[]} */
  const all = results.flatMap(({ testResults }) =>
    testResults.map((/** @type {any} */ { name, startTime, endTime }) => ({
      path: relative(repositoryRoot, name),
      seconds: (endTime - startTime) / 1_000,
    })),
  );
  return all.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10);
}

/** @param {RegExp} names */
async function findResults(names) {
  // The folder is made by the first run.
  const files = await readdir(resultsFolder).catch(() => []);
  return files.filter((file) => names.test(file)).map((file) => join(resultsFolder, file));
}

/**
 * @param {any} results as vitest's JSON reporter or the in-host runner writes them
 * @returns {Tally}
 */
function readTally(results) {
  if (results.testResults === undefined) return { passed: results.passed, failed: results.failed };
  // A file that cannot be loaded has no tests: it counts as one failed test.
  const unloaded = results.testResults.filter(
    (/** @type {any} */ file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return { passed: results.numPassedTests, failed: results.numFailedTests + unloaded.length };
}
