import { isStringArray } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';

/** Keeps values over restarts: the part of `vscode.Memento` needed here. */
export interface Storage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** What was used lately, most recent first, in one list of its own. */
export interface RecentItems {
  /** Moves `key` to the front. */
  touch(key: string): void;
  /** Recently used items first, most recent of all at the front; the others follow in the order they came. */
  sort<T>(
    items: readonly T[],
    keyOf: (item: T) => string,
  ): { readonly recent: readonly T[]; readonly others: readonly T[] };
}

/** @param limit how many are remembered */
export function createRecentItems(storage: Storage, storageKey: string, limit = 50): RecentItems {
  const load = (): readonly string[] => {
    const stored = storage.get(storageKey);
    return isStringArray(stored) ? stored : [];
  };
  return {
    touch(key) {
      // A server chooses its names, and the window keeps them.
      if (key.length > limits.remembered.key) return;
      const keys = [key, ...load().filter((other) => other !== key)].slice(0, limit);
      void storage.update(storageKey, keys);
    },
    sort(items, keyOf) {
      const ranks = new Map(load().map((key, rank) => [key, rank]));
      const rankOf = (item: (typeof items)[number]): number => ranks.get(keyOf(item)) ?? -1;
      const recent = items.filter((item) => rankOf(item) >= 0).toSorted((a, b) => rankOf(a) - rankOf(b));
      return { recent, others: recent.length === 0 ? items : items.filter((item) => rankOf(item) < 0) };
    },
  };
}
