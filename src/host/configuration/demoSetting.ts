import { commands, ConfigurationTarget, window, workspace } from 'vscode';
import { demoSetting } from './demoServer.ts';
import { folderSetting, isSwitchedOn } from '../platform/settings.ts';

const { section, name: setting } = demoSetting;

/** Turns the demo server on in all windows. */
export async function addDemoServer(): Promise<void> {
  await workspace.getConfiguration(section).update(setting, true, ConfigurationTarget.Global);
}

/** Turns the demo server off in the user and workspace settings. */
export async function removeDemoServer(): Promise<void> {
  const configuration = workspace.getConfiguration(section);
  await configuration.update(setting, undefined, ConfigurationTarget.Global);
  if (folderSetting(setting) !== undefined)
    await configuration.update(setting, undefined, ConfigurationTarget.Workspace);
  if (!isSwitchedOn(setting)) return;
  const open = 'Open Settings';
  const chosen = await window.showInformationMessage(
    'A folder of this workspace asks for the demo server in its settings.',
    open,
  );
  if (chosen === open) await commands.executeCommand('workbench.action.openSettings', `${section}.${setting}`);
}
