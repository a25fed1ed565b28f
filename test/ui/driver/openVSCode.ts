import { cp } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { repositoryRoot } from '../../tools/vscodeHost/paths.mjs';
import { workbenchAddress } from '../../tools/vscodeHost/workbenchAddress.mjs';
import { EditorServer, type ExtensionSource, type OpenOptions } from './editorServer.ts';
import type { NeutralPaths } from './neutralPaths.ts';
import { type NewWorkspace, writeWorkspace } from './newWorkspace.ts';
import { PageErrors } from './pageErrors.ts';
import { themeName } from './themes.ts';
import { Workbench } from './workbench.ts';

// Not vscode-extension-tester, which drives VS Code desktop and needs a display.

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
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'update.mode': 'none',
  'git.enabled': false,
  // Its notifications about ports of other tests close the notification centre when they go.
  'remote.autoForwardPorts': false,
  // An editor that is restored late takes the focus. That must not close the quick input that a test has just opened.
  'workbench.quickOpen.closeOnFocusLost': false,
};

/**
 * Opens a VS Code window in a headless Chromium, with its own profile and copy of the workspace. Files that run in one process share
 * the browser, and servers that were started alike: a window finds nothing of the one before.
 * @throws When VS Code or Chromium cannot be installed or started.
 */
export async function openVSCode(options: OpenOptions): Promise<Workbench> {
  const server = await EditorServer.take(options);
  try {
    const folder = await server.prepareWindow({
      ...quietSettings,
      'workbench.colorTheme': themeName(options.colorTheme ?? 'dark', server.installed.version),
      ...options.settings,
    });
    const workspace = await prepareWorkspace(options.workspace, folder);
    const address = addressOf(server, workspace, options.extension);
    const page = await server.openPage();
    const errors = new PageErrors(page);
    console.log(`[vscode] The window is at ${address}`);
    await page.goto(address);
    const neutralPaths = neutralPathsOf(server, folder);
    const workbench = new Workbench({ page, server, workspace, errors, neutralPaths });
    await workbench.waitUntilReady();
    return workbench;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function addressOf(
  { running }: EditorServer,
  workspace: string,
  extension: ExtensionSource = { kind: 'development' },
): string {
  return workbenchAddress(running.authority, {
    workspace,
    ...(extension.kind === 'development' ? { developmentPath: extension.path ?? repositoryRoot } : {}),
  });
}

/** Replacements as on the machine of a user. */
function neutralPathsOf({ installed, folder }: EditorServer, workspaces: string): NeutralPaths {
  return [
    [installed.node, '/usr/bin/node'],
    [repositoryRoot, '/home/ada/patchbay'],
    [workspaces, '/home/ada'],
    [folder, '/home/ada/.vscode'],
    [homedir(), '/home/ada'],
  ];
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
