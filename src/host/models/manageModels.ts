import { commands } from 'vscode';
import type { ModelConnection } from '../../models/modelConnection.ts';
import { ModelError } from '../../models/modelGateway.ts';
import { askSafely } from '../platform/dialogs.ts';
import { singleLine } from '../platform/displayText.ts';
import { addModel, type ModelSetup } from './addModel.ts';
import { keyProblem, priceProblem } from './addModelSteps.ts';
import { hostOf, isLocalAddress, mayCarryKey, modelMaximums, nameProblem } from './modelEntries.ts';
import { parsePrice } from './modelFlow.ts';
import { plainKeyRefusal } from './modelKeys.ts';
import { describeConnection, type ModelTest, testIntent } from './modelText.ts';
import type { Choice, Choices } from './stepInputs.ts';
import { askTest } from './testQuestion.ts';

const title = 'Manage Models';

/** One row of the list: a model, a way to add one, or the setting with a problem in it. */
type ManageChoice = ModelConnection | 'add' | 'settings';

/**
 * *Manage Models…*: lists the models that were set up, and changes or removes them.
 * @throws {CancelledError} when the person dismisses a question
 */
export async function manageModels(setup: ModelSetup): Promise<void> {
  for (;;) {
    const answer = await setup.inputs.choose<ManageChoice>({
      title,
      hasBack: false,
      load: () => listChoices(setup),
    });
    if (answer.kind === 'back') return;
    if (answer.value === 'add') return addModel(setup);
    if (answer.value === 'settings') return showSetting();
    await manageOne(answer.value, setup);
  }
}

/** The rows of the list. */
async function listChoices({ settings, keys }: Pick<ModelSetup, 'settings' | 'keys'>): Promise<Choices<ManageChoice>> {
  const { connections, problems } = settings.read();
  const models = await Promise.all(
    connections.map(async (connection) => ({
      label: connection.name,
      icon: isLocalAddress(connection.baseUrl) ? 'vm' : 'cloud',
      detail: describeConnection(connection, await keys.has(connection)),
      value: connection,
    })),
  );
  const add = { label: 'Add Model…', icon: 'add', isApart: models.length > 0, value: 'add' } as const;
  const faults: readonly Choice<'settings'>[] = problems.map((problem) => ({
    label: 'Open Settings',
    icon: 'warning',
    detail: problem,
    value: 'settings',
  }));
  const placeholder =
    models.length === 0
      ? 'No model is set up here. Those of the editor, such as Copilot’s, need none of this'
      : 'Choose a model to test or change';
  return { placeholder, rows: [...faults, ...models, add] };
}

async function showSetting(): Promise<void> {
  await commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: 'patchbay.models' } });
}

const actions = {
  test: testOne,
  key: changeKey,
  rename,
  price: changePrice,
  remove: removeOne,
} as const;

type Action = keyof typeof actions;

async function manageOne(connection: ModelConnection, setup: ModelSetup): Promise<void> {
  const answer = await setup.inputs.choose<Action>({
    title: titleOf(connection),
    hasBack: true,
    load: () => ({ placeholder: 'What to do with it', rows: actionRows(connection) }),
  });
  if (answer.kind === 'value') await actions[answer.value](connection, setup);
}

function actionRows({ baseUrl }: ModelConnection): readonly Choice<Action>[] {
  return [
    { label: 'Test', icon: 'beaker', detail: testIntent(baseUrl), value: 'test' },
    { label: 'Change Key…', icon: 'key', value: 'key' },
    { label: 'Rename…', icon: 'edit', value: 'rename' },
    { label: 'Change Price…', icon: 'tag', value: 'price' },
    { label: 'Remove…', icon: 'trash', value: 'remove' },
  ];
}

async function testOne(connection: ModelConnection, { inputs, endpoints, keys }: ModelSetup): Promise<void> {
  const test = async (signal: AbortSignal): Promise<ModelTest> => {
    try {
      return await endpoints.test(connection, await keys.read(connection), signal);
    } catch (error) {
      // The key is for another address: nothing was sent.
      if (error instanceof ModelError) return { kind: 'failed', message: error.message };
      throw error;
    }
  };
  await askTest({ title: titleOf(connection), hasBack: true, connection, test, saves: false }, inputs);
}

async function changeKey(connection: ModelConnection, { inputs, keys }: ModelSetup): Promise<void> {
  const { baseUrl } = connection;
  const isRefused = !mayCarryKey(baseUrl);
  const answer = await inputs.enter({
    title: titleOf(connection),
    hasBack: true,
    prompt: isRefused
      ? `${plainKeyRefusal(baseUrl)} Leave it empty to remove the key that is there.`
      : `The new key, for ${hostOf(baseUrl)} only. Leave it empty to remove the key that is there.`,
    value: '',
    isSecret: true,
    check: (text) => (isRefused && text !== '' ? plainKeyRefusal(baseUrl) : keyProblem(text, false)),
  });
  if (answer.kind === 'value') await keys.save(connection, answer.value);
}

async function rename(connection: ModelConnection, { inputs, settings }: ModelSetup): Promise<void> {
  const { connections } = settings.read();
  const taken = connections.filter(({ id }) => id !== connection.id).map(({ name }) => name);
  const answer = await inputs.enter({
    title: titleOf(connection),
    hasBack: true,
    prompt: 'The name to show',
    value: connection.name,
    check: (text) => newNameProblem(text, taken),
  });
  if (answer.kind === 'value') await settings.replace({ ...connection, name: answer.value });
}

/** Why a model cannot have a name, as a sentence; `undefined` if it can. @param taken the names of the other models */
function newNameProblem(text: string, taken: readonly string[]): string | undefined {
  if (taken.includes(text)) return 'Another model has this name.';
  const problem = nameProblem(text, modelMaximums.name);
  return problem && `The name ${problem}.`;
}

async function changePrice(connection: ModelConnection, { inputs, settings }: ModelSetup): Promise<void> {
  const { price: before, ...rest } = connection;
  const answer = await inputs.enter({
    title: titleOf(connection),
    hasBack: true,
    prompt: 'US dollars per million tokens: input, output. Leave it empty if you do not know.',
    placeholder: '0.15, 0.60',
    value: before === undefined ? '' : `${before.input}, ${before.output}`,
    check: priceProblem,
  });
  if (answer.kind === 'back') return;
  const price = parsePrice(answer.value);
  await settings.replace(typeof price === 'object' ? { ...rest, price } : rest);
}

async function removeOne(connection: ModelConnection, { settings, keys }: ModelSetup): Promise<void> {
  const remove = 'Remove Model';
  const chosen = await askSafely({
    message: `Remove the model “${singleLine(connection.name, 100)}”?`,
    detail: 'Its entry in your settings and its key are removed. Servers get no answers from it any more.',
    safe: 'Keep Model',
    actions: [remove],
  });
  if (chosen !== remove) return;
  await settings.remove(connection.id);
  await keys.remove(connection.id);
}

function titleOf({ name }: ModelConnection): string {
  return `${title}: ${singleLine(name, 60)}`;
}
