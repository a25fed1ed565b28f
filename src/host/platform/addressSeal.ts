import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { link, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { hasCode, removeFile, statIfThere, whileHeld } from './plainFiles.ts';

/**
 * Tells the addresses that Patchbay has made from those that anyone else writes: a folder's file, a server, another
 * extension. Who holds an address has the right to read what it names, so an address without a valid seal names nothing.
 */
export class AddressSeal {
  readonly #key: Uint8Array;
  readonly #definitionOf: (server: string) => string | undefined;

  /**
   * @param key random, of this workspace, and where nothing but Patchbay reads or writes it
   * @param definitionOf tells the definitions of one label apart, as far as that matters. No address of a label holds for which
   *   it is `undefined`
   */
  constructor(key: Uint8Array, definitionOf: (server: string) => string | undefined) {
    this.#key = key;
    this.#definitionOf = definitionOf;
  }

  /**
   * HMAC-SHA-256, of which 128 bits are kept: an address is short, and cannot be guessed.
   * @param server the label of the server; the seal also covers its definition
   * @param parts all else that the address names
   * @returns the first segment of the path of an address, in characters that survive VS Code's normalisation
   */
  of(scheme: string, server: string, ...parts: readonly string[]): string {
    const text = JSON.stringify([this.#definitionOf(server) ?? null, scheme, server, ...parts]);
    return `patchbay~${createHmac('sha256', this.#key).update(text).digest('hex').slice(0, 32)}`;
  }

  /** True for the segment that {@link of} returns for the same parts and the same definition. */
  holds(segment: string, scheme: string, server: string, ...parts: readonly string[]): boolean {
    if (this.#definitionOf(server) === undefined) return false;
    const [given, expected] = [segment, this.of(scheme, server, ...parts)].map((text) => Buffer.from(text));
    return given !== undefined && given.length === expected?.length && timingSafeEqual(given, expected);
  }
}

const keyBytes = 32;

/**
 * The key of {@link AddressSeal}: random, made once, in a file of the extension's own storage. A file and not the state of
 * the workspace, as two windows of one workspace must agree on it; not the secret storage, which may ask the person to unlock it.
 * @returns a key for this window alone where the file cannot be used; that is logged
 */
export async function loadAddressKey(path: string, logger: Pick<Logger, 'warn'>): Promise<Uint8Array> {
  try {
    const file = await statIfThere(path);
    // What a full disk or an old copy has left would never be replaced.
    if (file?.isFile() === true && file.size !== keyBytes) await removeFile(path);
    if (file?.size !== keyBytes) await create(path);
    const key = await whileHeld(() => readFile(path));
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
    await removeFile(temporary);
  }
}
