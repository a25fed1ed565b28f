import { CancelledError } from '../../../../src/base/errors.ts';
import type { ChoiceQuestion, StepInputs, TextQuestion } from '../../../../src/host/models/stepInputs.ts';

/** One thing a person does: chooses the row with this label, enters a text, goes back, or dismisses the question. */
export type Deed = { readonly pick: string } | { readonly enter: string } | 'back' | 'escape';

/** A question as it was asked. */
export interface AskedQuestion {
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

/** A person who does one thing at each question. A text that is refused is followed by the next one, at the same question. */
export function createScriptedInputs(deeds: readonly Deed[]) {
  const asked: AskedQuestion[] = [];
  const left = [...deeds];
  const next = (): Deed => {
    const deed = left.shift();
    if (deed === undefined) throw new Error(`No answer for: ${JSON.stringify(asked.at(-1))}`);
    return deed;
  };
  const inputs: StepInputs = {
    async choose<T>({ title, hasBack, waiting, load }: ChoiceQuestion<T>): Promise<T | undefined> {
      const abort = new AbortController();
      const { placeholder, rows } = await load(abort.signal);
      asked.push({ title, hasBack, waiting, placeholder, rows });
      const deed = next();
      if (deed === 'back') return undefined;
      if (deed === 'escape') throw new CancelledError();
      const row = rows.find(({ label }) => 'pick' in deed && label === deed.pick);
      if (row === undefined) throw new Error(`${JSON.stringify(deed)} is not in ${JSON.stringify(asked.at(-1))}`);
      return row.value;
    },
    enter({ title, hasBack, prompt, value, check }: TextQuestion): Promise<string | undefined> {
      const refusals: string[] = [];
      asked.push({ title, hasBack, prompt, value, refusals });
      for (;;) {
        const deed = next();
        if (deed === 'back') return Promise.resolve(undefined);
        if (deed === 'escape') return Promise.reject(new CancelledError());
        if (!('enter' in deed)) throw new Error(`${JSON.stringify(deed)} at ${title}`);
        const problem = check?.(deed.enter);
        if (problem === undefined) return Promise.resolve(deed.enter);
        refusals.push(problem);
      }
    },
  };
  return { inputs, asked, left };
}
