// @ts-check
import { join } from 'node:path';
import { resultsFolder } from '../vscodeHost/paths.mjs';
import { checkPackage, listPackagedFiles, packageFile } from './checkPackage.mjs';
import { printFaults } from './faultTable.mjs';
import { printMatrix } from './matrixTable.mjs';
import { checkRequirements } from './requirements.mjs';
import { clearResults, tallyExitCode, tallyResults } from './results.mjs';
import { runCommand, runTool } from './runCommand.mjs';

/** @typedef {import('./results.mjs').Tally} Tally */

/**
 * @typedef {object} Step
 * @property {readonly string[]} [needs] steps that must pass before
 * @property {boolean} [isQuiet] prints nothing until it ends, so it may run beside others
 * @property {(args: readonly string[]) => Promise<Tally>} run `args` are the user's, for the step a task is about
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
  build: { run: () => runNode('esbuild.mjs', '--production') },
  'build:test': { run: () => runNode('esbuild.mjs', '--test') },
  package: { needs: ['build'], run: makePackage },
  unit: { run: vitest('unit', ['unit']) },
  process: { needs: ['build'], run: runProcessTests },
  conformance: { needs: ['build', 'build:test'], run: vitest('conformance', ['conformance']) },
  host: { needs: ['build', 'build:test'], run: runHostTests },
  ui: { needs: ['package', 'build:test'], run: vitest('ui', ['webview', 'ui']) },
  requirements: { run: checkRequirements },
};

/**
 * @param {string} packageName
 * @param {readonly string[]} options
 * @param {string} [program]
 * @returns {Step}
 */
function staticCheck(packageName, options, program = packageName) {
  return {
    isQuiet: true,
    async run() {
      const ended = await runTool(packageName, options, { collect: true, program });
      if (ended.code !== 0) console.log(`\n${packageName}:\n${ended.output.trim()}`);
      return tallyExitCode(ended);
    },
  };
}

/**
 * @param {string} layer names the file of results
 * @param {readonly string[]} projects of test/vitest.config.mjs
 * @returns {Step['run']}
 */
function vitest(layer, projects) {
  return async (args) => {
    const results = new RegExp(`^${layer}\\.json$`);
    await clearResults(results);
    const ended = await runTool('vitest', [
      'run',
      '--config=test/vitest.config.mjs',
      ...projects.map((project) => `--project=${project}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${join(resultsFolder, `${layer}.json`)}`,
      ...args,
    ]);
    return await tallyResults(results, ended);
  };
}

/** @type {Step['run']} */
async function runProcessTests(args) {
  const tally = await vitest('process', ['process', 'fetch'])(args);
  await printMatrix();
  await printFaults();
  return tally;
}

/** @type {Step['run']} */
async function runHostTests(args) {
  const results = /^host-.*\.json$/;
  await clearResults(results);
  const ended = await runCommand(process.execPath, ['test/tools/runHostTests.mjs', ...args]);
  return await tallyResults(results, ended);
}

/** @type {Step['run']} */
async function makePackage() {
  const options = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
  // In parallel, as each reads the whole folder.
  const [ended, files] = await Promise.all([
    runTool('@vscode/vsce', ['package', ...options, '--out', packageFile], { program: 'vsce' }),
    listPackagedFiles(),
  ]);
  if (ended.code !== 0) return tallyExitCode(ended);
  const problems = await checkPackage(files);
  for (const problem of problems) console.error(problem);
  return tallyExitCode({ code: problems.length });
}

/** @param {readonly string[]} command */
async function runNode(...command) {
  return tallyExitCode(await runCommand(process.execPath, command));
}
