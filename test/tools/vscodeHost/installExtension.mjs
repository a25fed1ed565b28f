// @ts-check
import { join } from 'node:path';
import { runCommand } from './runCommand.mjs';

/**
 * Installs a packaged extension for a VS Code server that is to be started later.
 * @param {import('./installServer.mjs').InstalledServer} installed
 * @param {string} vsix the path of the package
 * @param {string} folder the folder of that server
 * @param {string} extensionsDir where the extension goes
 * @returns {Promise<void>}
 * @throws when VS Code refuses the package; the message says why
 */
export async function installExtension(installed, vsix, folder, extensionsDir) {
  await runCommand(installed.node, [
    installed.main,
    '--accept-server-license-terms',
    `--server-data-dir=${join(folder, 'data')}`,
    `--extensions-dir=${extensionsDir}`,
    `--install-extension=${vsix}`,
    '--force',
  ]);
}
