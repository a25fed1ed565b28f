import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SecretStorage } from 'vscode';
import { type AuthorizationStore, createMemoryStore } from '../../auth/ports.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { isStringArray } from '../../base/json.ts';
import { type FileLockOptions, withFileLock } from '../platform/fileLock.ts';

const prefix = 'patchbay.auth:';
/** Holds the list of keys: older editors cannot list their secrets. */
const listKey = `${prefix}keys`;

/** The type of newer editors, which can list their secrets. */
type ListableSecrets = SecretStorage & { readonly keys?: () => Thenable<readonly string[]> };

/**
 * Keeps sign-ins only in VS Code's secret storage. Locks are files whose names are digests of the keys.
 *
 * The list of keys is kept in one secret that all windows write, one at a time. A window may read the list as it was before the
 * change of another window. So each window remembers the keys that it has set or seen, and adds those that are missing.
 */
export class SecretStore implements AuthorizationStore, Disposable {
  readonly #secrets: ListableSecrets;
  readonly #lockFolder: string;
  readonly #lockOptions: FileLockOptions;
  readonly #ownLocks = createMemoryStore();
  readonly #changed = new Emitter<string>();
  readonly #subscription: Disposable;
  readonly #disposal = new AbortController();
  /** Keys that this or another window has set. The storage knows whether they still exist. */
  readonly #seenKeys = new Set<string>();

  readonly onDidChange = this.#changed.event;

  /** @param lockFolder a folder that all windows of this machine share */
  constructor(secrets: SecretStorage, lockFolder: string, lockOptions: FileLockOptions) {
    this.#secrets = secrets;
    this.#lockFolder = lockFolder;
    this.#lockOptions = lockOptions;
    this.#subscription = secrets.onDidChange(({ key: name }) => {
      if (name === listKey) return void this.#restoreLostKeys([...this.#seenKeys]);
      if (!name.startsWith(prefix)) return;
      const key = name.slice(prefix.length);
      this.#seenKeys.add(key);
      void this.#restoreLostKeys([key]);
      this.#changed.fire(key);
    });
  }

  /** All keys that have a value, including those of other windows. */
  async keys(): Promise<readonly string[]> {
    const names = ((await this.#secrets.keys?.()) ?? []).filter((name) => name.startsWith(prefix) && name !== listKey);
    const listed = names.map((name) => name.slice(prefix.length));
    const found = new Set([...(await this.#storedList()), ...listed, ...this.#seenKeys]);
    for (const key of found) if ((await this.get(key)) === undefined) found.delete(key);
    return [...found];
  }

  async get(key: string): Promise<string | undefined> {
    return this.#secrets.get(prefix + key);
  }

  async set(key: string, value: string): Promise<void> {
    await this.#addToList(key);
    await this.#secrets.store(prefix + key, value);
  }

  async delete(key: string): Promise<void> {
    await this.#secrets.delete(prefix + key);
    await this.#changeList((keys) => (keys.includes(key) ? keys.filter((other) => other !== key) : keys));
  }

  lock<T>(key: string, action: () => Promise<T>, signal: AbortSignal, onWait?: () => void): Promise<T> {
    const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
    const path = join(this.#lockFolder, `${name}.lock`);
    return this.#ownLocks.lock(key, () => withFileLock(path, this.#lockOptions, action, signal, onWait), signal);
  }

  dispose(): void {
    this.#disposal.abort(new CancelledError('The window is closing'));
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #storedList(): Promise<readonly string[]> {
    const list: unknown = JSON.parse((await this.#secrets.get(listKey)) ?? '[]');
    return isStringArray(list) ? list : [];
  }

  /** Changes the stored list while no other window writes it. @param update returns the same array if nothing changes */
  #changeList(update: (keys: readonly string[]) => readonly string[]): Promise<void> {
    const write = async (): Promise<void> => {
      const before = await this.#storedList();
      const after = update(before);
      if (after !== before) await this.#secrets.store(listKey, JSON.stringify(after));
    };
    return this.lock(listKey, write, this.#disposal.signal);
  }

  #addToList(key: string): Promise<void> {
    this.#seenKeys.add(key);
    return this.#changeList((keys) => (keys.includes(key) ? keys : [...keys, key]));
  }

  async #restoreLostKeys(keys: readonly string[]): Promise<void> {
    try {
      const list = await this.#storedList();
      for (const key of keys)
        if (!list.includes(key) && (await this.get(key)) !== undefined) await this.#addToList(key);
    } catch {
      // The window is closing or the storage failed: the next change by any window checks again.
    }
  }
}
