// @ts-check
// Unit and process tests in Node for Windows, under Wine. A real Windows shows more: see .github/workflows/test.yml.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cacheFolder, repositoryRoot } from '../vscodeHost/paths.mjs';
import { runCommand } from '../task/runCommand.mjs';
import wineCannotShow from './wineCannotShow.json' with { type: 'json' };

/** @typedef {import('../task/results.mjs').Tally} Tally */

/**
 * Failures that say nothing about Windows: `test` is a part of a test's name.
 *
 * @type {readonly { readonly file: string, readonly test: string, readonly why: string }[]}
 */
const exceptions = wineCannotShow;

const nodeVersion = '24.21.0';

/** Wine, Node and a copy of the project with the packages of Windows. */
const folder = process.env['PATCHBAY_WINE'] ?? join(cacheFolder, 'wine');
const project = join(folder, 'project');

/**
 * @param {{ args: readonly string[] }} options `args`: for vitest, such as a part of a file's path
 * @returns {Promise<Tally>} without the tests that Wine cannot show, which are listed
 */
export async function runWindowsTests({ args }) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return fail('It needs Debian, and root for a chroot.');
  const made = await runCommand('bash', ['test/tools/windows/setUp.sh', folder, nodeVersion]);
  if (made.code !== 0) return fail('Wine could not be set up.');
  await copyProject();
  if (!(await installPackages())) return fail('The packages of Windows could not be installed.');
  const tallies = [await runProject('unit', args), await runProject('process', args)];
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
  return passed + failed === 0 ? fail('No test ran.') : { passed, failed };
}

/**
 * @param {string} reason
 * @returns {Tally}
 */
function fail(reason) {
  console.error(`test:windows: ${reason}`);
  return { passed: 0, failed: 1 };
}

/** What git has and what is new, and the build; the packages stay. */
async function copyProject() {
  await mkdir(project, { recursive: true });
  const old = (await readdir(project)).filter((name) => name !== 'node_modules');
  await Promise.all(old.map((name) => rm(join(project, name), { recursive: true })));
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { encoding: 'utf8' });
  const files = listed.split('\0').filter(Boolean);
  for (const path of [...files, 'dist']) {
    const from = join(repositoryRoot, path);
    // A file that is deleted and not yet committed is listed too.
    await cp(from, join(project, path), { recursive: true, verbatimSymlinks: true }).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

async function installPackages() {
  const lock = await readFile('package-lock.json', 'utf8');
  const stamp = join(folder, 'packages.made');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === lock) return true;
  const options = ['--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { code } = await runCommand('npm', ['ci', '--prefix', project, ...options]);
  if (code === 0) await writeFile(stamp, lock);
  return code === 0;
}

/**
 * @param {string} name of the projects of test/vitest.config.mjs
 * @param {readonly string[]} args
 * @returns {Promise<Tally>}
 */
async function runProject(name, args) {
  const log = join(folder, `${name}.log`);
  const results = join(project, `${name}.json`);
  console.log(`${name} tests in Node ${nodeVersion} for Windows; the output is in ${log}`);
  const options = ['run', '--config=test/vitest.config.mjs', `--project=${name}*`, '--passWithNoTests'];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${basename(results)}`];
  const command = ['wine', '/node/bin/node.exe', 'node_modules/vitest/vitest.mjs', ...options, ...reporters, ...args];
  const { code } = await runCommand('bash', [
    'test/tools/windows/wine.sh',
    folder,
    nodeVersion,
    project,
    log,
    ...command,
  ]);
  const text = await readFile(results, 'utf8').catch(() => undefined);
  if (text === undefined) return fail(`The ${name} tests did not end: see ${log}.`);
  const found = JSON.parse(text);
  const tally = report(found, args.length === 0 ? name : undefined);
  // An error outside of all tests, which the results do not name.
  const isExplained = code === 0 || found.numFailedTests + found.numFailedTestSuites > 0;
  const hasOther = !isExplained || /^⎯+ Unhandled Errors ⎯+$/m.test(await readFile(log, 'utf8'));
  if (hasOther) console.error(`test:windows: an error outside of all tests: see ${log}.`);
  return { ...tally, failed: tally.failed + Number(hasOther) };
}

/**
 * What is read of the JSON report of vitest.
 * @typedef {{ fullName: string, status?: string, failureMessages: string[] }} TestResult
 * @typedef {{ name: string, message: string, status: string, assertionResults: TestResult[] }} FileResult
 * @typedef {{ numPassedTests: number, testResults: FileResult[] }} Results
 */

/**
 * Prints each failure, with the reason where it is one that Wine cannot show.
 *
 * @param {Results} results
 * @param {string | undefined} whole the name of the project, if all of its tests ran
 * @returns {Tally}
 */
function report(results, whole) {
  const used = new Set();
  let failed = 0;
  for (const { name, message, status, assertionResults } of results.testResults) {
    const file = name.replaceAll('\\', '/').replace(/^.*?\/(?=test\/)/, '');
    const failures = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && assertionResults.length === 0)
      failures.push({ fullName: '', failureMessages: [message] });
    for (const { fullName, failureMessages } of failures) {
      const known = exceptions.find((row) => row.file === file && fullName.includes(row.test));
      if (known === undefined) failed += 1;
      else used.add(known);
      const why = known?.why ?? String(failureMessages[0]).split('\n').slice(0, 3).join(' ');
      console.log(`${known === undefined ? '✗' : '– Wine cannot show:'} ${file}: ${fullName} (${why})`);
    }
  }
  const stale = exceptions.filter((row) => !used.has(row) && row.file.startsWith(`test/${whole}/`));
  for (const { file, test } of stale) console.log(`Passes, and can leave wineCannotShow.json: ${file}: ${test}`);
  return { passed: results.numPassedTests, failed };
}
