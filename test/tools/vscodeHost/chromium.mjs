// @ts-check
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { withLock } from './lock.mjs';
import { cacheFolder } from './paths.mjs';
import { runCommand } from './runCommand.mjs';

const namesOnPath = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];

const macApplications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/**
 * With it, Chromium begins to parse VS Code's 19 MB of JavaScript before it has looked for the compiled code that it has kept of them,
 * and then does not take that.
 */
const fetchBeforeCode = 'BackgroundResourceFetch';

/** What Playwright turns off by itself. Of two lists Chromium takes the last alone. */
const offInPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'BlockOriginHeaderModificationOnRedirect',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'Translate',
  'AutoDeElevate',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
];

/** Lets a headless Chromium run in a container, as root, and without network traffic of its own. */
export const chromiumArguments = [
  `--disable-features=${[fetchBeforeCode, ...offInPlaywright].join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Finds Chromium or Chrome, or installs it as root on Debian.
 * @param {(message: string) => void} report called with the progress
 * @returns {Promise<string>} the executable
 * @throws if there is none and it cannot be installed; the message says what to do
 */
export async function ensureChromium(report) {
  const found = findChromium();
  if (found !== undefined) return found;
  if (!isDebian() || process.getuid?.() !== 0) {
    throw new Error(
      'No Chromium or Google Chrome was found. Install one (on Debian: sudo apt-get install chromium), ' +
        'or set PATCHBAY_CHROMIUM to its executable.',
    );
  }
  return withLock(join(cacheFolder, 'chromium.lock'), report, async () => {
    const sinceInstalled = findChromium();
    if (sinceInstalled !== undefined) return sinceInstalled;
    report('Installing Chromium with apt-get, once …');
    await installFromDebian();
    const installed = findChromium();
    if (installed === undefined) throw new Error('apt-get installed chromium, but no chromium is on the PATH.');
    return installed;
  });
}

function findChromium() {
  const configured = process.env['PATCHBAY_CHROMIUM'];
  if (configured !== undefined && configured !== '') {
    if (!isExecutable(configured)) throw new Error(`PATCHBAY_CHROMIUM names ${configured}, which cannot be executed.`);
    return configured;
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = namesOnPath.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...(process.platform === 'darwin' ? macApplications : [])].find(isExecutable);
}

async function installFromDebian() {
  const install = ['install', '-y', '--no-install-recommends', 'chromium'];
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await runCommand('apt-get', install, { env });
  } catch {
    // The package lists are missing or outdated.
    await runCommand('apt-get', ['update'], { env });
    await runCommand('apt-get', install, { env });
  }
}

function isDebian() {
  try {
    return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
