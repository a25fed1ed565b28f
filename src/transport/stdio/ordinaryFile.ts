import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { isRecord } from '../../base/json.ts';

/** Bytes that are asked for at once. */
const pieceBytes = 64 * 1024;

/** Why a file was not read: its kind, or that it has more bytes than are wanted. */
export type UnreadFile = 'missing' | 'notOrdinary' | 'tooLarge';

/**
 * Reads a file that anyone may have put there. Devices and pipes are not opened, as that may wait or do something. Some files of the system
 * say that they are empty, and never end: what is read is counted, whatever a file says of its size.
 * @throws the error of the file system, for a file that is there and cannot be read
 */
export async function readOrdinaryBytes(path: string, maximumBytes: number): Promise<Uint8Array | UnreadFile> {
  let file;
  try {
    if (!(await stat(path)).isFile()) return 'notOrdinary';
    // A pipe that has taken its place meanwhile is not waited for. Windows has no such flag.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = isRecord(error) ? error['code'] : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    throw error;
  }
  try {
    const found = await file.stat();
    if (!found.isFile()) return 'notOrdinary';
    if (found.size > maximumBytes) return 'tooLarge';
    const pieces: Uint8Array[] = [];
    let total = 0;
    for (;;) {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(pieceBytes) });
      if (bytesRead === 0) return Buffer.concat(pieces);
      total += bytesRead;
      if (total > maximumBytes) return 'tooLarge';
      pieces.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/**
 * Reads a text file of the person who runs the program, see {@link readOrdinaryBytes}.
 * @throws an error whose message continues the name of the file: `is larger than 1024 KB`
 */
export async function readOrdinaryFile(path: string, maximumBytes: number): Promise<string> {
  const read = await readOrdinaryBytes(path, maximumBytes).catch((cause: unknown) => {
    throw new Error('cannot be read', { cause });
  });
  switch (read) {
    case 'missing':
      throw new Error('does not exist');
    case 'notOrdinary':
      throw new Error('is not an ordinary file');
    case 'tooLarge':
      throw new Error(`is larger than ${Math.floor(maximumBytes / 1024)} KB`);
    default:
      return new TextDecoder().decode(read);
  }
}
