import { vi } from 'vitest';
import type { ModelEndpoints } from '../../../../src/host/models/modelEndpoints.ts';
import { readModelEntries } from '../../../../src/host/models/modelEntries.ts';
import { createModelKeys } from '../../../../src/host/models/modelKeys.ts';
import type { ModelSettings } from '../../../../src/host/models/modelSettings.ts';
import type { ModelTest } from '../../../../src/host/models/modelText.ts';
import type { ModelConnection } from '../../../../src/models/modelGateway.ts';
import { createScriptedInputs } from './scriptedInputs.ts';

/** An answer to a test. */
const answered: ModelTest = {
  kind: 'answered',
  milliseconds: 840,
  answer: {
    result: { role: 'assistant', content: [{ type: 'text', text: 'ready' }], model: 'm' },
    usage: { inputTokens: 1_200, outputTokens: 2 },
  },
};

/** What setting up models needs, with a person who does what a test says. */
export function createSetup(deeds: readonly string[], endpoints: Partial<ModelEndpoints> = {}, before: unknown[] = []) {
  const script = createScriptedInputs(deeds);
  const stored = { entries: before, secrets: new Map<string, string>() };
  const { secrets } = stored;
  const keys = createModelKeys({
    get: async (name) => secrets.get(name),
    store: async (name, value) => void secrets.set(name, value),
    delete: async (name) => void secrets.delete(name),
  });
  const idOf = (entry: unknown) => (entry as ModelConnection).id;
  const settings: ModelSettings = {
    read: () => readModelEntries(stored.entries),
    get ids() {
      return stored.entries.map(idOf);
    },
    add: async (connection) => void (stored.entries = [...stored.entries, connection]),
    replace: async (connection) =>
      void (stored.entries = stored.entries.map((entry) => (idOf(entry) === connection.id ? connection : entry))),
    remove: async (id) => void (stored.entries = stored.entries.filter((entry) => idOf(entry) !== id)),
  };
  const used = {
    findLocal: vi.fn(endpoints.findLocal ?? (() => Promise.resolve([]))),
    list: vi.fn(endpoints.list ?? (() => Promise.resolve([]))),
    test: vi.fn(endpoints.test ?? (() => Promise.resolve(answered))),
  };
  return { ...script, stored, used, setup: { inputs: script.inputs, endpoints: used, settings, keys } };
}
