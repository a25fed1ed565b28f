import type { Memento } from 'vscode';
import { isRecord } from '../../base/json.ts';
import type { EraMemory, EraVerdict } from '../../client/eraMemory.ts';
import { planDigest } from './planDigest.ts';

const storageKey = 'patchbay.eras';
/** Definitions come and go; the oldest verdicts are forgotten first. */
const maximumVerdicts = 200;
const verdicts: readonly unknown[] = ['stateless', 'handshake', 'sse'];

/** Keeps in the workspace's state what each server was found to want, so that it is probed once. */
export function createRememberedEras(state: Memento): EraMemory {
  function read(): Map<string, EraVerdict> {
    const stored = state.get<unknown>(storageKey);
    const entries = isRecord(stored) ? Object.entries(stored) : [];
    return new Map(entries.filter((entry): entry is [string, EraVerdict] => verdicts.includes(entry[1])));
  }

  return {
    load: (plan) => read().get(planDigest(plan)),
    save(plan, verdict) {
      const known = read();
      const key = planDigest(plan);
      if (known.get(key) === verdict) return;
      known.delete(key);
      known.set(key, verdict);
      void state.update(storageKey, Object.fromEntries([...known].slice(-maximumVerdicts)));
    },
  };
}
