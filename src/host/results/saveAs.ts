import { homedir } from 'node:os';
import { Uri, window, workspace } from 'vscode';
import { escapeIcons, singleLine } from '../displayText.ts';

/**
 * Asks where to save a file, and saves it there.
 * @param name of the file, as the dialog suggests it
 * @param load called once a place was chosen
 * @returns the place; `undefined` where none was chosen
 */
export async function saveAs(name: string, load: () => Uint8Array | Promise<Uint8Array>): Promise<Uri | undefined> {
  const folder = workspace.workspaceFolders?.[0]?.uri ?? Uri.file(homedir());
  const target = await window.showSaveDialog({ defaultUri: Uri.joinPath(folder, name), saveLabel: 'Save' });
  if (target === undefined) return undefined;
  await workspace.fs.writeFile(target, await load());
  window.setStatusBarMessage(`$(check) Saved ${escapeIcons(singleLine(name, 60))}`, 5_000);
  return target;
}
