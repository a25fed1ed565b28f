import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { BrowserContext } from 'playwright-core';
import { chromiumArguments, ensureChromium } from '../../tools/vscodeHost/chromium.mjs';
import { installExtension } from '../../tools/vscodeHost/installExtension.mjs';
import { installServer } from '../../tools/vscodeHost/installServer.mjs';
import type { InstalledServer } from '../../tools/vscodeHost/installServer.mjs';
import { repositoryRoot } from '../../tools/vscodeHost/paths.mjs';
import { startServer } from '../../tools/vscodeHost/startServer.mjs';
import type { RunningServer } from '../../tools/vscodeHost/startServer.mjs';
import { findRelease, newestVersion } from '../../tools/vscodeHost/versions.mjs';
import { workbenchAddress } from '../../tools/vscodeHost/workbenchAddress.mjs';
import { Companion } from './companion.ts';
import type { NeutralPaths } from './neutralPaths.ts';
import { type NewWorkspace, writeWorkspace } from './newWorkspace.ts';
import { PageErrors } from './pageErrors.ts';
import { driverTimeoutMs } from './timeouts.ts';
import type { ColorTheme } from './themes.ts';
import { themeName } from './themes.ts';
import { Workbench } from './workbench.ts';

// Not vscode-extension-tester, which drives VS Code desktop and needs a display.

/** How the extension under test is loaded. */
export type ExtensionSource =
  | { readonly kind: 'development'; readonly path?: string }
  | { readonly kind: 'vsix'; readonly path: string };

export interface OpenOptions {
  /** The VS Code version; the newest known one unless given. */
  readonly version?: string;
  /**
   * A folder or a `.code-workspace` file, absolute, which is copied (with the folder it is in), so tests may edit it; or a
   * folder that is made for this window.
   */
  readonly workspace: string | NewWorkspace;
  /** The repository itself, under development, unless given. */
  readonly extension?: ExtensionSource;
  /** Whether the companion extension is loaded: language models, unless they are left out, and a way to call Patchbay's API. */
  readonly companion?: boolean | { readonly models: false };
  /** Folders of further extensions, which are installed from copies. */
  readonly installed?: readonly string[];
  /** Whether VS Code asks to trust the workspace. Otherwise it is trusted. */
  readonly workspaceTrust?: boolean;
  readonly colorTheme?: ColorTheme;
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Added to the environment of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Turns off parts of VS Code that could cover what a test looks for. */
const quietSettings = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.reduceMotion': 'on',
  // The theme is the one of the test, not the one that the browser prefers.
  'window.autoDetectColorScheme': false,
  'chat.commandCenter.enabled': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  // An editor that is restored late takes the focus. That must not close the quick input that a test has just opened.
  'workbench.quickOpen.closeOnFocusLost': false,
};

/**
 * Opens a VS Code window in a headless Chromium, with its own server, profile and copy of the workspace.
 * @returns The window. Closing it ends everything and removes all files; so does the end of this process.
 * @throws When VS Code or Chromium cannot be installed or started; nothing is left running then.
 */
export async function openVSCode(options: OpenOptions): Promise<Workbench> {
  const executablePath = await ensureChromium(report);
  const installed = await installServer(options.version ?? newestVersion, report);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'patchbay-ui-')));
  try {
    const { server, ...prepared } = await start(installed, options, folder);
    try {
      return await openWindow(executablePath, join(folder, 'profile'), { server, ...prepared });
    } catch (error) {
      await server.stop();
      throw error;
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}

interface Started {
  readonly server: RunningServer;
  readonly logs: string;
  readonly address: string;
  readonly workspace: string;
  readonly companion: Companion | undefined;
  readonly neutralPaths: NeutralPaths;
}

async function start(installed: InstalledServer, options: OpenOptions, folder: string): Promise<Started> {
  const { version } = installed;
  const extension = options.extension ?? { kind: 'development' };
  const extensionsDir = join(folder, 'extensions');
  const userDataDir = join(folder, 'user');
  const workspace = await prepareWorkspace(options.workspace, join(folder, 'workspace'));
  await writeSettings(userDataDir, {
    ...quietSettings,
    'workbench.colorTheme': themeName(options.colorTheme ?? 'dark', version),
    ...options.settings,
  });
  // The page takes one extension under development only, so the companion is an installed one.
  const companion = await installCompanion(options, folder, extensionsDir);
  for (const path of options.installed ?? []) await cp(path, join(extensionsDir, basename(path)), { recursive: true });
  if (extension.kind === 'vsix') await installExtension(installed, extension.path, folder, extensionsDir);
  const server = await startServer(installed, {
    folder,
    userDataDir,
    extensionsDir,
    env: { PATCHBAY_REPO: repositoryRoot, ...companion?.env, ...options.env },
    workspaceTrust: options.workspaceTrust === true,
    smokeTestDriver: extension.kind === 'development' && findRelease(version).developsOnlyWithDriver,
  });
  const address = workbenchAddress(server.authority, {
    workspace,
    ...(extension.kind === 'development' ? { developmentPath: extension.path ?? repositoryRoot } : {}),
  });
  const logs = join(userDataDir, 'logs');
  return { server, logs, address, workspace, companion, neutralPaths: neutralPathsOf(installed, folder) };
}

async function installCompanion(
  { companion = false }: OpenOptions,
  folder: string,
  extensionsDir: string,
): Promise<Companion | undefined> {
  return companion === false ? undefined : Companion.install(folder, extensionsDir, companion === true);
}

/** Replacements as on the machine of a user. */
function neutralPathsOf({ node }: InstalledServer, folder: string): NeutralPaths {
  return [
    [node, '/usr/bin/node'],
    [repositoryRoot, '/home/ada/patchbay'],
    [join(folder, 'workspace'), '/home/ada'],
    [folder, '/home/ada/.vscode'],
    [homedir(), '/home/ada'],
  ];
}

async function openWindow(executablePath: string, profile: string, started: Started): Promise<Workbench> {
  const browser = await launchBrowser(executablePath, profile);
  try {
    const page = browser.pages()[0] ?? (await browser.newPage());
    browser.setDefaultTimeout(driverTimeoutMs);
    const errors = new PageErrors(page);
    report(`The window is at ${started.address}`);
    await page.goto(started.address);
    const workbench = new Workbench({ ...started, page, browser, errors });
    await workbench.waitUntilReady();
    return workbench;
  } catch (error) {
    await browser.close();
    throw error;
  }
}

function report(message: string): void {
  console.log(`[vscode] ${message}`);
}

async function prepareWorkspace(source: string | NewWorkspace, folder: string): Promise<string> {
  if (typeof source !== 'string') return writeWorkspace(source, folder);
  if (!source.endsWith('.code-workspace')) {
    const copy = join(folder, basename(source));
    await cp(source, copy, { recursive: true });
    return copy;
  }
  await cp(join(source, '..'), folder, { recursive: true });
  return join(folder, basename(source));
}

async function writeSettings(userDataDir: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  await mkdir(join(userDataDir, 'User'), { recursive: true });
  await writeFile(join(userDataDir, 'User', 'settings.json'), JSON.stringify(settings, undefined, 2));
}

async function launchBrowser(executablePath: string, profile: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath,
    headless: process.env['PATCHBAY_HEADED'] === undefined,
    args: chromiumArguments,
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    handleSIGINT: false,
    handleSIGTERM: false,
  });
}
