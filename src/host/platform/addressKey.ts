import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { hasCode, statIfThere } from './plainFiles.ts';

const keyBytes = 32;

/**
 * The key of `createAddressSeal`: random, made once, in a file of the extension's own storage. A file and not the state of
 * the workspace, as two windows of one workspace must agree on it; not the secret storage, which may ask the person to unlock it.
 * @returns a key for this window alone where the file cannot be used; that is logged
 */
export async function loadAddressKey(path: string, logger: Pick<Logger, 'warn'>): Promise<Uint8Array> {
  try {
    if ((await statIfThere(path)) === undefined) await create(path);
    const key = await readFile(path);
    if (key.length !== keyBytes) throw new Error(`${path} holds no key`);
    return key;
  } catch (error) {
    logger.warn(() => `Documents will not be found after a reload of the window: ${messageOf(error)}`);
    return randomBytes(keyBytes);
  }
}

/** The key of another window that was faster stays. */
async function create(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}.new`;
  try {
    await writeFile(temporary, randomBytes(keyBytes), { flag: 'wx', mode: 0o600 });
    await link(temporary, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
  } finally {
    await rm(temporary, { force: true });
  }
}
