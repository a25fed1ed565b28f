import type { Memento } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';

const storageKey = 'patchbay.disabledServers';

/** The label and the place of a definition: another one of that name is not disabled with it. */
export type DisabledServer = Pick<ConfiguredServer, 'label' | 'source'>;

/** Keeps in the workspace's state which servers the person does not want here. No file is changed. */
export function createDisabledServers(state: Memento) {
  const didChange = new Emitter<string>();
  const read = (): readonly unknown[] => {
    const stored = state.get<unknown>(storageKey);
    return Array.isArray(stored) ? stored : [];
  };
  function isDisabled(server: DisabledServer): boolean {
    const stored = read();
    return stored.length > 0 && stored.includes(keyOf(server));
  }
  return {
    onDidChange: didChange.event,
    isDisabled,
    /** Why a server must not start, for any caller. */
    refusal: (server: DisabledServer): PatchbayError | undefined => {
      if (!isDisabled(server)) return undefined;
      const message = `Server "${server.label}" is disabled in this workspace. Enable it to start it.`;
      return new PatchbayError('disabled', message);
    },
    async set(server: DisabledServer, isUnwanted: boolean): Promise<void> {
      const key = keyOf(server);
      const others = read().filter((stored) => stored !== key);
      await state.update(storageKey, isUnwanted ? [...others, key] : others);
      didChange.fire(server.label);
    },
  };
}

export type DisabledServers = ReturnType<typeof createDisabledServers>;

function keyOf({ label, source }: DisabledServer): string {
  return JSON.stringify([source.kind, source.uri, label]);
}
