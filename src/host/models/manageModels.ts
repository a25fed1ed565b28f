import { commands } from 'vscode';
import type { ModelConnection } from '../../models/modelGateway.ts';
import { CommandIds } from '../commandIds.ts';
import { singleLine } from '../platform/displayText.ts';
import { offerUndo } from '../platform/offerUndo.ts';
import { addModel } from './addModel.ts';
import { createModelEndpoints } from './modelEndpoints.ts';
import { hostOf, isLocalAddress, mayCarryKey, modelMaximums } from './modelEntries.ts';
import type { ModelGatewaysOptions } from './modelGateways.ts';
import { createModelKeys, plainKeyRefusal } from './modelKeys.ts';
import { askTest, keyProblem, modelNameProblem, type ModelSetup, parsePrice, priceQuestion } from './modelQuestions.ts';
import { createModelSettings } from './modelSettings.ts';
import { type ModelRow, readModelRows } from './modelRows.ts';
import { describeConnection, testIntent } from './modelText.ts';
import { type Choice, type Choices, stepInputs } from './stepInputs.ts';

const title = 'Manage Models';

/**
 * What the commands about models do, and the rows of the view *Models*. A command is about a row that the view passes; for any
 * other argument the person chooses from the list.
 */
export function createModelCommands(options: Omit<ModelGatewaysOptions, 'usedKeys'>) {
  const setup: ModelSetup = {
    inputs: stepInputs,
    endpoints: createModelEndpoints(options.http, options.clock),
    settings: createModelSettings(options.logger),
    keys: createModelKeys(options.secrets),
  };
  const shown = new WeakSet<object>();
  const ofRow = (act: Action) => async (argument: unknown) => {
    const row =
      typeof argument === 'object' && argument !== null && shown.has(argument) ? (argument as ModelRow) : undefined;
    if (row?.connection === undefined) return manageModels(setup);
    return act(row.connection, setup);
  };
  return {
    [CommandIds.addModel]: () => addModel(setup),
    [CommandIds.manageModels]: () => manageModels(setup),
    [CommandIds.testModel]: ofRow(testOne),
    [CommandIds.editModel]: ofRow(manageOne),
    [CommandIds.removeModel]: ofRow(removeOne),
    async rows(): Promise<readonly ModelRow[]> {
      const { createLanguageModels } = await import('./languageModels.ts');
      const rows = await readModelRows(setup, createLanguageModels());
      for (const row of rows) shown.add(row);
      return rows;
    },
  };
}

/** One row of the list: a model, a way to add one, or the setting with a problem in it. */
type ManageChoice = ModelConnection | 'add' | 'settings';

/**
 * *Manage Models…*: lists the models that were set up, and changes or removes them.
 * @throws {CancelledError} when the person dismisses a question
 */
export async function manageModels(setup: ModelSetup): Promise<void> {
  for (;;) {
    const choice = await setup.inputs.choose({ title, isFirst: true, load: () => listChoices(setup) });
    if (choice === undefined) return;
    if (choice === 'add') return addModel(setup);
    if (choice === 'settings')
      return commands.executeCommand('workbench.action.openSettingsJson', {
        revealSetting: { key: 'patchbay.models' },
      });
    await manageOne(choice, setup);
  }
}

async function listChoices({ settings, keys }: ModelSetup): Promise<Choices<ManageChoice>> {
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
      ? 'No models are set up. Models of the editor, such as Copilot’s, need no setup'
      : 'Choose a model to test or change';
  return { placeholder, rows: [...faults, ...models, add] };
}

type Action = (connection: ModelConnection, setup: ModelSetup) => Promise<void>;

async function manageOne(connection: ModelConnection, setup: ModelSetup): Promise<void> {
  const rows: readonly Choice<Action>[] = [
    { label: 'Test', icon: 'beaker', detail: testIntent(connection.baseUrl), value: testOne },
    { label: 'Change Key…', icon: 'key', value: changeKey },
    { label: 'Rename…', icon: 'edit', value: rename },
    { label: 'Change Price…', icon: 'tag', value: changePrice },
    { label: 'Remove', icon: 'trash', value: removeOne },
  ];
  const placeholder = 'Select an action';
  const act = await setup.inputs.choose({
    title: titleOf(connection),
    load: () => ({ placeholder, rows }),
  });
  await act?.(connection, setup);
}

async function testOne(connection: ModelConnection, setup: ModelSetup): Promise<void> {
  await askTest(titleOf(connection), connection, false, () => setup.keys.read(connection), setup);
}

async function changeKey(connection: ModelConnection, { inputs, keys }: ModelSetup): Promise<void> {
  const { baseUrl } = connection;
  const isRefused = !mayCarryKey(baseUrl);
  const key = await inputs.enter({
    title: titleOf(connection),
    prompt: isRefused
      ? `${plainKeyRefusal(baseUrl)} Leave it empty to remove the key that is there.`
      : `The new key, for ${hostOf(baseUrl)} only. Leave it empty to remove the key that is there.`,
    value: '',
    isSecret: true,
    check: (text) => (isRefused && text !== '' ? plainKeyRefusal(baseUrl) : keyProblem(text, false)),
  });
  if (key !== undefined) await keys.save(connection, key);
}

async function rename(connection: ModelConnection, { inputs, settings }: ModelSetup): Promise<void> {
  const others = settings.read().connections.filter(({ id }) => id !== connection.id);
  const name = await inputs.enter({
    title: titleOf(connection),
    prompt: 'The name to show',
    value: connection.name,
    check: (text) =>
      others.some((other) => other.name === text)
        ? 'Another model has this name.'
        : modelNameProblem(text, modelMaximums.name),
  });
  if (name !== undefined) await settings.replace({ ...connection, name });
}

async function changePrice(connection: ModelConnection, { inputs, settings }: ModelSetup): Promise<void> {
  const { price: before, ...rest } = connection;
  const text = await inputs.enter({ title: titleOf(connection), ...priceQuestion(before) });
  if (text === undefined) return;
  const price = parsePrice(text);
  await settings.replace(typeof price === 'object' ? { ...rest, price } : rest);
}

/** Without a question: the notification has an undo, also for the key. */
async function removeOne({ id, name }: ModelConnection, { settings, keys }: ModelSetup): Promise<void> {
  const putBack = await settings.remove(id);
  const keepKey = await keys.remove(id);
  offerUndo(`Removed the model “${singleLine(name, 60)}”.`, async () => {
    await keepKey();
    await putBack();
  });
}

function titleOf({ name }: ModelConnection): string {
  return `${title}: ${singleLine(name, 60)}`;
}
