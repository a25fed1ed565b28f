// @ts-check
import { join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { cacheFolder } from './paths.mjs';

/**
 * Downloads VS Code desktop into the cache if it can run here and is available.
 * `PATCHBAY_VSCODE=desktop` requires it, `PATCHBAY_VSCODE=server` never uses it.
 * @param {string} version
 * @param {(message: string) => void} report told why the server is taken instead
 * @returns {Promise<string | undefined>} the executable; nothing where the VS Code server has to do
 * @throws when desktop is required and cannot be downloaded
 */
export async function findDesktop(version, report) {
  const wanted = process.env['PATCHBAY_VSCODE'];
  if (wanted === 'server' || (wanted !== 'desktop' && !canShowWindows())) return undefined;
  try {
    return await downloadAndUnzipVSCode({ version, cachePath: join(cacheFolder, 'desktop') });
  } catch (error) {
    if (wanted === 'desktop' || process.platform === 'win32') throw error;
    const reason = error instanceof Error ? error.message : String(error);
    report(`VS Code desktop ${version} could not be downloaded (${reason}). The VS Code server takes its place.`);
    return undefined;
  }
}

/** Whether a window of VS Code desktop can open on this machine. */
function canShowWindows() {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}
