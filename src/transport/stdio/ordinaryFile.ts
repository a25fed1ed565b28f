import { readFile, stat } from 'node:fs/promises';
import { isRecord } from '../../base/json.ts';

/**
 * Reads a text file of the person who runs the program. Devices and pipes are not opened, because reading one may never end.
 * @throws an error whose message continues the name of the file: `is larger than 1024 KB`
 */
export async function readOrdinaryFile(path: string, maximumBytes: number): Promise<string> {
  let found;
  try {
    found = await stat(path);
  } catch (error) {
    const isMissing = isRecord(error) && (error['code'] === 'ENOENT' || error['code'] === 'ENOTDIR');
    throw new Error(isMissing ? 'does not exist' : 'cannot be read', { cause: error });
  }
  if (!found.isFile()) throw new Error('is not an ordinary file');
  const bytes = found.size > maximumBytes ? undefined : await readFile(path);
  // It may have grown meanwhile.
  if (bytes === undefined || bytes.length > maximumBytes)
    throw new Error(`is larger than ${Math.floor(maximumBytes / 1024)} KB`);
  return new TextDecoder().decode(bytes);
}
