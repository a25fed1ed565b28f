import { FileSystemError, FileType, type Uri, workspace } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';

/**
 * Reads a text file, as it was last saved. Devices, sockets and named pipes are never opened, also not through a symbolic
 * link: reading one may never end, or do something.
 * @returns `undefined` where there is none
 * @throws {PatchbayError} `messageTooLarge` for more than `maximumBytes`, `configuration` for anything but an ordinary
 *   file; or the error of the file system
 */
export async function readTextFile(
  uri: Uri,
  maximumBytes: number,
  decoder = new TextDecoder(),
): Promise<string | undefined> {
  try {
    const { size, type } = await workspace.fs.stat(uri);
    if ((type & FileType.File) === 0) throw new PatchbayError('configuration', 'it is not an ordinary file');
    rejectLarge(size, maximumBytes);
    // Files of the system that a link leads to say the same, and some of them never end.
    if (size === 0 && uri.scheme === 'file') return '';
    const bytes = await workspace.fs.readFile(uri);
    // It may have grown meanwhile.
    rejectLarge(bytes.length, maximumBytes);
    return decoder.decode(bytes);
  } catch (error) {
    if (error instanceof FileSystemError && (error.code === 'FileNotFound' || error.code === 'FileNotADirectory'))
      return undefined;
    throw error;
  }
}

function rejectLarge(size: number, maximumBytes: number): void {
  if (size <= maximumBytes) return;
  const [amount, unit] = maximumBytes < 1024 * 1024 ? [1024, 'KB'] : [1024 * 1024, 'MB'];
  throw new PatchbayError(
    'messageTooLarge',
    `it is larger than ${Math.max(0, Math.floor(maximumBytes / amount))} ${unit}`,
  );
}
