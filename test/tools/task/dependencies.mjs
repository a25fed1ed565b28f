// @ts-check
// Imports nothing but Node's own modules: it runs before anything is installed.
// Not `npm ci` alone, which would install everything again at each run.
import { readFile } from 'node:fs/promises';
import { runCommand } from './runCommand.mjs';

/**
 * Installs exactly what package-lock.json names by `npm ci`, unless it is there already.
 *
 * @returns {Promise<boolean>} whether everything is installed now; npm has printed why not
 */
export async function ensureDependencies() {
  if (await isInstalled()) return true;
  console.log('Installing dependencies …');
  const npm = process.env['npm_execpath'];
  const options = ['ci', '--no-audit', '--no-fund'];
  const { code } =
    npm === undefined ? await runCommand('npm', options) : await runCommand(process.execPath, [npm, ...options]);
  return code === 0;
}

/**
 * Compares versions, not file times: a checkout or a pull changes the times of files that are the same.
 */
async function isInstalled() {
  const wanted = await readPackages('package-lock.json');
  const installed = await readPackages('node_modules/.package-lock.json').catch(() => undefined);
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    if (path === '' || link) return true;
    const present = installed[path];
    return present === undefined ? optional === true : present.version === version;
  });
}

/**
 * @param {string} lockFile
 * @returns {Promise<Record<string, { version?: string, optional?: boolean, link?: boolean }>>}
 */
async function readPackages(lockFile) {
  return JSON.parse(await readFile(lockFile, 'utf8')).packages;
}
