import { constants, type Stats } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { delay } from '../../base/abort.ts';
import { type Clock, createSystemClock } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';

/** What is at a path, links not followed; `undefined` if there is nothing. */
export async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return isRecord(error) && codes.some((code) => error['code'] === code);
}

interface HeldFileOptions {
  readonly platform?: NodeJS.Platform;
  readonly clock?: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of all pauses together. */
  readonly patienceMs?: number;
}

/** What Windows answers while another program has a file open: another window, a virus scanner, the search index. */
export function isHeld(error: unknown, platform = process.platform): boolean {
  return platform === 'win32' && hasCode(error, 'EPERM', 'EACCES', 'EBUSY');
}

/**
 * Replaces, removes or opens a file that another program may have open at this moment. Windows refuses that: tries again there, with
 * growing pauses.
 * @throws the last error, or the reason of the signal
 */
export async function whileHeld<T>(
  action: () => Promise<T>,
  { platform, clock = createSystemClock(), signal, patienceMs = 10_000 }: HeldFileOptions = {},
): Promise<T> {
  let [pauseMs, waitedMs] = [5, 0];
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!isHeld(error, platform) || waitedMs + pauseMs > patienceMs) throw error;
    }
    await delay(clock, pauseMs, signal);
    waitedMs += pauseMs;
    pauseMs = Math.min(pauseMs * 2, 100);
  }
}

/** Renames a file to a path where another one may be, which it replaces. */
export function moveFile(from: string, to: string): Promise<void> {
  return whileHeld(() => rename(from, to));
}

/** Removes a file, if there is one. */
export function removeFile(path: string): Promise<void> {
  return whileHeld(() => rm(path, { force: true }));
}

/**
 * Writes a file of the person's own, whole or not at all: readers see the old text until they see the new one.
 * @param temporary the path of the new file until it is whole; nothing is there
 * @param isSynced the text is on the disk when the promise resolves, also if the computer stops then
 */
export async function replaceFile(
  path: string,
  text: string,
  { temporary, isSynced }: { readonly temporary: string; readonly isSynced: boolean },
): Promise<void> {
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      if (isSynced) await file.datasync();
    } finally {
      await file.close();
    }
    await moveFile(temporary, path);
  } catch (error) {
    await removeFile(temporary);
    throw error;
  }
}

/**
 * Reads a file of Patchbay's own. Follows no link and opens no pipe or device: someone else may have put it there.
 * @param maximumBytes that Patchbay writes
 * @returns `undefined` where there is no ordinary file of that size
 */
export async function readPlainFile(path: string, maximumBytes: number): Promise<string | undefined> {
  try {
    // What is not defined on Windows counts as 0.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await whileHeld(() => open(path, flags), { patienceMs: 500 });
    try {
      const found = await file.stat();
      if (!found.isFile() || found.size > maximumBytes) return undefined;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(found.size), 0, found.size, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ELOOP', 'ENOTDIR')) return undefined;
    throw error;
  }
}
