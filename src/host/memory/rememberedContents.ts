import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isRecord, jsonLength } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { ContentsMemory, RememberedContents } from '../../client/contentsMemory.ts';
import type { ContentKind } from '../../client/server.ts';

const key = 'patchbay.contents';
const kinds: readonly ContentKind[] = ['tools', 'resources', 'resourceTemplates', 'prompts', 'skills'];

/** Lists may change many times a second; the store is written once in this many milliseconds. */
const saveDelayMs = 2_000;

/** Keeps what servers offered last in the workspace's state, so that it is there in the next window. */
export function createRememberedContents(state: vscode.Memento, clock: Clock): ContentsMemory & Disposable {
  const stored = state.get<unknown>(key);
  const contents = new Map<string, RememberedContents>(isRecord(stored) ? Object.entries(stored).filter(isUsable) : []);
  let pending: Disposable | undefined;

  function save(): void {
    pending?.dispose();
    pending = undefined;
    void state.update(key, Object.fromEntries(latestOf(contents)));
  }

  return {
    load: (label) => contents.get(label),
    save(label, current) {
      // Whoever was listed last comes last.
      contents.delete(label);
      contents.set(label, current);
      pending ??= clock.after(saveDelayMs, save);
    },
    dispose() {
      if (pending !== undefined) save();
    },
  };
}

/** As many servers as there is room for, those listed last first of all. */
function latestOf(contents: ReadonlyMap<string, RememberedContents>): [string, RememberedContents][] {
  let room: number = limits.remembered.all;
  const kept = [...contents].toReversed().filter(([label, current]) => {
    const size = label.length + jsonLength(current);
    if (size > room) return false;
    room -= size;
    return true;
  });
  return kept.toReversed();
}

/** Written by an older version, or by hand: anything but these lists is forgotten. */
function isUsable(entry: [string, unknown]): entry is [string, RememberedContents] {
  const [, value] = entry;
  if (!isRecord(value) || typeof value['listedAt'] !== 'number') return false;
  const lists = value['contents'];
  if (!isRecord(lists) || !kinds.every((kind) => Array.isArray(lists[kind]))) return false;
  return jsonLength(lists) <= limits.remembered.server;
}
