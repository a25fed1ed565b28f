import { CancelledError } from '../../base/errors.ts';
import { type ModelConnection, ModelError, type ModelPrice } from '../../models/modelGateway.ts';
import type { ModelEndpoints } from './modelEndpoints.ts';
import { isPrice, modelMaximums, nameProblem } from './modelEntries.ts';
import type { ModelKeys } from './modelKeys.ts';
import type { ModelSettings } from './modelSettings.ts';
import { describeTest, type ModelTest, testIntent } from './modelText.ts';
import type { Choice, Choices, StepInputs } from './stepInputs.ts';

export interface ModelSetup {
  readonly inputs: StepInputs;
  readonly endpoints: ModelEndpoints;
  readonly settings: ModelSettings;
  readonly keys: ModelKeys;
}

/** Why a text cannot be a key, as a sentence; `undefined` if it can. */
export function keyProblem(key: string, isNeeded: boolean): string | undefined {
  if (key === '') return isNeeded ? 'A key is needed.' : undefined;
  if (key.length > modelMaximums.key) return 'This is too long for a key.';
  return /^[!-~]+$/.test(key) ? undefined : 'A key contains only letters, digits and symbols, without spaces.';
}

/** Why a text cannot be the name of a model, as a sentence; `undefined` if it can. */
export function modelNameProblem(text: string, maximum: number): string | undefined {
  const problem = nameProblem(text, maximum);
  return problem && `The name ${problem}.`;
}

/** The question for a price, without its title. @param price the one before */
export function priceQuestion(price: ModelPrice | undefined) {
  return {
    prompt: 'US dollars per million tokens: input, output. Leave it empty if you do not know the price.',
    placeholder: '0.15, 0.60',
    value: price === undefined ? '' : `${price.input}, ${price.output}`,
    check(text: string): string | undefined {
      const problem = parsePrice(text);
      return typeof problem === 'string' ? problem : undefined;
    },
  };
}

/**
 * Two numbers, and what is between them. A comma between digits alone could be that of a decimal: it needs a space after it, or
 * points in both numbers.
 */
const prices = [/^\$?(\d+(?:\.\d+)?)(?:,\s+|\s*;\s*|\s+)\$?(\d+(?:\.\d+)?)$/, /^\$?(\d+\.\d+),\$?(\d+\.\d+)$/];

/**
 * Reads a price as a person enters it: two numbers, US dollars for a million tokens of input and output.
 * @returns `undefined` for an empty text, a sentence for one that is no price
 */
export function parsePrice(text: string): ModelPrice | string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const [, input, output] = prices.map((pattern) => pattern.exec(trimmed)).find((match) => match !== null) ?? [];
  const price = { input: Number(input), output: Number(output) };
  if (isPrice(price.input) && isPrice(price.output)) return price;
  return 'Two numbers with a point for decimals, such as “0.15, 0.60”: US dollars for a million tokens of input, and of output.';
}

type TestChoice = 'test' | 'done' | 'edit' | 'cancel';

/**
 * Says what a test of a model sends, sends it if the person wants that, and shows what came of it.
 * @param isNew it is saved afterwards
 * @returns what the person wants then, or instead of the test
 * @throws {CancelledError} when the person cancels
 */
export async function askTest(
  title: string,
  connection: ModelConnection,
  isNew: boolean,
  readKey: () => Promise<string | undefined>,
  { inputs, endpoints }: ModelSetup,
): Promise<'done' | 'back' | 'edit'> {
  const test = async (signal: AbortSignal): Promise<ModelTest> => {
    try {
      return await endpoints.test(connection, await readKey(), signal);
    } catch (error) {
      // The key is for another address: nothing was sent.
      if (error instanceof ModelError) return { kind: 'failed', message: error.message };
      throw error;
    }
  };
  const intent = testIntent(connection.baseUrl);
  let isTested = !isNew;
  for (;;) {
    const chosen = await inputs.choose<TestChoice>({
      title,
      waiting: `${intent}. Waiting for it…`,
      load: isTested
        ? async (signal) => afterTest(await test(signal), connection.price, isNew)
        : () => ({ placeholder: intent, rows: beforeTest(intent) }),
    });
    if (chosen === 'cancel') throw new CancelledError();
    if (chosen !== 'test') return chosen ?? 'back';
    isTested = true;
  }
}

const cancel = { label: 'Cancel', icon: 'close', description: 'Nothing is saved', value: 'cancel' } as const;

function beforeTest(description: string): readonly Choice<TestChoice>[] {
  return [
    { label: 'Test', icon: 'beaker', description, value: 'test' },
    { label: 'Save Without Test', icon: 'save', description: 'Nothing is sent', value: 'done' },
    cancel,
  ];
}

function afterTest(test: ModelTest, price: ModelPrice | undefined, isNew: boolean): Choices<TestChoice> {
  const placeholder = describeTest(test, price);
  const isAnswered = test.kind === 'answered';
  const again = { label: isAnswered ? 'Test Again' : 'Try Again', icon: 'refresh', value: 'test' } as const;
  if (!isNew) {
    const done = { label: isAnswered ? 'OK' : 'Close', icon: isAnswered ? 'pass' : 'error', value: 'done' } as const;
    return { placeholder, rows: [{ ...done, detail: placeholder }, again] };
  }
  const edit = { label: 'Edit', icon: 'edit', description: 'Change what you entered', value: 'edit' } as const;
  const save = { label: isAnswered ? 'Save' : 'Save Anyway', icon: 'save', value: 'done' } as const;
  const [first, ...others] = isAnswered ? [save, again, edit] : [again, edit, save];
  return { placeholder, rows: [{ ...first, detail: placeholder }, ...others, cancel] };
}
