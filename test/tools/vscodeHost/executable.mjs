#!/usr/bin/env node
// @ts-check
// Takes the place of VS Code's executable in `runTests` of @vscode/test-electron: understands its flags, runs the
// extension tests in a VS Code server whose window is a headless Chromium, and exits with the tests' exit code.
// @vscode/test-electron alone needs a display, and @vscode/test-web has no extension host in Node.
// PATCHBAY_VSCODE_VERSION says which VS Code. The window's own log is kept in the cache folder.
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { format } from 'node:util';
import { chromium } from 'playwright-core';
import { chromiumArguments, ensureChromium } from './chromium.mjs';
import { parseCommandLine } from './commandLine.mjs';
import { installServer } from './installServer.mjs';
import { untilStopped } from './lifetime.mjs';
import { cacheFolder } from './paths.mjs';
import { startServer } from './startServer.mjs';
import { newestVersion } from './versions.mjs';
import { workbenchAddress } from './workbenchAddress.mjs';

const runTimeoutMs = 15 * 60_000;

// The window prints everything VS Code logs. Tests put this before what they print themselves.
const outputMarker = '[patchbay-tests] ';

/** @param {string} message */
function report(message) {
  console.log(`[vscode] ${message}`);
}

async function main() {
  const commandLine = parseCommandLine(process.argv.slice(2));
  const executablePath = await ensureChromium(report);
  const version = process.env['PATCHBAY_VSCODE_VERSION'] ?? newestVersion;
  const installed = await installServer(version, report);
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-host-'));
  const server = await startServer(installed, {
    folder,
    ...(commandLine.userDataDir === undefined ? {} : { userDataDir: resolve(commandLine.userDataDir) }),
    ...(commandLine.extensionsDir === undefined ? {} : { extensionsDir: resolve(commandLine.extensionsDir) }),
    env: { PATCHBAY_OUTPUT_MARKER: outputMarker },
    workspaceTrust: commandLine.workspaceTrust,
    smokeTestDriver: true,
  });
  const log = await createLog(version);
  try {
    const code = await runInBrowser({ executablePath, profile: join(folder, 'profile'), commandLine, server, log });
    if (code !== 0) report(`VS Code logged this run in ${String(log.path)}`);
    return code;
  } finally {
    await server.stop();
    log.end();
  }
}

/** @param {string} version */
async function createLog(version) {
  const folder = join(cacheFolder, 'logs');
  await mkdir(folder, { recursive: true });
  return createWriteStream(join(folder, `host-${version}.log`));
}

/**
 * @param {object} run
 * @param {string} run.executablePath of Chromium
 * @param {string} run.profile of Chromium
 * @param {import('./commandLine.mjs').CommandLine} run.commandLine
 * @param {import('./startServer.mjs').RunningServer} run.server
 * @param {import('node:fs').WriteStream} run.log what VS Code logs
 * @returns {Promise<number>} the exit code of the tests
 */
async function runInBrowser({ executablePath, profile, commandLine, server, log }) {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: chromiumArguments,
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  try {
    const [page = await context.newPage()] = context.pages();
    await page.exposeFunction('codeAutomationLog', (/** @type {string} */ _type, /** @type {unknown[]} */ args) => {
      const text = format(...args);
      if (text.startsWith(outputMarker)) console.log(text.slice(outputMarker.length));
      else log.write(`${text}\n`);
    });
    /** @type {Promise<number>} */
    const testsEnded = new Promise((settle) => void page.exposeFunction('codeAutomationExit', settle));
    await page.goto(workbenchAddress(server.authority, { ...commandLine, workspace: resolve(commandLine.workspace) }));
    return await Promise.race([testsEnded, ...failures(page, server)]);
  } finally {
    await context.close();
  }
}

/**
 * What ends a run early. Each promise only ever rejects.
 * @param {import('playwright-core').Page} page
 * @param {import('./startServer.mjs').RunningServer} server
 * @returns {Promise<never>[]}
 */
function failures(page, server) {
  return [
    server.ended.then(() => {
      throw new Error(`The VS Code server ended during the tests. It printed:\n${server.recentOutput()}`);
    }),
    new Promise((_, reject) => page.on('crash', () => reject(new Error('The page of VS Code crashed.')))),
    new Promise((_, reject) => {
      const fail = () => reject(new Error(`The tests did not end within ${runTimeoutMs / 60_000} minutes.`));
      setTimeout(fail, runTimeoutMs).unref();
    }),
    untilStopped().then((reason) => {
      throw new Error(`Stopped before the tests ended: ${reason}.`);
    }),
  ];
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
