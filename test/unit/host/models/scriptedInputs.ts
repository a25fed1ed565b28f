import { CancelledError } from '../../../../src/base/errors.ts';
import type { ChoiceQuestion, StepInputs, TextQuestion } from '../../../../src/host/models/stepInputs.ts';

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

/**
 * A person who does one thing at each question. A text that is refused is followed by the next one, at the same question.
 * @param deeds the label of a row, or a text to enter; "back" goes back, and "escape" dismisses the question
 */
export function createScriptedInputs(deeds: readonly string[]) {
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
  return { inputs, asked, left };
}
