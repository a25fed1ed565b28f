// @ts-check
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';
import { cacheFolder } from './paths.mjs';
import { runCommand } from './runCommand.mjs';
import { findRelease } from './versions.mjs';

/**
 * A VS Code server on this machine.
 * @typedef {object} InstalledServer
 * @property {string} version the VS Code version
 * @property {string} node the Node executable to run it with
 * @property {string} main its `server-main.js`
 */

/** @typedef {(message: string) => void} Report called with the progress, one sentence at a time */

// Scripts would compile native modules; nothing here needs those. `--force` keeps npm from silently taking an older
// version that fits the running Node.
const npmFlags = ['--ignore-scripts', '--force', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];

const fileLogger = fileURLToPath(new URL('./fileLogger.cjs', import.meta.url));
const nativeLogger = join('node_modules', '@vscode', 'spdlog', 'index.js');
const serverFolder = join('node_modules', 'code-server', 'lib', 'vscode');

/**
 * Installs a VS Code server, and the Node it wants, from the npm registry into the cache, unless they are there.
 * @param {string} version a VS Code version known in versions.mjs
 * @param {Report} report
 * @returns {Promise<InstalledServer>}
 * @throws when the platform cannot run it, or npm fails
 */
export async function installServer(version, report) {
  if (process.platform === 'win32') {
    throw new Error('The VS Code server does not run on Windows. Use VS Code desktop there: PATCHBAY_VSCODE=desktop.');
  }
  const release = findRelease(version);
  const folder = await installOnce(`vscode-server-${version}`, `VS Code ${version}`, report, async (partial) => {
    await npmInstall(partial, [`code-server@${release.codeServer}`]);
    await npmInstall(join(partial, serverFolder), ['--omit=dev']);
    await copyFile(fileLogger, join(partial, serverFolder, nativeLogger));
  });
  const node = await findNode(release.node, report);
  return { version, node, main: join(folder, serverFolder, 'out', 'server-main.js') };
}

/**
 * @param {string} version the exact version to install where the running Node has another major version
 * @param {Report} report
 * @returns {Promise<string>} the executable
 */
export async function findNode(version, report) {
  const [wanted] = version.split('.');
  const [running] = process.versions.node.split('.');
  if (wanted === running) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const folder = await installOnce(`node-${version}`, `Node ${version}`, report, async (partial) => {
    await npmInstall(partial, [`${name}@${version}`]);
  });
  return join(folder, 'node_modules', name, 'bin', 'node');
}

/**
 * Fills a folder of the cache. It gets its name only when everything is in it, so an interrupted run leaves nothing
 * half done behind, and a lock keeps two runs from doing the same work.
 * @param {string} name of the folder
 * @param {string} title what is installed, for people
 * @param {Report} report
 * @param {(partial: string) => Promise<void>} fill
 * @returns {Promise<string>} the folder
 */
async function installOnce(name, title, report, fill) {
  const folder = join(cacheFolder, name);
  if (existsSync(folder)) return folder;
  await withLock(`${folder}.lock`, report, async () => {
    if (existsSync(folder)) return;
    const partial = `${folder}.partial`;
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true });
    // Without its own manifest, npm would install into the surrounding project.
    await writeFile(join(partial, 'package.json'), '{ "private": true }\n');
    report(`Installing ${title} from the npm registry, once …`);
    try {
      await fill(partial);
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      throw new Error(
        `${title} could not be installed. npm has to reach its registry, and 1 GB must be free below ${cacheFolder}.`,
        { cause: error },
      );
    }
    await rename(partial, folder);
    report(`${title} is installed.`);
  });
  return folder;
}

/**
 * @param {string} folder
 * @param {readonly string[]} args
 */
async function npmInstall(folder, args) {
  await runCommand('npm', ['install', ...npmFlags, ...args], { cwd: folder });
}
