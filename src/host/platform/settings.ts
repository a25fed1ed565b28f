import { workspace } from 'vscode';

/**
 * Reads a setting as the person set it, for all windows. A folder has no say in it, whatever the scope of the setting is.
 * @param name without `patchbay.`
 * @returns the value of the user settings, unchecked, or the default
 */
export function personalSetting(name: string): unknown {
  const inspected = inspect(name);
  return inspected?.globalValue ?? inspected?.defaultValue;
}

/**
 * Reads a setting as the open folder or workspace set it. It may restrict what the person set, and extend nothing.
 * @param name without `patchbay.`
 * @returns an unchecked value; `undefined` if the folder does not set it
 */
export function folderSetting(name: string): unknown {
  return inspect(name)?.workspaceValue;
}

/**
 * Reads a switch of the person that a folder may turn off. A folder that says `true` does not overrule a person who says
 * `false`, and anything but `true` is off.
 * @param name without `patchbay.`
 */
export function isSwitchedOn(name: string): boolean {
  const { defaultValue, globalValue, workspaceValue } = inspect(name) ?? {};
  const set = [globalValue, workspaceValue].filter((value) => value !== undefined);
  return (set.length === 0 ? [defaultValue] : set).every((value) => value === true);
}

function inspect(name: string) {
  return workspace.getConfiguration('patchbay').inspect<unknown>(name);
}
