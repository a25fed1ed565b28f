import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SecretStorage } from 'vscode';
import type { AuthorizationStore } from '../../auth/ports.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { isStringArray } from '../../base/json.ts';
import { createMemoryStore } from '../../auth/memoryStore.ts';
import { type FileLockOptions, withFileLock } from './fileLock.ts';

export interface SecretStore extends AuthorizationStore, Disposable {
  /** Every key there is, those of other windows included. */
  keys(): Promise<readonly string[]>;
}

export interface SecretStoreOptions extends FileLockOptions {
  readonly secrets: SecretStorage;
  /** A folder that the windows of this machine share. */
  readonly lockFolder: string;
}

const prefix = 'patchbay.auth:';
/** Older editors cannot list their secrets. */
const listKey = `${prefix}keys`;

/** Newer editors can list their secrets. */
type ListableSecrets = SecretStorage & { readonly keys?: () => Thenable<readonly string[]> };

/**
 * Keeps sign-ins in VS Code's secret storage and nowhere else. Locks are files, named by a digest of their key.
 *
 * The list of keys is one secret that all windows write. One window at a time changes it, but an editor may show a window
 * the list as it was before another window's change. So each window remembers the keys it has set or heard of, and adds
 * those that got lost.
 */
export function createSecretStore({ secrets, lockFolder, ...lockOptions }: SecretStoreOptions): SecretStore {
  const changed = new Emitter<string>();
  const ownLocks = createMemoryStore();
  /** Set here, or changed by another window. Whether they are still there tells the storage. */
  const heardOf = new Set<string>();
  const disposal = new AbortController();
  const subscription = secrets.onDidChange(({ key: name }) => {
    if (name === listKey) void addLost([...heardOf]);
    else if (name.startsWith(prefix)) {
      const key = name.slice(prefix.length);
      heardOf.add(key);
      changed.fire(key);
      void addLost([key]);
    }
  });

  async function readList(): Promise<readonly string[]> {
    const list: unknown = JSON.parse((await secrets.get(listKey)) ?? '[]');
    return isStringArray(list) ? list : [];
  }

  async function isThere(key: string): Promise<boolean> {
    return (await secrets.get(prefix + key)) !== undefined;
  }

  async function lock<T>(key: string, action: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
    const path = join(lockFolder, `${name}.lock`);
    return ownLocks.lock(key, () => withFileLock(path, lockOptions, action, signal), signal);
  }

  /** @param update gets the list while no other window writes it; returns the same list where it stays as it is */
  async function changeList(update: (keys: readonly string[]) => readonly string[]): Promise<void> {
    const change = async (): Promise<void> => {
      const before = await readList();
      const after = update(before);
      if (after !== before) await secrets.store(listKey, JSON.stringify(after));
    };
    await lock(listKey, change, disposal.signal);
  }

  const addToList = (key: string): Promise<void> => changeList((keys) => (keys.includes(key) ? keys : [...keys, key]));

  async function addLost(keys: readonly string[]): Promise<void> {
    try {
      const list = await readList();
      for (const key of keys) if (!list.includes(key) && (await isThere(key))) await addToList(key);
    } catch {
      // The window is closing, or the storage fails: the next change, of any window, looks again.
    }
  }

  return {
    async keys() {
      const stored = (await (secrets as ListableSecrets).keys?.()) ?? [];
      const names = stored.filter((name) => name.startsWith(prefix) && name !== listKey);
      const found = new Set([...(await readList()), ...names.map((name) => name.slice(prefix.length)), ...heardOf]);
      for (const key of found) if (!(await isThere(key))) found.delete(key);
      return [...found];
    },
    get: async (key) => secrets.get(prefix + key),
    async set(key, value) {
      heardOf.add(key);
      await addToList(key);
      await secrets.store(prefix + key, value);
    },
    async delete(key) {
      await secrets.delete(prefix + key);
      await changeList((keys) => (keys.includes(key) ? keys.filter((other) => other !== key) : keys));
    },
    onDidChange: changed.event,
    lock,
    dispose() {
      disposal.abort(new CancelledError('The window is closing'));
      subscription.dispose();
      changed.dispose();
    },
  };
}
