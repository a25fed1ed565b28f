#!/usr/bin/env node
// @ts-check
// Runs every npm script: node test/tools/task.mjs NAME [arguments for the tool behind it]
// Not npm-run-all or wireit: it installs the dependencies first, and adds up the results of all test programs.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDependencies } from './task/dependencies.mjs';
import { forwardSignals, interruptedBy, runCommand, runTool } from './task/runCommand.mjs';
import { runSteps } from './task/runSteps.mjs';

const checks = ['format', 'lint', 'types', 'dead code', 'unit'];

/** Tasks made of steps. They end with the numbers of passed and failed; the steps that a step needs run before it. */
const tested = {
  test: [...checks, 'package', 'process', 'conformance', 'host', 'ui', 'requirements'],
  check: checks,
  'test:unit': ['unit'],
  'test:process': ['process'],
  'test:conformance': ['conformance'],
  'test:host': ['host'],
  'test:ui': ['ui'],
  'test:windows': ['windows'],
  build: ['build'],
  'build:test': ['build:test'],
  package: ['package'],
};

/**
 * Tasks that are one program, which runs until it ends or is interrupted.
 *
 * @type {Readonly<Record<string, (args: readonly string[]) => Promise<{ code: number }>>>}
 */
const programs = {
  start: runStart,
  bench: runBench,
  fuzz: (args) => runBuilt('dist/test/fuzz.mjs', args),
  watch: () => runCommand(process.execPath, ['esbuild.mjs', '--watch']),
  format: (args) => runTool('oxfmt', args),
};

/** @param {readonly string[]} args */
async function runStart(args) {
  const built = await runCommand(process.execPath, ['esbuild.mjs', '--production']);
  return built.code === 0 ? await runCommand(process.execPath, ['test/tools/start.mjs', ...args]) : built;
}

/** @param {readonly string[]} args */
async function runBench(args) {
  // Steps are counted in the window: by a test, which holds each task against what it may take.
  if (args[0] === 'steps') return { code: await runOnly(['ui/steps', ...args.slice(1)]) };
  return await runBuilt('test/bench/main.mjs', args);
}

/**
 * Builds the extension and the test bundles, then runs a program of the tests.
 *
 * @param {string} script
 * @param {readonly string[]} args
 */
async function runBuilt(script, args) {
  for (const options of ['--production', '--test']) {
    const built = await runCommand(process.execPath, ['esbuild.mjs', options]);
    if (built.code !== 0) return built;
  }
  return await runCommand(process.execPath, [script, ...args]);
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @returns {Promise<number>} exit code
 */
async function runTask(name, args) {
  if (!(await ensureDependencies())) return 1;
  const program = programs[name];
  if (program !== undefined) return (await program(args)).code;
  if (name === 'test' && args[0] === '--only') return await runOnly(args.slice(1));
  return await runSteps(tested[/** @type {keyof typeof tested} */ (name)], args);
}

/** The layers of test/, by the folder, with the step that runs them. */
const layers = { unit: 'unit', process: 'process', conformance: 'conformance', host: 'host', webview: 'ui', ui: 'ui' };

/**
 * Runs some test files, and what they need.
 *
 * @param {readonly string[]} args a path such as `ui/trust`, then options for the tool behind it
 * @returns {Promise<number>} exit code
 */
async function runOnly([path = '', ...options]) {
  const layer = path.replace(/^test\//, '').split('/')[0] ?? '';
  if (!Object.hasOwn(layers, layer)) {
    console.error(`--only needs a path such as ui/trust, in one of: ${Object.keys(layers).join(', ')}.`);
    return 1;
  }
  const filter = layer === 'host' ? [] : [join('test', path.replace(/^test\//, ''))];
  return await runSteps([layers[/** @type {keyof typeof layers} */ (layer)]], [...filter, ...options]);
}

const [name = '', ...args] = process.argv.slice(2);
process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..', '..'));
if (Object.hasOwn(tested, name) || Object.hasOwn(programs, name)) {
  forwardSignals();
  const code = await runTask(name, args);
  process.exitCode = interruptedBy() === undefined || code === 0 ? code : 130;
} else {
  console.error(
    `There is no task "${name}". The tasks are: ${[...Object.keys(programs), ...Object.keys(tested)].join(', ')}.`,
  );
  process.exitCode = 1;
}
