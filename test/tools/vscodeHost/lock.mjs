// @ts-check
// Not proper-lockfile, for which a lock is stale after some time, not when its process has ended.
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from './processTree.mjs';

/**
 * Runs an action while holding a lock between processes. A lock whose process has ended is taken over.
 * @template T
 * @param {string} path the lock file; its folder is made
 * @param {(message: string) => void} report told once when another process has to be waited for
 * @param {() => Promise<T>} action
 * @returns {Promise<T>} what the action returned
 */
export async function withLock(path, report, action) {
  await mkdir(dirname(path), { recursive: true });
  let reported = false;
  while (!(await tryAcquire(path))) {
    const owner = Number(await readFile(path, 'utf8').catch(() => ''));
    // An empty file is a lock whose owner is just writing its id.
    if (owner > 0 && !isAlive(owner)) {
      await removeStale(path);
      continue;
    }
    if (!reported) {
      report(`Waiting for another run that is setting up (process ${owner}; if there is none, delete ${path}).`);
      reported = true;
    }
    await delay(500);
  }
  try {
    return await action();
  } finally {
    await rm(path, { force: true });
  }
}

/** @param {string} path */
async function tryAcquire(path) {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Renaming first makes sure that only one of several waiting processes takes a stale lock away.
 * @param {string} path
 */
async function removeStale(path) {
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
  } catch {
    // Another waiting process was faster: read the lock again.
    return;
  }
  await rm(aside, { force: true });
}
