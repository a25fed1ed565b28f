import { Uri } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';
import { changeFile, type ChangedFile, refuseLinks } from '../platform/changeFile.ts';
import { readTextFile } from '../platform/readTextFile.ts';
import { snapshotFolder, snapshotLimits } from '../../workshop/savedCalls/resultSnapshot.ts';

/** A snapshot has characters of up to four bytes. */
const maximumBytes = 4 * snapshotLimits.characters;

/** The snapshots beside a file of saved calls. @param folder the folder of the workspace */
export const snapshotFiles = {
  /** @throws an error where it cannot be read, or should not be. @returns `undefined` where there is none */
  async read(folder: string, path: string): Promise<string | undefined> {
    const file = fileOf(folder, path);
    await refuseLinks(file);
    return readTextFile(file.uri, maximumBytes);
  },
  /** @throws {PatchbayError} `configuration` where it cannot be written */
  async write(folder: string, path: string, text: string): Promise<void> {
    await changeFile(fileOf(folder, path), () => text);
  },
};

/** Only a file of the folder of snapshots itself, whatever gave the path. */
function fileOf(folder: string, path: string): ChangedFile {
  const name = path.slice(snapshotFolder.length + 1);
  if (!path.startsWith(`${snapshotFolder}/`) || !/^[\w-][\w.-]*\.json$/.test(name))
    throw new PatchbayError('configuration', `Snapshots are files of ${snapshotFolder}.`);
  const unlinked = path.split('/');
  return { uri: Uri.joinPath(Uri.file(folder), ...unlinked), title: path, maximumBytes, unlinked };
}
