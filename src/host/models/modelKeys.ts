import type { SecretStorage } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord, isString, parseJson } from '../../base/json.ts';
import { type ModelConnection, ModelError } from '../../models/modelGateway.ts';
import { hostOf, mayCarryKey } from './modelEntries.ts';

/** What decides which key is sent, and where. */
type KeyOwner = Pick<ModelConnection, 'id' | 'baseUrl' | 'name'>;

const prefix = 'patchbay.model:';

interface StoredKey {
  readonly origin: string;
  readonly key: string;
}

/**
 * The keys of models, in the secret storage of VS Code. A key belongs to an id and to the origin of an address: a setting that
 * was changed sends it nowhere else.
 */
export function createModelKeys(secrets: Pick<SecretStorage, 'get' | 'store' | 'delete'>) {
  const stored = async (id: string): Promise<StoredKey | undefined> => readStored(await secrets.get(prefix + id));
  const belongs = ({ baseUrl }: KeyOwner, { origin }: StoredKey): boolean =>
    mayCarryKey(baseUrl) && new URL(baseUrl).origin === origin;
  return {
    /**
     * @returns `undefined` where there is none
     * @throws {ModelError} `unauthorized`, where there is one for another address
     */
    async read(owner: KeyOwner) {
      const found = await stored(owner.id);
      if (found === undefined || belongs(owner, found)) return found?.key;
      const [kept, now] = [found.origin, new URL(owner.baseUrl).origin];
      throw new ModelError(
        'unauthorized',
        `The key of “${owner.name}” was entered for ${kept}, but its address is now at ${now}: enter the key again with Manage Models….`,
      );
    },
    /** True where there is a key for this address. */
    async has(owner: KeyOwner) {
      const found = await stored(owner.id);
      return found !== undefined && belongs(owner, found);
    },
    /**
     * Keeps a key in place of the one before; an empty one removes that.
     * @throws {PatchbayError} `configuration`, where it would be sent unencrypted to another machine
     */
    async save(owner: KeyOwner, key: string) {
      const trimmed = key.trim();
      if (trimmed === '') return secrets.delete(prefix + owner.id);
      if (!mayCarryKey(owner.baseUrl)) throw new PatchbayError('configuration', plainKeyRefusal(owner.baseUrl));
      const value: StoredKey = { origin: new URL(owner.baseUrl).origin, key: trimmed };
      await secrets.store(prefix + owner.id, JSON.stringify(value));
    },
    /** @returns what keeps the key again, unless there is another one by then */
    async remove(id: string) {
      const removed = await secrets.get(prefix + id);
      await secrets.delete(prefix + id);
      return async () => {
        if (removed !== undefined && (await secrets.get(prefix + id)) === undefined)
          await secrets.store(prefix + id, removed);
      };
    },
  };
}

export type ModelKeys = ReturnType<typeof createModelKeys>;

/** Why no key can be kept for an address, as a sentence. */
export function plainKeyRefusal(baseUrl: string): string {
  return `No key is sent to ${hostOf(baseUrl)}: its address begins with http://, so others on the network could read the key. Use https://.`;
}

/** What was not written here counts as none. */
function readStored(text = ''): StoredKey | undefined {
  const value = parseJson(text);
  const { origin, key } = isRecord(value) ? value : {};
  return isString(origin) && isString(key) ? { origin, key } : undefined;
}
