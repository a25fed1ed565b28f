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

/** As it is stored: the keys of its label and of its definition, and the labels of copies that were not disabled with it. */
type Entry = readonly [label: string, definition: string, ...copies: readonly string[]];

/**
 * Keeps in the workspace's state which servers the person does not want here. No file is changed. A folder that moves a server to
 * another of its files, or gives it another name, does not enable it: a server of the same label is it, and one of the same definition
 * unless that was there, and enabled, when the person chose.
 * @param servers what is configured now
 */
export function createDisabledServers(state: Memento, servers: () => readonly DisabledServer[]) {
  const didChange = new Emitter<string>();
  const read = (): readonly Entry[] => {
    const stored = state.get<unknown>(storageKey);
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  };
  const isDisabled = (server: DisabledServer): boolean => read().some(isOf(server));
  const save = async (entries: readonly Entry[], label: string): Promise<void> => {
    await state.update(storageKey, entries);
    didChange.fire(label);
  };
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
    /** Changes nothing for other servers. */
    set: async (server: DisabledServer, isUnwanted: boolean): Promise<void> => {
      const label = labelKey(server);
      const others = servers().filter((other) => labelKey(other) !== label);
      const present = new Set(others.map(labelKey));
      const isItself = isOf(server);
      const kept = read().flatMap((entry): readonly Entry[] => {
        if (isUnwanted) return entry[0] === label ? [] : [entry];
        if (!isItself(entry)) return [entry];
        // If the server of the entry is there, this is a copy of it; otherwise it is that server under another name.
        return present.has(entry[0]) ? [[...entry, label]] : [];
      });
      const enabled = [...others.filter((other) => !isDisabled(other)), ...(isUnwanted ? [] : [server])];
      const stillOff = others.filter((other) => isDisabled(other) && !kept.some(isOf(other)));
      const added = [...stillOff, ...(isUnwanted ? [server] : [])].map((each): Entry => {
        const definition = definitionKey(each);
        const copies = enabled.filter((other) => definitionKey(other) === definition);
        return [labelKey(each), definition, ...copies.map(labelKey)];
      });
      await save([...kept, ...added], server.label);
    },
    /** The person has given a server another name. */
    rename: async (server: DisabledServer, name: string): Promise<void> => {
      const [from, to] = [labelKey(server), labelKey({ ...server, label: name })];
      const renamed = (key: string): string => (key === from ? to : key);
      const entries = read();
      if (entries.flat().includes(from))
        await save(
          entries.map(([label, definition, ...copies]) => [renamed(label), definition, ...copies.map(renamed)]),
          name,
        );
    },
  };
}

export type DisabledServers = ReturnType<typeof createDisabledServers>;

function isEntry(stored: unknown): stored is Entry {
  return isStringArray(stored) && stored.length > 1;
}

function isOf(server: DisabledServer): (entry: Entry) => boolean {
  const label = labelKey(server);
  let definition: string | undefined;
  return ([itsLabel, itsDefinition, ...copies]) =>
    itsLabel === label || (itsDefinition === (definition ??= definitionKey(server)) && !copies.includes(label));
}

/** Of its label, in its folder. */
function labelKey({ label, source }: DisabledServer): string {
  return JSON.stringify([source.folder?.uri, 'label', label]);
}

/** Of its definition with all values, in its folder. Values may be secrets. */
function definitionKey({ source, definition }: DisabledServer): string {
  const named = Object.entries((isStdio(definition) ? definition.env : definition.headers) ?? {});
  const values = named.map((each) => JSON.stringify(each)).toSorted();
  const text = JSON.stringify([definitionIdentity({ definition, source }), values]);
  return JSON.stringify([source.folder?.uri, 'definition', createHash('sha256').update(text).digest('hex')]);
}
