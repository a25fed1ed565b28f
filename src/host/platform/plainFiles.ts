import type { Stats } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
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

/** True for an error of the system with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return isRecord(error) && codes.some((code) => error['code'] === code);
}

/** What {@link replaceFile} needs to know besides path and text. */
export interface ReplaceFileOptions {
  /** The path of the new file until it is whole. Nothing is there. */
  readonly temporary: string;
  /** The text is on the disk when the promise resolves, also if the computer stops then. */
  readonly isSynced: boolean;
}

/** Writes a file of the person's own, whole or not at all: readers see the old text until they see the new one. */
export async function replaceFile(
  path: string,
  text: string,
  { temporary, isSynced }: ReplaceFileOptions,
): Promise<void> {
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      if (isSynced) await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
