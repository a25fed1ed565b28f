import { vi } from 'vitest';
import { CancelledError } from '../../../../src/base/errors.ts';
import type { ChoiceQuestion, StepInputs, TextQuestion } from '../../../../src/host/models/stepInputs.ts';
import type { ModelEndpoints } from '../../../../src/host/models/modelEndpoints.ts';
import { readModelEntries } from '../../../../src/host/models/modelEntries.ts';
import { createModelKeys } from '../../../../src/host/models/modelKeys.ts';
import type { ModelSettings } from '../../../../src/host/models/modelSettings.ts';
import type { ModelTest } from '../../../../src/host/models/modelText.ts';
import type { ModelConnection } from '../../../../src/models/modelGateway.ts';
import { sampleSecrets } from '../sampleState.ts';

/** A question as it was asked. */
interface AskedQuestion {
  readonly title: string;
  readonly hasBack: boolean;
  readonly waiting?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly rows?: readonly { readonly label: string; readonly detail?: string; readonly description?: string }[];
  readonly prompt?: string;
  readonly value?: string;
  /** Why the texts were refused that were entered before another one. */
  readonly refusals?: readonly string[];
}

/**
 * A person who does one thing at each question. A text that is refused is followed by the next one, at the same question.
 * @param deeds the label of a row, or a text to enter; "back" goes back, and "escape" dismisses the question
 */
function createScriptedInputs(deeds: readonly string[]) {
  const asked: AskedQuestion[] = [];
  const left = [...deeds];
  const next = (): string => {
    const deed = left.shift();
    if (deed === undefined) throw new Error(`No answer for: ${JSON.stringify(asked.at(-1))}`);
    return deed;
  };
  const inputs: StepInputs = {
    async choose<T>({ title, isFirst, waiting, load }: ChoiceQuestion<T>): Promise<T | undefined> {
      const abort = new AbortController();
      const { placeholder, rows } = await load(abort.signal);
      asked.push({ title, hasBack: isFirst !== true, waiting, placeholder, rows });
      const deed = next();
      if (deed === 'back') return undefined;
      if (deed === 'escape') throw new CancelledError();
      const row = rows.find(({ label }) => label === deed);
      if (row === undefined) throw new Error(`${JSON.stringify(deed)} is not in ${JSON.stringify(asked.at(-1))}`);
      return row.value;
    },
    enter({ title, prompt, value, check }: TextQuestion): Promise<string | undefined> {
      const refusals: string[] = [];
      asked.push({ title, hasBack: true, prompt, value, refusals });
      for (;;) {
        const deed = next();
        if (deed === 'back') return Promise.resolve(undefined);
        if (deed === 'escape') return Promise.reject(new CancelledError());
        const problem = check?.(deed);
        if (problem === undefined) return Promise.resolve(deed);
        refusals.push(problem);
      }
    },
  };
  return { inputs, asked };
}

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
  const keys = createModelKeys(sampleSecrets(stored.secrets));
  const idOf = (entry: unknown) => (entry as ModelConnection).id;
  const settings: ModelSettings = {
    read: () => readModelEntries(stored.entries),
    get ids() {
      return stored.entries.map(idOf);
    },
    add: async (connection) => void (stored.entries = [...stored.entries, connection]),
    replace: async (connection) =>
      void (stored.entries = stored.entries.map((entry) => (idOf(entry) === connection.id ? connection : entry))),
    async remove(id) {
      const all = stored.entries;
      stored.entries = stored.entries.filter((entry) => idOf(entry) !== id);
      return async () => void (stored.entries = all);
    },
  };
  const used = {
    findLocal: vi.fn(endpoints.findLocal ?? (() => Promise.resolve([]))),
    list: vi.fn(endpoints.list ?? (() => Promise.resolve([]))),
    test: vi.fn(endpoints.test ?? (() => Promise.resolve(answered))),
  };
  return { ...script, stored, used, setup: { inputs: script.inputs, endpoints: used, settings, keys } };
}
