import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../base/digest.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord, type UnknownRecord } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { readPlainFile, removeFile, replaceFile, statIfThere, whileHeld } from './plainFiles.ts';

export type KeptFiles = ReturnType<typeof createKeptFiles>;

/**
 * Keeps JSON objects over reloads of the window: each under a key, in a file of a folder that is made with the first. Windows may
 * share the folder. Nothing here fails: what cannot be kept or read is logged.
 * @param maximum `files`: those written longest ago go first; `bytes`: of a file, which is neither written nor read beyond
 */
export function createKeptFiles(folder: string, maximum: Readonly<Record<'files' | 'bytes', number>>, logger: Logger) {
  /** Everything that changes the folder, one after the other. */
  let work = Promise.resolve();
  const pathOf = async (key: string): Promise<string> => join(folder, `${(await sha256(key)).slice(0, 32)}.json`);

  function enqueue(step: () => Promise<void>): Promise<void> {
    work = work
      .then(step)
      .catch((error: unknown) => logger.warn(() => `Not all could be kept in ${folder}: ${messageOf(error)}`));
    return work;
  }

  return {
    /** @returns the object with its key, its members unchecked */
    async read(key: string): Promise<UnknownRecord | undefined> {
      await work;
      try {
        const value: unknown = JSON.parse((await readPlainFile(await pathOf(key), maximum.bytes)) ?? 'null');
        return isRecord(value) && value['key'] === key ? value : undefined;
      } catch (error) {
        logger.warn(() => `What was kept in ${folder} cannot be read: ${messageOf(error)}`);
        return undefined;
      }
    },
    /** Resolves when it is stored. @param make called when it is its turn; `undefined` removes what is kept */
    write: (key: string, make: () => Promise<object | undefined>) =>
      enqueue(async () => {
        const path = await pathOf(key);
        const value = await make();
        if (value === undefined) return removeFile(path);
        const text = JSON.stringify({ key, ...value });
        if (Buffer.byteLength(text) > maximum.bytes) {
          // What was kept before is out of date.
          await rm(path, { force: true });
          throw new Error('It is too large.');
        }
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // Another window may be writing the same file.
        const temporary = `${path}.${crypto.randomUUID()}.new`;
        await replaceFile(path, text, { temporary, isSynced: false });
        await keepNewest(folder, maximum.files);
      }),
    /** Removes what is kept under other keys. */
    keepOnly: (keys: readonly string[]) =>
      enqueue(async () => {
        const wanted = await Promise.all(keys.map(pathOf));
        const paths = (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
        const others = paths.filter((path) => !wanted.includes(path));
        await Promise.all(others.map(removeFile));
      }),
    forgetAll: () => enqueue(() => whileHeld(() => rm(folder, { recursive: true, force: true }))),
  };
}

/** Removes all but the files of a folder that were written last. */
async function keepNewest(folder: string, maximum: number): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name));
  if (paths.length <= maximum) return;
  // Another window may have removed it in the meantime.
  const timeOf = async (path: string): Promise<number> => (await statIfThere(path))?.mtimeMs ?? 0;
  const files = await Promise.all(paths.map(async (path) => ({ path, time: await timeOf(path) })));
  const oldest = files.toSorted((a, b) => b.time - a.time).slice(maximum);
  await Promise.all(oldest.map(({ path }) => removeFile(path)));
}
