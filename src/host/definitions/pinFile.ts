import { createHash, randomUUID } from 'node:crypto';
import { appendFile, chmod, mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { PinnedServer, PinStore } from '../../client/definitions/ports.ts';
import { hasCode, replaceFile, whileHeld } from '../platform/plainFiles.ts';

/** Bytes. This extension writes much less: a larger file does not come from it. */
const maximumSize = 64_000_000;

/**
 * Stores pins in files, one for each server, with one JSON object in each line. Lines are only appended, so that two
 * windows on one folder, as in a browser, do not lose the lines of each other: a lost pin would count as never used.
 */
export function createPinFile(folder: string, logger: Logger): PinStore {
  /** The bytes that were read of each file, by path. */
  const read = new Map<string, number>();
  let writing: Promise<void> = Promise.resolve();

  const pathOf = ({ server, identity }: PinnedServer): string => {
    const id = JSON.stringify([server, identity]);
    return join(folder, `${createHash('sha256').update(id).digest('hex')}.jsonl`);
  };

  function write(path: string, work: () => Promise<void>): void {
    writing = writing.then(async () => {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // It may be there already, with the permissions of an older version.
        await chmod(folder, 0o700);
        await work();
      } catch (error) {
        logger.error(`Used definitions could not be written to ${path}: ${messageOf(error)}`);
      }
    });
  }

  return {
    async readNew(server) {
      const path = pathOf(server);
      await writing;
      const { text, end } = await readFrom(path, read.get(path) ?? 0);
      read.set(path, end);
      const values = text.split('\n').map((line): unknown => parseJson(line));
      // A crash may have cut a line short; the others are valid.
      return values.filter((value) => value !== undefined);
    },
    append(server, entry) {
      const path = pathOf(server);
      // Begins with a new line, in case a crash cut the last line short.
      write(path, () => whileHeld(() => appendFile(path, `\n${JSON.stringify(entry)}\n`, { mode: 0o600 })));
    },
    replace(server, entries) {
      const path = pathOf(server);
      const text = `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`;
      write(path, () => replaceFile(path, text, { temporary: `${path}.${randomUUID()}.new`, isSynced: false }));
    },
    async clear() {
      await writing;
      read.clear();
      await whileHeld(() => rm(folder, { recursive: true, force: true }));
    },
  };
}

/** @returns the complete lines from `start`, or all if the file became shorter, and the offset of their end */
async function readFrom(path: string, start: number): Promise<{ text: string; end: number }> {
  const file = await whileHeld(() => open(path, 'r'), { patienceMs: 500 }).catch(async (error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
    // Windows says the same where a file is in the place of the folder.
    const folder = await stat(dirname(path)).catch(() => undefined);
    if (folder?.isDirectory() === false) throw error;
    return undefined;
  });
  if (file === undefined) return { text: '', end: 0 };
  try {
    const found = await file.stat();
    const { size } = found;
    // Windows opens a folder, whose size is 0: that would count as never used.
    if (!found.isFile()) throw new Error(`${path} is not a file`);
    if (size > maximumSize) throw new Error(`${path} is larger than ${maximumSize} bytes`);
    const from = size < start ? 0 : start;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const length = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
    return { text: buffer.toString('utf8', 0, length), end: from + length };
  } finally {
    await file.close();
  }
}
