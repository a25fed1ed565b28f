import { createHash } from 'node:crypto';
import type { Memento } from 'vscode';
import { canonicalJson } from '../../base/digest.ts';
import { PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { isStringArray } from '../../base/json.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';

const storageKey = 'patchbay.disabledServers';

export type DisabledServer = Pick<ConfiguredServer, 'label' | 'source' | 'definition'>;

/**
 * Keeps in the workspace's state which servers the person does not want here. No file is changed. A folder that moves a server to
 * another of its files, or gives it another name, does not enable it: a server of the same label, or of the same definition, is it.
 */
export function createDisabledServers(state: Memento) {
  const didChange = new Emitter<string>();
  const read = (): readonly unknown[] => {
    const stored = state.get<unknown>(storageKey);
    return Array.isArray(stored) ? stored : [];
  };
  function isDisabled(server: DisabledServer): boolean {
    const stored = read();
    return stored.length > 0 && stored.some(isOf(keysOf(server)));
  }
  return {
    /** Fires with the label of the server that was disabled or enabled. */
    onDidChange: didChange.event,
    isDisabled,
    /** Why a server must not start, for any caller. */
    refusal: (server: DisabledServer): PatchbayError | undefined => {
      if (!isDisabled(server)) return undefined;
      const message = `Server "${server.label}" is disabled in this workspace. Enable it to start it.`;
      return new PatchbayError('disabled', message);
    },
    async set(server: DisabledServer, isUnwanted: boolean): Promise<void> {
      const keys = keysOf(server);
      const isSame = isOf(keys);
      const others = read().filter((stored) => !isSame(stored));
      await state.update(storageKey, isUnwanted ? [...others, keys] : others);
      didChange.fire(server.label);
    },
  };
}

export type DisabledServers = ReturnType<typeof createDisabledServers>;

function isOf(keys: readonly string[]): (stored: unknown) => boolean {
  return (stored) => isStringArray(stored) && stored.some((key) => keys.includes(key));
}

/** Of its label and of its definition, both in its folder. The definition may hold secrets. */
function keysOf({ label, source: { folder }, definition: { patchbay: _, ...launched } }: DisabledServer): string[] {
  const digest = createHash('sha256').update(canonicalJson(launched)).digest('hex');
  return [
    ['label', label],
    ['definition', digest],
  ].map((of) => JSON.stringify([folder?.uri, ...of]));
}
