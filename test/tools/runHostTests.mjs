#!/usr/bin/env node
// @ts-check
// Runs the in-host tests (dist/test/host.js) on the oldest and the newest VS Code, or on the versions given as
// arguments. Each run leaves host-VERSION.json in the results folder. Exits with 1 when anything failed.
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTests } from '@vscode/test-electron';
import { findDesktop } from './vscodeHost/desktop.mjs';
import { repositoryRoot, resultsFolder } from './vscodeHost/paths.mjs';
import { newestVersion, oldestVersion } from './vscodeHost/versions.mjs';

const serverExecutable = fileURLToPath(new URL('./vscodeHost/executable.mjs', import.meta.url));
const certificates = join(repositoryRoot, 'test', 'fixtures', 'certificates');
const workspaces = join(repositoryRoot, 'test', 'fixtures', 'workspaces');

/** @param {string} message */
function report(message) {
  console.log(`[host tests] ${message}`);
}

/** Tests of what servers do, which is the same in any VS Code: by default the newest runs them, `PATCHBAY_TEST_ALL=1` both. */
const aboutServers = 'realServers';

/**
 * @param {string} version
 * @returns {Promise<boolean>} whether all tests passed
 */
async function runOn(version) {
  const resultsFile = join(resultsFolder, `host-${version}.json`);
  await mkdir(resultsFolder, { recursive: true });
  await rm(resultsFile, { force: true });
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'patchbay-')));
  try {
    await cp(workspaces, join(folder, 'workspaces'), { recursive: true });
    report(`VS Code ${version}`);
    await runTests({
      vscodeExecutablePath: (await findDesktop(version, report)) ?? serverExecutable,
      extensionDevelopmentPath: repositoryRoot,
      extensionTestsPath: join(repositoryRoot, 'dist', 'test', 'host.js'),
      launchArgs: [
        join(folder, 'workspaces', 'host.code-workspace'),
        `--user-data-dir=${join(folder, 'user')}`,
        `--extensions-dir=${join(folder, 'extensions')}`,
      ],
      extensionTestsEnv: {
        PATCHBAY_VSCODE_VERSION: version,
        PATCHBAY_REPO: repositoryRoot,
        PATCHBAY_RESULTS_FILE: resultsFile,
        COPILOT_HOME: join(folder, 'copilot'),
        PATCHBAY_LEFT_OUT: version === oldestVersion && process.env['PATCHBAY_TEST_ALL'] !== '1' ? aboutServers : '',
        NODE_EXTRA_CA_CERTS: join(certificates, 'authority.pem'),
        SSL_CERT_FILE: join(certificates, 'systemAuthority.pem'),
      },
    });
  } catch (error) {
    await recordAbort(resultsFile, error);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  const { passed, failed } = JSON.parse(await readFile(resultsFile, 'utf8'));
  report(`VS Code ${version}: ${passed} passed, ${failed} failed`);
  return passed > 0 && failed === 0;
}

/**
 * A run that broke off before it wrote results, or after it wrote that all passed, is a failure too.
 * @param {string} resultsFile
 * @param {unknown} error
 */
async function recordAbort(resultsFile, error) {
  const message = error instanceof Error ? error.message : String(error);
  const written = await readFile(resultsFile, 'utf8').catch(() => undefined);
  const results = written === undefined ? { passed: 0, failed: 0, failures: [] } : JSON.parse(written);
  if (results.failed > 0) return;
  results.failed = 1;
  results.failures.push({ title: 'the run of the tests itself', message });
  await writeFile(resultsFile, JSON.stringify(results, undefined, 2));
}

const chosen = process.argv.slice(2);
const versions = chosen.length > 0 ? chosen : [oldestVersion, newestVersion];
// At the same time: each waits for its editor most of the time.
const succeeded = await Promise.all(versions.map(runOn));
process.exitCode = succeeded.every(Boolean) ? 0 : 1;
