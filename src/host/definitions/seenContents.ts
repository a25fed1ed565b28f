import type { Memento } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isRecord, isString } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { ContentKind } from '../../client/contents.ts';

const storageKey = 'patchbay.seen';
const saveDelayMs = 2_000;

/**
 * Knows which items of each list the person has seen. In the first list of all, no item is new. Servers are told apart by their
 * identity, see `Server.identity`.
 */
export interface SeenContents extends Disposable {
  /**
   * @returns the keys that were not in the list when the person last saw it, in an earlier window or by {@link markSeen}
   */
  newIn(identity: string, kind: ContentKind, keys: readonly string[]): ReadonlySet<string>;
  /** The person sees these items: they are not new in the next window. */
  recordViewed(identity: string, kind: ContentKind, keys: readonly string[]): void;
  /** These items are not new any more, in this window either. */
  markSeen(identity: string, kind: ContentKind, keys: readonly string[]): void;
}

/** Stores a short hash of each name in the workspace state. */
export function createSeenContents(state: Memento, clock: Clock, random: () => number): SeenContents {
  const stored = readStored(state.get<unknown>(storageKey));
  // Random, so that a server cannot choose names with the same hash.
  const salt = stored?.salt ?? Math.floor(random() * 2 ** 32);
  const kept = new Map<string, string>(stored?.lists);
  /** The hashes when this window first asked, by list. */
  const seen = new Map<string, ReadonlySet<string>>();
  let pending: Disposable | undefined;

  function save(): void {
    pending?.dispose();
    pending = undefined;
    void state.update(storageKey, { salt, lists: Object.fromEntries([...kept].slice(-limits.seen.lists)) });
  }

  function look(identity: string, kind: ContentKind, keys: readonly string[]): void {
    if (keys.length > limits.seen.items) return;
    const id = idOf(identity, kind);
    kept.delete(id);
    kept.set(id, keys.map((key) => hashOf(key, salt)).join(' '));
    pending ??= clock.after(saveDelayMs, save);
  }

  function markSeen(identity: string, kind: ContentKind, keys: readonly string[]): void {
    look(identity, kind, keys);
    seen.set(idOf(identity, kind), new Set(keys.map((key) => hashOf(key, salt))));
  }

  return {
    newIn(identity, kind, keys) {
      const id = idOf(identity, kind);
      const before = seen.get(id) ?? wordsOf(kept.get(id));
      if (keys.length === 0 || keys.length > limits.seen.items) return new Set();
      if (before !== undefined) seen.set(id, before);
      else markSeen(identity, kind, keys);
      return new Set(before === undefined ? [] : keys.filter((key) => !before.has(hashOf(key, salt))));
    },
    recordViewed: look,
    markSeen,
    dispose() {
      if (pending !== undefined) save();
    },
  };
}

function idOf(identity: string, kind: ContentKind): string {
  return `${kind} ${identity}`;
}

function wordsOf(text: string | undefined): ReadonlySet<string> | undefined {
  return text === undefined ? undefined : new Set(text.split(' '));
}

/** FNV-1a with a salt: a few bytes for each of up to 10,000 names. */
function hashOf(text: string, salt: number): string {
  let hash = 0x811c9dc5 ^ salt;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Ignores data that an older version or a person has written differently. */
function readStored(value: unknown): { readonly salt: number; readonly lists: [string, string][] } | undefined {
  if (!isRecord(value) || typeof value['salt'] !== 'number' || !isRecord(value['lists'])) return undefined;
  const isText = (entry: [string, unknown]): entry is [string, string] => isString(entry[1]);
  return { salt: value['salt'], lists: Object.entries(value['lists']).filter(isText) };
}
