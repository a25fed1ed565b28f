import { createHash } from 'node:crypto';
import type { Memento } from 'vscode';
import { isRecord, isString } from '../../base/json.ts';
import { launchIdentity, type ServerIdentities } from '../../client/connection/launchIdentity.ts';

const storageKey = 'patchbay.identities';
/** Definitions come and go; those launched longest ago are forgotten first. */
const maximumDefinitions = 200;

/** Identities are digests. The state of the workspace has that of each definition's last launch. */
export function createServerIdentities(state: Memento): ServerIdentities {
  function read(): Map<string, string> {
    const stored = state.get<unknown>(storageKey);
    const entries = isRecord(stored) ? Object.entries(stored) : [];
    return new Map(entries.filter((entry): entry is [string, string] => isString(entry[1])));
  }

  return {
    last(definition) {
      const key = digest(definition);
      return read().get(key) ?? key;
    },
    launched(definition, plan) {
      const key = digest(definition);
      const identity = digest(launchIdentity(plan));
      const known = read();
      if (known.get(key) === identity) return identity;
      known.delete(key);
      known.set(key, identity);
      void state.update(storageKey, Object.fromEntries([...known].slice(-maximumDefinitions)));
      return identity;
    },
  };
}

/** 128 bits: identities are part of addresses and names of files. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
