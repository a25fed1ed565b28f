import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';
import type { Memento } from 'vscode';
import { isRecord, isString } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';

/** SHA-256 of files. */
export interface FileDigests {
  /**
   * @returns in hexadecimal; empty for a file larger than the limit
   * @throws what the file system throws
   */
  digest(path: string): Promise<string>;
}

const mementoKey = 'patchbay.fileDigests';
const chunkBytes = 1024 * 1024;

/**
 * Small files are read each time. Those of large ones, such as interpreters, are remembered for as long as file, size and
 * times stay the same. The time of the last change of an inode is among them, which no program can set back.
 */
export function createFileDigests(memento: Memento): FileDigests {
  return {
    async digest(path) {
      const handle = await open(path);
      try {
        const stats = await handle.stat({ bigint: true });
        const { rememberedBytes, digestBytes } = limits.trust;
        if (stats.size > digestBytes) return '';
        const identity = identityOf(stats);
        if (stats.size > rememberedBytes) {
          const known = recall(memento, path, identity);
          if (known !== undefined) return known;
        }
        const hash = createHash('sha256');
        // In parts, between which the extension host does other work.
        for await (const chunk of handle.createReadStream({ highWaterMark: chunkBytes, autoClose: false })) {
          hash.update(chunk as Buffer);
        }
        const digest = hash.digest('hex');
        const isSame = identityOf(await handle.stat({ bigint: true })) === identity;
        if (isSame && stats.size > rememberedBytes) await remember(memento, path, `${identity} ${digest}`);
        return digest;
      } finally {
        await handle.close();
      }
    },
  };
}

function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

function recall(memento: Memento, path: string, identity: string): string | undefined {
  const [known, digest] = entriesOf(memento).get(path)?.split(' ') ?? [];
  return known === identity ? digest : undefined;
}

async function remember(memento: Memento, path: string, entry: string): Promise<void> {
  const entries = entriesOf(memento);
  // The ones used last come last.
  entries.delete(path);
  entries.set(path, entry);
  await memento.update(mementoKey, Object.fromEntries([...entries].slice(-limits.trust.rememberedFiles)));
}

function entriesOf(memento: Memento): Map<string, string> {
  const value = memento.get<unknown>(mementoKey);
  const entries = isRecord(value) ? Object.entries(value) : [];
  return new Map(entries.flatMap(([path, entry]): [string, string][] => (isString(entry) ? [[path, entry]] : [])));
}
