import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Uri, window, workspace } from 'vscode';
import { findStackPlaces, type ShownPlace, type StackPlace } from '../../shared/stackPlaces.ts';
import { isInAny } from '../configuration/folderFiles.ts';
import { showPersonsFile } from '../platform/documents.ts';

/**
 * The places in a text of a server that lead to files of the workspace: only these are links. Nothing of a file is read.
 * @param text of a failure, as it is shown
 */
export function shownPlaces(text: string): readonly ShownPlace[] {
  const places = findStackPlaces(text);
  if (places.length === 0) return [];
  const folders = realFolders();
  return places.flatMap((place, index) => (fileOf(place, folders) === undefined ? [] : [{ index, text: place.text }]));
}

/** Opens a place that a page has shown as a link, once it is checked again. @param index see {@link ShownPlace} */
export async function openPlace(text: string, index: number): Promise<void> {
  const place = findStackPlaces(text)[index];
  const file = place && fileOf(place, realFolders());
  if (place === undefined || file === undefined) {
    void window.showInformationMessage('This file is no longer in a folder of this workspace.');
    return;
  }
  await showPersonsFile(Uri.file(file), (content) => ({ offset: offsetOf(content, place), length: 0 }));
}

function realFolders(): readonly string[] {
  const local = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return local.flatMap(({ uri }) => realPathOf(uri.fsPath) ?? []);
}

/** @returns the file itself, for a link too; `undefined` for what is not in a folder of the workspace, or no file */
function fileOf({ path }: StackPlace, folders: readonly string[]): string | undefined {
  const written = path.startsWith('file:') ? pathOf(path) : path;
  if (written === undefined || !isAbsolute(written) || written.includes('\0')) return undefined;
  // A path of the network could be asked for by its name alone.
  if (/^[\\/]{2}/.test(written)) return undefined;
  const real = realPathOf(written);
  return real !== undefined && isInAny(real, folders) && statSync(real).isFile() ? real : undefined;
}

function pathOf(address: string): string | undefined {
  try {
    return fileURLToPath(address);
  } catch {
    // It is of another machine, or not an address.
    return undefined;
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // It is not there.
    return undefined;
  }
}

function offsetOf(content: string, { line, column = 1 }: StackPlace): number {
  let offset = 0;
  for (let left = line - 1; left > 0; left -= 1) {
    const end = content.indexOf('\n', offset);
    if (end === -1) return offset;
    offset = end + 1;
  }
  const end = content.indexOf('\n', offset);
  return Math.min(offset + column - 1, end === -1 ? content.length : end);
}
