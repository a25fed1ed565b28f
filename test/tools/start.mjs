#!/usr/bin/env node
// @ts-check
// Opens a VS Code with Patchbay and a copy of the demo workspace: VS Code desktop where a window can open, otherwise a
// VS Code server whose address is printed as `Ready: URL`. Runs until it is interrupted and leaves nothing behind.
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findDesktop } from './vscodeHost/desktop.mjs';
import { installServer } from './vscodeHost/installServer.mjs';
import { untilStopped } from './vscodeHost/lifetime.mjs';
import { cacheFolder, repositoryRoot } from './vscodeHost/paths.mjs';
import { endProcessTree } from './vscodeHost/processTree.mjs';
import { startServer } from './vscodeHost/startServer.mjs';
import { newestVersion } from './vscodeHost/versions.mjs';
import { workbenchAddress } from './vscodeHost/workbenchAddress.mjs';

const userSettings = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'readme',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'git.openRepositoryInParentFolders': 'never',
};

/** What the demo workspace refers to. */
const demoEnvironment = { PATCHBAY_REPO: repositoryRoot };

/** @param {string} message */
function report(message) {
  console.log(message);
}

/**
 * @param {string} folder for this run alone
 * @returns {Promise<{ workspace: string, userDataDir: string, extensionsDir: string }>}
 */
async function prepare(folder) {
  const workspace = join(folder, 'demo');
  const userDataDir = join(folder, 'user');
  const extensionsDir = join(folder, 'extensions');
  await cp(join(repositoryRoot, 'test', 'fixtures', 'workspaces', 'demo'), workspace, { recursive: true });
  await mkdir(join(userDataDir, 'User'), { recursive: true });
  await writeFile(join(userDataDir, 'User', 'settings.json'), JSON.stringify(userSettings, undefined, 2));
  await mkdir(extensionsDir);
  return { workspace, userDataDir, extensionsDir };
}

/**
 * @param {string} executable
 * @param {string} folder
 */
async function openDesktop(executable, folder) {
  const { workspace, userDataDir, extensionsDir } = await prepare(folder);
  const child = spawn(
    executable,
    [
      workspace,
      `--extensionDevelopmentPath=${repositoryRoot}`,
      `--user-data-dir=${userDataDir}`,
      `--extensions-dir=${extensionsDir}`,
      '--disable-workspace-trust',
      '--skip-welcome',
      '--skip-release-notes',
    ],
    { env: { ...process.env, ...demoEnvironment }, stdio: 'ignore', detached: process.platform !== 'win32' },
  );
  /** @type {Promise<void>} */
  const closed = new Promise((resolve, reject) => child.on('error', reject).on('exit', () => resolve()));
  report('Ready: a window of VS Code opens. Close it, or press Ctrl+C here, to end.');
  await Promise.race([closed, untilStopped()]);
  if (process.platform === 'win32') child.kill();
  else if (child.pid !== undefined) await endProcessTree(child.pid, 5000);
}

/** @param {string} folder */
async function serve(folder) {
  const stopped = untilStopped();
  const installed = await installServer(newestVersion, report);
  const { workspace, userDataDir, extensionsDir } = await prepare(folder);
  // A link in place of a copy: after `npm run build`, reloading the page is enough to run what was built.
  await symlink(repositoryRoot, join(extensionsDir, 'patchbay.patchbay-0.0.0'), 'dir');
  const server = await startServer(installed, {
    folder,
    userDataDir,
    extensionsDir,
    port: Number(process.env['PATCHBAY_PORT'] ?? 0),
    env: demoEnvironment,
    defaultFolder: workspace,
  });
  try {
    const address = workbenchAddress(server.authority, { workspace });
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`VS Code answers ${answer.status} at ${address}.\n${server.recentOutput()}`);
    report(`Ready: ${address}`);
    report('Open the address in a browser on this machine. Press Ctrl+C here to end.');
    const died = server.ended.then(() => {
      throw new Error(`The VS Code server ended by itself. It printed:\n${server.recentOutput()}`);
    });
    await Promise.race([stopped, died]);
  } finally {
    await server.stop();
  }
}

try {
  await mkdir(cacheFolder, { recursive: true });
  const desktop = await findDesktop(newestVersion, report);
  const folder = await mkdtemp(join(cacheFolder, 'start-'));
  try {
    await (desktop === undefined ? serve(folder) : openDesktop(desktop, folder));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
