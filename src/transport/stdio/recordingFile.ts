import { appendFile, constants, lstat, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { readOrdinaryFile } from './ordinaryFile.ts';

/** The file of a recording, for one process at a time. */
export interface RecordingFile {
  /** Replaces what is in it, or adds to it. */
  readonly write: (text: string, isStart: boolean) => Promise<void>;
  /** Another process may record to it. */
  readonly release: () => Promise<void>;
}

/**
 * Takes a file to record to. A lock file beside it names this process; one of a process that has ended counts for nothing.
 * @throws {PatchbayError} `configuration` where it is being written, or is not an ordinary file
 */
export async function takeRecordingFile(path: string): Promise<RecordingFile> {
  const name = basename(path);
  const kind = await lstat(path).catch(() => undefined);
  // A link of a folder could lead to any file of the person.
  if (kind?.isFile() === false)
    throw new PatchbayError('configuration', `${name} is a link or a folder. Choose another name for the recording.`);
  const lock = `${path}.lock`;
  if (!(await create(lock)) && !((await hasEnded(lock)) && (await rm(lock), await create(lock)))) {
    const what = `${name} is being written by another recording, perhaps of another window.`;
    throw new PatchbayError(
      'configuration',
      `${what} Stop that one or choose another name. If there is none, remove ${basename(lock)}.`,
    );
  }
  return {
    write: (text, isStart) => (isStart ? replace(path, text) : appendFile(path, text, { flag: addTo, mode: 0o600 })),
    release: () => rm(lock, { force: true }),
  };
}

/** Windows has no flag against links. */
const addTo = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/** A new file: what was linked there keeps its text, and what others could read is not written to. */
async function replace(path: string, text: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { flag: 'wx', mode: 0o600 });
}

/** @returns false where there is one */
async function create(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (isRecord(error) && error['code'] === 'EEXIST') return false;
    throw new PatchbayError('configuration', `A recording cannot be written there: ${basename(path)} cannot be made.`, {
      cause: error,
    });
  }
}

/** @returns true for the lock of a process that is no more */
async function hasEnded(lock: string): Promise<boolean> {
  const id = Number(await readOrdinaryFile(lock, 20).catch(() => ''));
  if (!Number.isSafeInteger(id) || id <= 0) return false;
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return isRecord(error) && error['code'] === 'ESRCH';
  }
}
