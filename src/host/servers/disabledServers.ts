import { createHash } from 'node:crypto';
import type { Memento } from 'vscode';
import { PatchbayError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { isStringArray } from '../../base/json.ts';
import { definitionIdentity } from '../../client/connection/launchIdentity.ts';
import type { ConfiguredServer } from '../../config/configuredServer.ts';
import { isStdio } from '../../config/serverDefinition.ts';

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
  const isDisabled = (server: DisabledServer): boolean => read().some(isOf(server));
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
      const isSame = isOf(server);
      const others = read().filter((stored) => !isSame(stored));
      await state.update(storageKey, isUnwanted ? [...others, keysOf(server)] : others);
      didChange.fire(server.label);
    },
  };
}

export type DisabledServers = ReturnType<typeof createDisabledServers>;

function isOf(server: DisabledServer): (stored: unknown) => boolean {
  let keys: readonly string[] | undefined;
  return (stored) => isStringArray(stored) && stored.some((key) => (keys ??= keysOf(server)).includes(key));
}

/** Of its label and of its definition with all values, both in its folder. Values may be secrets. */
function keysOf({ label, source, definition }: DisabledServer): string[] {
  const named = Object.entries((isStdio(definition) ? definition.env : definition.headers) ?? {});
  const values = named.map((each) => JSON.stringify(each)).toSorted();
  const text = JSON.stringify([definitionIdentity({ definition, source }), values]);
  const digest = createHash('sha256').update(text).digest('hex');
  return [
    ['label', label],
    ['definition', digest],
  ].map((of) => JSON.stringify([source.folder?.uri, ...of]));
}
