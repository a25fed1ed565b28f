// @ts-check
import { join } from 'node:path';
import { resultsFolder } from '../vscodeHost/paths.mjs';
import { checkPackage, listPackagedFiles, packageFile } from './checkPackage.mjs';
import { printFaults } from './faultTable.mjs';
import { printMatrix } from './matrixTable.mjs';
import { checkRequirements } from './requirements.mjs';
import { clearResults, tallyExitCode, tallyResults } from './results.mjs';
import { runCommand, runTool } from './runCommand.mjs';
import { runWindowsTests } from '../windows/windowsTests.mjs';

/** @typedef {import('./results.mjs').Tally} Tally */

/**
 * @typedef {object} RunOptions
 * @property {readonly string[]} args of the person, for the step that a task is about
 * @property {boolean} collect keeps the output of programs and prints it when they have ended, as another step prints meanwhile
 *
 * @typedef {object} Step
 * @property {readonly string[]} [needs] steps that must pass before
 * @property {readonly string[]} [after] steps that it starts after, whether they passed or not: two that work all the time are slower
 *   side by side, and the official suite counts seconds
 * @property {boolean} [isWaiting] runs beside all other steps: it waits for the network, or for its windows, half of the time
 * @property {(options: RunOptions) => Promise<Tally>} run
 */

/**
 * The steps of all tasks.
 *
 * @type {Readonly<Record<string, Step>>}
 */
export const steps = {
  format: staticCheck('oxfmt', ['--check']),
  lint: staticCheck('oxlint', []),
  types: staticCheck('typescript', ['--noEmit', '--pretty'], 'tsc'),
  'dead code': staticCheck('knip', []),
  build: { run: (options) => runNode(options, 'esbuild.mjs', '--production') },
  'build:test': { run: (options) => runNode(options, 'esbuild.mjs', '--test') },
  package: { needs: ['build'], run: makePackage },
  editors: { isWaiting: true, run: (options) => runNode(options, 'test/tools/installEditors.mjs') },
  unit: { run: vitest('unit') },
  process: { needs: ['build'], after: ['conformance'], run: runProcessTests },
  conformance: { needs: ['build', 'build:test'], isWaiting: true, run: vitest('conformance') },
  host: { needs: ['build', 'build:test', 'editors'], after: ['process'], run: runHostTests },
  ui: { needs: ['package', 'build:test', 'editors'], after: ['conformance'], isWaiting: true, run: vitest('ui') },
  windows: { needs: ['build'], run: runWindowsTests },
  requirements: { needs: ['unit', 'process', 'conformance', 'ui'], run: checkRequirements },
};

/**
 * @param {string} packageName
 * @param {readonly string[]} options
 * @param {string} [program]
 * @returns {Step}
 */
function staticCheck(packageName, options, program = packageName) {
  return {
    async run() {
      const ended = await runTool(packageName, options, { collect: true, program });
      if (ended.code !== 0) console.log(`\n${packageName}:\n${ended.output.trim()}`);
      return tallyExitCode(ended);
    },
  };
}

/**
 * @param {string} layer names the file of results, and the projects of test/vitest.config.mjs
 * @returns {Step['run']}
 */
function vitest(layer) {
  return async ({ args, collect }) => {
    const results = new RegExp(`^${layer}\\.json$`);
    await clearResults(results);
    const options = [
      'run',
      '--config=test/vitest.config.mjs',
      `--project=${layer}*`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${join(resultsFolder, `${layer}.json`)}`,
    ];
    const ended = await runTool('vitest', [...options, ...args], { collect });
    process.stdout.write(ended.output);
    return await tallyResults(results, ended);
  };
}

/** @type {Step['run']} */
async function runProcessTests(options) {
  const tally = await vitest('process')(options);
  await printMatrix();
  await printFaults();
  return tally;
}

/** @type {Step['run']} */
async function runHostTests({ args, collect }) {
  const results = /^host-.*\.json$/;
  await clearResults(results);
  const ended = await runCommand(process.execPath, ['test/tools/runHostTests.mjs', ...args], { collect });
  process.stdout.write(ended.output);
  return await tallyResults(results, ended);
}

/** @type {Step['run']} */
async function makePackage({ collect }) {
  const options = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
  // In parallel, as each reads the whole folder.
  const [ended, files] = await Promise.all([
    runTool('@vscode/vsce', ['package', ...options, '--out', packageFile], { program: 'vsce', collect }),
    listPackagedFiles(),
  ]);
  process.stdout.write(ended.output);
  if (ended.code !== 0) return tallyExitCode(ended);
  const problems = await checkPackage(files);
  for (const problem of problems) console.error(problem);
  return tallyExitCode({ code: problems.length });
}

/**
 * @param {RunOptions} options
 * @param {readonly string[]} command
 */
async function runNode({ collect }, ...command) {
  const ended = await runCommand(process.execPath, command, { collect });
  process.stdout.write(ended.output);
  return tallyExitCode(ended);
}
