import type { ModelConnection } from '../../models/modelConnection.ts';
import { CancelledError } from '../../base/errors.ts';
import { describeTest, type ModelTest, testIntent } from './modelText.ts';
import type { Choice, Choices, StepInputs } from './stepInputs.ts';

/** The model that is to be tested, and what follows. */
export interface TestQuestion {
  readonly title: string;
  readonly hasBack: boolean;
  readonly connection: ModelConnection;
  readonly test: (signal: AbortSignal) => Promise<ModelTest>;
  /** The model is new: it is saved afterwards. */
  readonly saves: boolean;
}

/** What the person wants after the test, or instead of it. */
export type TestOutcome = 'done' | 'back' | 'edit';

type TestChoice = 'test' | 'done' | 'edit' | 'cancel';

/**
 * Says what a test sends, sends it if the person wants that, and shows what came of it.
 * @throws {CancelledError} when the person cancels: nothing is saved then
 */
export async function askTest(question: TestQuestion, inputs: StepInputs): Promise<TestOutcome> {
  const { title, connection, saves } = question;
  let choices: ((signal: AbortSignal) => Promise<Choices<TestChoice>> | Choices<TestChoice>) | undefined = saves
    ? () => beforeTest(connection)
    : undefined;
  for (;;) {
    const answer = await inputs.choose<TestChoice>({
      title,
      hasBack: question.hasBack,
      waiting: `${testIntent(connection.baseUrl)}. Waiting for it…`,
      load: choices ?? (async (signal) => afterTest(await question.test(signal), question)),
    });
    if (answer.kind === 'back') return 'back';
    if (answer.value === 'cancel') throw new CancelledError();
    if (answer.value !== 'test') return answer.value;
    choices = undefined;
  }
}

function beforeTest({ baseUrl }: ModelConnection): Choices<TestChoice> {
  return {
    placeholder: testIntent(baseUrl),
    rows: [
      { label: 'Test', icon: 'beaker', description: testIntent(baseUrl), value: 'test' },
      { label: 'Save Without Test', icon: 'save', description: 'Nothing is sent', value: 'done' },
      cancel,
    ],
  };
}

const cancel: Choice<TestChoice> = { label: 'Cancel', icon: 'close', description: 'Nothing is saved', value: 'cancel' };
const edit: Choice<TestChoice> = { label: 'Edit', icon: 'edit', description: 'Change what you entered', value: 'edit' };

/** The rows after a test: what came of it first. */
function afterTest(
  test: ModelTest,
  { connection, saves }: Pick<TestQuestion, 'connection' | 'saves'>,
): Choices<TestChoice> {
  const placeholder = describeTest(test, connection.price);
  const isAnswered = test.kind === 'answered';
  const again = { label: isAnswered ? 'Test Again' : 'Try Again', icon: 'refresh', value: 'test' } as const;
  if (!saves) {
    const done = { label: isAnswered ? 'OK' : 'Close', icon: isAnswered ? 'pass' : 'error', value: 'done' } as const;
    return { placeholder, rows: [{ ...done, detail: placeholder }, again] };
  }
  const save = { label: isAnswered ? 'Save' : 'Save Anyway', icon: 'save', value: 'done' } as const;
  return {
    placeholder,
    rows: isAnswered
      ? [{ ...save, detail: placeholder }, again, edit, cancel]
      : [{ ...again, detail: placeholder }, edit, save, cancel],
  };
}
