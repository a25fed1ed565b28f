import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SecretStorage } from 'vscode';
import { type AuthorizationStore, createMemoryStore } from '../../auth/ports.ts';
import type { Disposable } from '../../base/disposable.ts';
import { CancelledError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { isStringArray } from '../../base/json.ts';
import { type FileLockOptions, withFileLock } from '../platform/fileLock.ts';

export interface SecretStore extends AuthorizationStore, Disposable {
  /** All keys, including those of other windows. */
  keys(): Promise<readonly string[]>;
}

export interface SecretStoreOptions extends FileLockOptions {
  readonly secrets: SecretStorage;
  /** A folder that all windows of this machine share. */
  readonly lockFolder: string;
}

const prefix = 'patchbay.auth:';
/** Holds the list of keys: older editors cannot list their secrets. */
const listKey = `${prefix}keys`;

/** The type of newer editors, which can list their secrets. */
type ListableSecrets = SecretStorage & { readonly keys?: () => Thenable<readonly string[]> };

/** Keeps sign-ins only in VS Code's secret storage. Locks are files whose names are digests of the keys. */
export function createSecretStore({ secrets, lockFolder, ...lockOptions }: SecretStoreOptions): SecretStore {
  const changed = new Emitter<string>();
  const ownLocks = createMemoryStore();
  const lock: AuthorizationStore['lock'] = (key, action, signal, onWait) => {
    const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
    const path = join(lockFolder, `${name}.lock`);
    return ownLocks.lock(key, () => withFileLock(path, lockOptions, action, signal, onWait), signal);
  };
  const list = createKeyList(secrets, lock);
  const subscription = secrets.onDidChange(({ key: name }) => {
    list.handleChange(name);
    if (name.startsWith(prefix) && name !== listKey) changed.fire(name.slice(prefix.length));
  });
  return {
    keys: () => list.read(),
    get: async (key) => secrets.get(prefix + key),
    async set(key, value) {
      await list.add(key);
      await secrets.store(prefix + key, value);
    },
    async delete(key) {
      await secrets.delete(prefix + key);
      await list.remove(key);
    },
    onDidChange: changed.event,
    lock,
    dispose() {
      list.dispose();
      subscription.dispose();
      changed.dispose();
    },
  };
}

/**
 * The list of keys, kept in one secret that all windows write, one at a time. A window may read the list as it was before
 * the change of another window. So each window remembers the keys that it has set or seen, and adds those that are missing.
 */
interface KeyList extends Disposable {
  /** @returns the keys that have a value */
  read(): Promise<readonly string[]>;
  add(key: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** Handles the change of a secret by any window. @param name with the prefix */
  handleChange(name: string): void;
}

function createKeyList(secrets: ListableSecrets, lock: AuthorizationStore['lock']): KeyList {
  const disposal = new AbortController();
  /** Keys that this or another window has set. The storage knows whether they still exist. */
  const seenKeys = new Set<string>();

  async function readStored(): Promise<readonly string[]> {
    const list: unknown = JSON.parse((await secrets.get(listKey)) ?? '[]');
    return isStringArray(list) ? list : [];
  }

  async function isThere(key: string): Promise<boolean> {
    return (await secrets.get(prefix + key)) !== undefined;
  }

  /** Changes the stored list while no other window writes it. @param update returns the same array if nothing changes */
  async function change(update: (keys: readonly string[]) => readonly string[]): Promise<void> {
    const write = async (): Promise<void> => {
      const before = await readStored();
      const after = update(before);
      if (after !== before) await secrets.store(listKey, JSON.stringify(after));
    };
    await lock(listKey, write, disposal.signal);
  }

  function add(key: string): Promise<void> {
    seenKeys.add(key);
    return change((keys) => (keys.includes(key) ? keys : [...keys, key]));
  }

  async function restoreLostKeys(keys: readonly string[]): Promise<void> {
    try {
      const list = await readStored();
      for (const key of keys) if (!list.includes(key) && (await isThere(key))) await add(key);
    } catch {
      // The window is closing or the storage failed: the next change by any window checks again.
    }
  }

  return {
    async read() {
      const names = ((await secrets.keys?.()) ?? []).filter((name) => name.startsWith(prefix) && name !== listKey);
      const found = new Set([...(await readStored()), ...names.map((name) => name.slice(prefix.length)), ...seenKeys]);
      for (const key of found) if (!(await isThere(key))) found.delete(key);
      return [...found];
    },
    add,
    remove: (key) => change((keys) => (keys.includes(key) ? keys.filter((other) => other !== key) : keys)),
    handleChange(name) {
      if (name === listKey) return void restoreLostKeys([...seenKeys]);
      if (!name.startsWith(prefix)) return;
      const key = name.slice(prefix.length);
      seenKeys.add(key);
      void restoreLostKeys([key]);
    },
    dispose: () => disposal.abort(new CancelledError('The window is closing')),
  };
}
