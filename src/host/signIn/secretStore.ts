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

/** Keeps sign-ins in VS Code's secret storage and nowhere else. Locks are files, named by a digest of their key. */
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
 * The keys there are: one secret that all windows write. One window at a time changes it, but an editor may show a window
 * the list as it was before another window's change. So each window remembers the keys it has set or heard of, and adds
 * those that got lost.
 */
interface KeyList extends Disposable {
  /** @returns the keys that have a value */
  read(): Promise<readonly string[]>;
  add(key: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** To be called for each secret that changes, by whichever window. @param name with the prefix */
  handleChange(name: string): void;
}

function createKeyList(secrets: ListableSecrets, lock: AuthorizationStore['lock']): KeyList {
  const disposal = new AbortController();
  /** Set here, or changed by another window. The storage tells whether they are still there. */
  const seenKeys = new Set<string>();

  async function readStored(): Promise<readonly string[]> {
    const list: unknown = JSON.parse((await secrets.get(listKey)) ?? '[]');
    return isStringArray(list) ? list : [];
  }

  async function isThere(key: string): Promise<boolean> {
    return (await secrets.get(prefix + key)) !== undefined;
  }

  /** @param update gets the list while no other window writes it; returns the same list where it stays as it is */
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
      // The window is closing, or the storage fails: the next change, of any window, looks again.
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
