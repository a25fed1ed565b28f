import { readdir, readFile, writeFile } from 'node:fs/promises';
import { globalAgent } from 'node:https';
import { join, resolve } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import { FileSystemError } from 'vscode';

interface Results {
  passed: number;
  failed: number;
  readonly failures: { readonly title: string; readonly message: string }[];
}

/** The bundle is dist/test/host.js. */
const repositoryRoot = resolve(__dirname, '..', '..');

/**
 * What VS Code calls to run the in-host tests: every `*.test.ts` of this folder.
 *
 * `PATCHBAY_RESULTS_FILE` says where the results go as JSON, `PATCHBAY_GREP` selects tests by name, `PATCHBAY_LEFT_OUT`
 * names files, without `.test.ts`, that do not run.
 *
 * @throws when a test failed, or a promise of Patchbay was rejected without a handler
 */
export async function run(): Promise<void> {
  const results: Results = { passed: 0, failed: 0, failures: [] };
  const recordRejection = (reason: unknown): void => {
    if (isOurs(reason)) recordFailure(results, 'unhandled rejection', reason);
  };
  process.on('unhandledRejection', recordRejection);
  try {
    await addSystemAuthority();
    await runMocha(await createMocha(), results);
  } catch (error) {
    recordFailure(results, 'the tests could not be loaded', error);
  }
  process.off('unhandledRejection', recordRejection);
  const resultsFile = process.env['PATCHBAY_RESULTS_FILE'];
  if (resultsFile !== undefined) await writeFile(resultsFile, JSON.stringify(results, undefined, 2));
  if (results.failed > 0) throw new Error(`${results.failed} in-host tests failed.`);
}

/**
 * VS Code 1.100 takes these for authorities of the system where it runs tests. Newer ones on Linux find them in the file that
 * `SSL_CERT_FILE` names.
 */
async function addSystemAuthority(): Promise<void> {
  const file = join(repositoryRoot, 'test', 'fixtures', 'certificates', 'systemAuthority.pem');
  Object.assign(globalAgent, { testCertificates: [await readFile(file, 'utf8')] });
}

/** Records failures that mocha does not report. */
function recordFailure(results: Results, title: string, reason: unknown): void {
  results.failed += 1;
  results.failures.push({ title, message: describeError(reason) });
  print(`${title}: ${describeError(reason)}`);
}

/** The window prints all that VS Code logs; the marker tells the tests' own lines apart. */
function print(...args: unknown[]): void {
  console.log((process.env['PATCHBAY_OUTPUT_MARKER'] ?? '') + format(...args));
}

async function createMocha(): Promise<Mocha> {
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 60_000,
    color: false,
    diff: false,
    forbidOnly: true,
    reporter: 'spec',
  });
  Mocha.reporters.Base.consoleLog = print;
  const grep = process.env['PATCHBAY_GREP'];
  if (grep !== undefined) mocha.grep(grep);
  await loadSuites(mocha);
  return mocha;
}

async function loadSuites(mocha: Mocha): Promise<void> {
  const files = await readdir(join(repositoryRoot, 'test', 'host'));
  const suites = files.filter((file) => file.endsWith('.test.ts')).toSorted();
  const left = process.env['PATCHBAY_LEFT_OUT']?.split(',') ?? [];
  for (const suite of suites) {
    const name = suite.slice(0, -'.test.ts'.length);
    if (left.includes(name)) continue;
    // Makes `describe` and `it` of this instance the ones that 'mocha' exports, as its own loader does.
    mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, suite, mocha);
    await import(`./${name}.test.ts`);
  }
}

function runMocha(mocha: Mocha, results: Results): Promise<void> {
  return new Promise((done) => {
    mocha
      .run(() => done())
      .on('pass', () => {
        results.passed += 1;
      })
      .on('fail', (test, error: unknown) => {
        results.failed += 1;
        results.failures.push({ title: test.fullTitle(), message: describeError(error) });
      });
  });
}

/**
 * VS Code rejects promises of its own too, such as cancelled work, and its preview of pictures leaves what a file system answers
 * unhandled: they do not count.
 */
function isOurs(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false;
  const frames = reason.stack?.split('\n') ?? [];
  const isOurFrame = (frame: string | undefined): boolean => frame?.includes(join(repositoryRoot, 'dist')) === true;
  return frames.some(isOurFrame) && (!(reason instanceof FileSystemError) || isOurFrame(frames.at(-1)));
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
