import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SecretStorage } from 'vscode';
import type { AuthorizationStore } from '../../auth/ports.ts';
import type { Disposable } from '../../base/disposable.ts';
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

/** Keeps sign-ins in VS Code's secret storage and nowhere else. Locks are files, named by a digest of their key. */
export function createSecretStore({ secrets, lockFolder, ...lockOptions }: SecretStoreOptions): SecretStore {
  const changed = new Emitter<string>();
  const ownLocks = createMemoryStore();
  const subscription = secrets.onDidChange(({ key }) => {
    if (key.startsWith(prefix) && key !== listKey) changed.fire(key.slice(prefix.length));
  });
  let listing: Promise<unknown> = Promise.resolve();

  async function keys(): Promise<readonly string[]> {
    const list: unknown = JSON.parse((await secrets.get(listKey)) ?? '[]');
    return isStringArray(list) ? list : [];
  }

  /** One after the other: each writes the whole list. */
  function changeList(key: string, isThere: boolean): Promise<void> {
    const change = listing.then(async () => {
      const before = await keys();
      if (before.includes(key) === isThere) return;
      const after = isThere ? [...before, key] : before.filter((other) => other !== key);
      await secrets.store(listKey, JSON.stringify(after));
    });
    listing = change.catch(() => {
      // Whoever changes it hears of it; the next change does not mind.
    });
    return change;
  }

  return {
    keys,
    get: async (key) => secrets.get(prefix + key),
    async set(key, value) {
      await changeList(key, true);
      await secrets.store(prefix + key, value);
    },
    async delete(key) {
      await secrets.delete(prefix + key);
      await changeList(key, false);
    },
    onDidChange: changed.event,
    lock(key, action, signal) {
      const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
      const path = join(lockFolder, `${name}.lock`);
      return ownLocks.lock(key, () => withFileLock(path, lockOptions, action, signal), signal);
    },
    dispose() {
      subscription.dispose();
      changed.dispose();
    },
  };
}
