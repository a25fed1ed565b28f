import type { Memento } from 'vscode';
import { Emitter } from '../../base/event.ts';
import { isString } from '../../base/json.ts';

export interface ChosenModel {
  readonly server: string;
  /** The id of the model. */
  readonly model: string;
}

const storageKey = 'patchbay.chosenModels';

/** Servers come and go; the oldest choices are forgotten first. */
const maximum = { servers: 200, characters: 2_000 } as const;

type Choice = readonly [server: string, identity: string, model: string];

/**
 * Keeps in the workspace's state which model was chosen for which server.
 * @param identityOf who has a label now, see `Server.identity`: a choice for another server is not suggested for this one
 */
export function createChosenModels(state: Memento, identityOf: (server: string) => string | undefined) {
  const didChange = new Emitter<void>();

  function read(): readonly Choice[] {
    const stored = state.get<unknown>(storageKey);
    return Array.isArray(stored) ? stored.slice(-maximum.servers).filter(isChoice) : [];
  }

  function find(server: string): string | undefined {
    const [, identity, model] = read().find(([label]) => label === server) ?? [];
    return identity === identityOf(server) ? model : undefined;
  }

  function write(choices: readonly Choice[]): void {
    const stored = choices.filter(isChoice).slice(-maximum.servers);
    // A choice that cannot be stored is asked for again.
    void Promise.resolve(state.update(storageKey, stored)).catch(() => {});
    didChange.fire();
  }

  return {
    get: find,
    remember(server: string, model: string) {
      const identity = identityOf(server);
      if (identity === undefined || find(server) === model) return;
      write([...read().filter(([label]) => label !== server), [server, identity, model]]);
    },
    /** The latest choice is the last one. */
    get all() {
      return read().map(([server, , model]) => ({ server, model }));
    },
    /** The best match for the server's preferences is suggested again. */
    forget(server: string) {
      const choices = read();
      const kept = choices.filter(([label]) => label !== server);
      if (kept.length < choices.length) write(kept);
    },
    /** The server has another name; the choice is still for what it is. */
    rename(server: string, name: string) {
      const choices = read();
      const renamed = choices.map((choice): Choice => (choice[0] === server ? [name, choice[1], choice[2]] : choice));
      if (choices.some(([label]) => label === server)) write(renamed);
    },
    onDidChange: didChange.event,
    dispose: () => didChange.dispose(),
  };
}

export type ChosenModelMemory = ReturnType<typeof createChosenModels>;

/** Written by another version, or by hand, a choice may be anything. */
function isChoice(value: unknown): value is Choice {
  if (!Array.isArray(value) || value.length !== 3) return false;
  return value.every((text: unknown) => isString(text) && text.length <= maximum.characters);
}
