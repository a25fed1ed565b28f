import { ConfigurationTarget, workspace } from 'vscode';
import { isRecord, type UnknownRecord } from '../../base/json.ts';
import { personalSetting } from './settings.ts';

/** The members of a setting of the person, unchecked; none where it is no object. @param name without `patchbay.`, as below */
export function settingMembers(name: string): UnknownRecord {
  const value = personalSetting(name);
  return isRecord(value) ? value : {};
}

/** The items of a setting of the person, unchecked; none where it is no list. */
export function settingItems(name: string): readonly unknown[] {
  const value = personalSetting(name);
  return Array.isArray(value) ? value : [];
}

/** Replaces a setting of the person as a whole: VS Code's API has no other way. */
export async function saveSetting(name: string, value: UnknownRecord | readonly unknown[]): Promise<void> {
  await workspace.getConfiguration('patchbay').update(name, value, ConfigurationTarget.Global);
}
