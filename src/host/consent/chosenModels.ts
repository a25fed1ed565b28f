import type { Memento } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { isString } from '../../base/json.ts';
import type { ChosenModels } from '../../client/sampling/ports.ts';

/** The model that a person has chosen for a server. */
export interface ChosenModel {
  readonly server: string;
  /** The id of the model. */
  readonly model: string;
}

/** The models that a person has chosen, by server. */
export interface ChosenModelMemory extends ChosenModels, Disposable {
  /** The latest choice is the last one. */
  readonly all: readonly ChosenModel[];
  /** The best match for the server's preferences is suggested again. */
  forget(server: string): void;
  readonly onDidChange: Event<void>;
}

const storageKey = 'patchbay.chosenModels';

/** Servers come and go; the oldest choices are forgotten first. */
const maximum = { servers: 200, characters: 2_000 } as const;

/** Keeps in the workspace's state which model was chosen for which server. */
export function createChosenModels(state: Memento): ChosenModelMemory {
  const didChange = new Emitter<void>();

  function read(): ReadonlyMap<string, string> {
    const stored = state.get<unknown>(storageKey);
    return new Map(Array.isArray(stored) ? stored.slice(-maximum.servers).filter(isChoice) : []);
  }

  function write(models: ReadonlyMap<string, string>): void {
    const stored = [...models].filter(isChoice).slice(-maximum.servers);
    // A choice that cannot be stored is asked for again.
    void Promise.resolve(state.update(storageKey, stored)).catch(() => {});
    didChange.fire();
  }

  return {
    get: (server) => read().get(server),
    remember(server, model) {
      const models = new Map(read());
      if (models.get(server) === model) return;
      models.delete(server);
      write(models.set(server, model));
    },
    get all() {
      return [...read()].map(([server, model]) => ({ server, model }));
    },
    forget(server) {
      const models = new Map(read());
      if (models.delete(server)) write(models);
    },
    onDidChange: didChange.event,
    dispose: () => didChange.dispose(),
  };
}

/** Written by another version, or by hand, a choice may be anything. */
function isChoice(value: unknown): value is [string, string] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  return value.every((text: unknown) => isString(text) && text.length <= maximum.characters);
}
