import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PatchbayError } from '../base/errors.ts';
import type { SnapshotUpdate } from '../workshop/savedCalls/judgeResult.ts';

/**
 * Writes snapshots of one run below a folder, each file once.
 * @param written gets the path of each
 */
export function createSnapshotWriter(
  folder: string,
  written: (path: string) => void,
): (update: SnapshotUpdate) => Promise<void> {
  const all = new Set<string>();
  return async ({ path, text }) => {
    if (all.has(path))
      throw new PatchbayError('configuration', 'Another call of this run has just written it. Name another file.');
    const target = join(folder, path);
    await refuseLinks([dirname(dirname(target)), dirname(target), target]);
    await mkdir(dirname(target), { recursive: true });
    // A link that takes its place meanwhile is replaced, not followed.
    const fresh = `${target}.${randomUUID()}`;
    try {
      await writeFile(fresh, text, { flag: 'wx' });
      await rename(fresh, target);
    } finally {
      await rm(fresh, { force: true });
    }
    all.add(path);
    written(path);
  };
}

/** A folder that somebody else made may have a link there that leads out of it. */
async function refuseLinks(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await lstat(path).catch(() => undefined);
    if (found?.isSymbolicLink() === true)
      throw new PatchbayError('configuration', `${path} is a link to another place, and nothing is written there.`);
  }
}
