import { FileSystemError, type Uri, workspace } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';

/** No configuration is near this long; a larger file is some mistake, and would only cost memory. */
const sizeLimit = 4 * 1024 * 1024;

/**
 * Reads a text file, as it was last saved.
 * @returns `undefined` where there is none
 * @throws {PatchbayError} `configuration` for a file that is too large, or whatever the file system throws
 */
export async function readTextFile(uri: Uri): Promise<string | undefined> {
  try {
    const { size } = await workspace.fs.stat(uri);
    if (size > sizeLimit)
      throw new PatchbayError('configuration', `${uri.fsPath} is too large for a configuration (${size} bytes).`);
    return new TextDecoder().decode(await workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof FileSystemError && (error.code === 'FileNotFound' || error.code === 'FileNotADirectory'))
      return undefined;
    throw error;
  }
}
