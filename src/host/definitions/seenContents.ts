import type { Memento } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isRecord, isString } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { ContentKind } from '../../client/contents.ts';

const storageKey = 'patchbay.seen';
const saveDelayMs = 2_000;

/**
 * Knows which items of each list the person has seen: keeps a short hash of each name in the workspace state. In the first list of all, no
 * item is new. Servers are told apart by their identity, see `Server.identity`.
 */
export class SeenContents implements Disposable {
  readonly #state: Memento;
  readonly #clock: Clock;
  /** Random, so that a server cannot choose names with the same hash. */
  readonly #salt: number;
  readonly #kept: Map<string, string>;
  /** The hashes when this window first asked, by list. */
  readonly #seen = new Map<string, ReadonlySet<string>>();
  #pending: Disposable | undefined;

  constructor(state: Memento, clock: Clock, random: () => number) {
    this.#state = state;
    this.#clock = clock;
    const stored = readStored(state.get<unknown>(storageKey));
    this.#salt = stored?.salt ?? Math.floor(random() * 2 ** 32);
    this.#kept = new Map(stored?.lists);
  }

  /** @returns the keys that were not in the list when the person last saw it, in an earlier window or by {@link markSeen} */
  newIn(identity: string, kind: ContentKind, keys: readonly string[]): ReadonlySet<string> {
    const id = idOf(identity, kind);
    const words = this.#kept.get(id)?.split(' ');
    const before = this.#seen.get(id) ?? (words && new Set(words));
    if (keys.length === 0 || keys.length > limits.seen.items) return new Set();
    if (before === undefined) {
      this.markSeen(identity, kind, keys);
      return new Set();
    }
    this.#seen.set(id, before);
    return new Set(keys.filter((key) => !before.has(hashOf(key, this.#salt))));
  }

  /** The person sees these items: they are not new in the next window. */
  recordViewed(identity: string, kind: ContentKind, keys: readonly string[]): void {
    if (keys.length > limits.seen.items) return;
    const id = idOf(identity, kind);
    this.#kept.delete(id);
    this.#kept.set(id, keys.map((key) => hashOf(key, this.#salt)).join(' '));
    this.#pending ??= this.#clock.after(saveDelayMs, () => this.#save());
  }

  /** These items are not new any more, in this window either. */
  markSeen(identity: string, kind: ContentKind, keys: readonly string[]): void {
    this.recordViewed(identity, kind, keys);
    this.#seen.set(idOf(identity, kind), new Set(keys.map((key) => hashOf(key, this.#salt))));
  }

  dispose(): void {
    if (this.#pending !== undefined) this.#save();
  }

  #save(): void {
    this.#pending?.dispose();
    this.#pending = undefined;
    const lists = Object.fromEntries([...this.#kept].slice(-limits.seen.lists));
    void this.#state.update(storageKey, { salt: this.#salt, lists });
  }
}

function idOf(identity: string, kind: ContentKind): string {
  return `${kind} ${identity}`;
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
