import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isRecord } from '../../base/json.ts';
import type { ContentsMemory } from '../../client/contentsMemory.ts';
import type { ContentKind, Contents } from '../../client/server.ts';

const key = 'patchbay.contents';
const kinds: readonly ContentKind[] = ['tools', 'resources', 'resourceTemplates', 'prompts', 'skills'];

/** Lists may change many times a second; the store is written once in this many milliseconds. */
const saveDelayMs = 2_000;

/** Keeps what servers offered last in the workspace's state, so that it is there in the next window. */
export function createRememberedContents(state: vscode.Memento, clock: Clock): ContentsMemory & Disposable {
  const stored = state.get<unknown>(key);
  const contents = new Map<string, Contents>(isRecord(stored) ? Object.entries(stored).filter(isUsable) : []);
  let pending: Disposable | undefined;

  function save(): void {
    pending?.dispose();
    pending = undefined;
    void state.update(key, Object.fromEntries(contents));
  }

  return {
    load: (label) => contents.get(label),
    save(label, current) {
      contents.set(label, current);
      pending ??= clock.after(saveDelayMs, save);
    },
    dispose() {
      if (pending !== undefined) save();
    },
  };
}

/** Written by an older version, or by hand: anything but these lists is forgotten. */
function isUsable(entry: [string, unknown]): entry is [string, Contents] {
  const [, value] = entry;
  return isRecord(value) && kinds.every((kind) => Array.isArray(value[kind]));
}
