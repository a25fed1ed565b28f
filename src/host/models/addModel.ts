import { window } from 'vscode';
import { isCancellation, messageOf } from '../../base/errors.ts';
import { truncate } from '../../base/truncate.ts';
import type { LocalModelServer } from '../../models/localServers.ts';
import { ModelError } from '../../models/modelGateway.ts';
import type { RemoteModel } from '../../models/remoteModels.ts';
import { notificationText } from '../platform/displayText.ts';
import { type ModelDraft, modelProviders, toConnection, usableModels } from './modelDraft.ts';
import type { ModelEndpoints } from './modelEndpoints.ts';
import { addressProblem, hostOf, isLocalAddress, mayCarryKey, modelMaximums, normalAddress } from './modelEntries.ts';
import { askTest, keyProblem, modelNameProblem, type ModelSetup, parsePrice, priceQuestion } from './modelQuestions.ts';
import { describeModel } from './modelText.ts';
import type { Choice, Choices } from './stepInputs.ts';

/** The beginning of the titles of all questions. */
const title = 'Add Model';

/** What was entered so far, with the answer. `edit`: back to the first question about the provider. */
type Answer = Promise<ModelDraft | 'back' | 'edit'>;

interface Step {
  readonly ask: (draft: ModelDraft, setup: ModelSetup) => Answer;
  readonly isNeeded?: (draft: ModelDraft) => boolean;
}

/** The questions, in their order. */
const steps: readonly Step[] = [
  { ask: askProvider },
  { ask: askServer, isNeeded: ({ provider }) => provider?.isLocal === true },
  { ask: askAddress, isNeeded: (draft) => !draft.provider?.isLocal && !isKnown(draft) },
  { ask: askKey, isNeeded: ({ provider, address = '' }) => !provider?.isLocal && mayCarryKey(address) },
  { ask: askModel },
  { ask: askPrice, isNeeded: ({ model, address = '' }) => model?.price === undefined && !isLocalAddress(address) },
  { ask: askDraftTest },
];

/**
 * *Add Model…*: asks where the model is, for its address, key and price as far as needed, and tests it. Nothing is kept before
 * the end.
 * @throws {CancelledError} when the person dismisses a question
 */
export async function addModel(setup: ModelSetup): Promise<void> {
  const draft = await askDraft(setup);
  const { settings, keys } = setup;
  const names = settings.read().connections.map(({ name }) => name);
  const connection = toConnection(draft, settings.ids, names);
  // The key first: a model that is listed can answer.
  if (draft.key !== undefined && draft.key !== '') await keys.save(connection, draft.key);
  try {
    await settings.add(connection);
  } catch (error) {
    await keys.remove(connection.id);
    throw error;
  }
  const message = `“${connection.name}” can now answer requests of servers, after you approve each.`;
  void window.showInformationMessage(notificationText(message));
}

async function askDraft(setup: ModelSetup): Promise<ModelDraft> {
  let draft: ModelDraft = {};
  let answered: number[] = [];
  let current = 0;
  for (let step = steps[0]; step !== undefined; step = steps[current]) {
    const answer = await step.ask(draft, setup);
    if (answer === 'back') current = answered.pop() ?? 0;
    else if (answer === 'edit') [current, answered] = [answered[1] ?? 0, answered.slice(0, 1)];
    else {
      draft = answer;
      answered.push(current);
      do current += 1;
      while (steps[current]?.isNeeded?.(answer) === false);
    }
  }
  return draft;
}

/** What was entered before is kept only where the provider is still the same. */
async function askProvider(draft: ModelDraft, { inputs }: ModelSetup): Answer {
  const rows = modelProviders.map((provider) => {
    const { label, description, address } = provider;
    return { label, ...(address === undefined ? { detail: description } : { description }), value: provider };
  });
  const placeholder = 'Select where the model runs';
  const provider = await inputs.choose({ title, isFirst: true, load: () => ({ placeholder, rows }) });
  if (provider === undefined) return 'back';
  return draft.provider === provider ? draft : { provider, address: provider.address };
}

/** The same for the program. */
async function askServer(draft: ModelDraft, { inputs, endpoints }: ModelSetup): Answer {
  const { provider } = draft;
  for (;;) {
    const server = await inputs.choose({
      title: `${title}: On This Computer`,
      waiting: 'Looking for models on 127.0.0.1…',
      load: async (signal) => serverChoices(await endpoints.findLocal(signal)),
    });
    if (server === undefined) return 'back';
    if (server === 'again') continue;
    const address = server.baseUrl;
    return draft.address === address ? { ...draft, server } : { provider, server, address };
  }
}

/** @returns the programs that have a model; without any, what to start */
export function serverChoices(servers: readonly LocalModelServer[]): Choices<LocalModelServer | 'again'> {
  const again = { label: 'Look Again', icon: 'refresh', value: 'again' } as const;
  const rows = servers.flatMap((server): readonly Choice<LocalModelServer>[] => {
    const names = usableModels(server.models).map(({ id }) => id);
    const detail = truncate(names.join(', '), 1_000);
    const description = hostOf(server.baseUrl);
    return names.length === 0 ? [] : [{ label: server.name, icon: 'vm', description, detail, value: server }];
  });
  if (rows.length > 0)
    return { placeholder: 'Select the program whose models to use', rows: [...rows, { ...again, isApart: true }] };
  const found = servers.map(({ name }) => name).join(', ');
  const placeholder =
    servers.length > 0
      ? `${found} has no model yet: load one there, for instance with “ollama pull llama3.2”`
      : 'Nothing found. Start Ollama, the server of LM Studio, llama-server (llama.cpp) or “vllm serve”';
  return { placeholder, rows: [{ ...again, detail: placeholder }] };
}

/** A key that was entered for another origin is forgotten, as it must not go anywhere else. */
async function askAddress(draft: ModelDraft, { inputs }: ModelSetup): Answer {
  const { provider, address: before } = draft;
  const entered = await inputs.enter({
    title: `${title}: Address`,
    prompt:
      'The address before /chat/completions. With http:// to another computer, others on the network can read requests, and no key is sent.',
    placeholder: 'http://127.0.0.1:11434/v1',
    value: before ?? '',
    check(text) {
      const problem = addressProblem(text);
      return problem && `The address ${problem}.`;
    },
  });
  if (entered === undefined) return 'back';
  const address = normalAddress(entered);
  const isSame = before !== undefined && new URL(before).origin === new URL(address).origin;
  return { ...(isSame ? draft : { provider }), address };
}

async function askKey(draft: ModelDraft, { inputs }: ModelSetup): Answer {
  // An address that a person enters may belong to an API that takes requests without a key.
  const isNeeded = isKnown(draft);
  const key = await inputs.enter({
    title: `${title}: Key`,
    prompt: `The API key. It is kept in the secret storage, and sent to ${hostOf(draft.address ?? '')} only.${isNeeded ? '' : ' Leave it empty if none is needed.'}`,
    value: draft.key ?? '',
    isSecret: true,
    check: (text) => keyProblem(text, isNeeded),
  });
  return key === undefined ? 'back' : { ...draft, key };
}

type ModelRow = RemoteModel | 'typed' | 'key';

async function askModel(draft: ModelDraft, { inputs, endpoints }: ModelSetup): Answer {
  // A price that was entered belongs to the model that was chosen then.
  const withModel = (model: RemoteModel): ModelDraft =>
    draft.model?.id === model.id ? { ...draft, model } : { ...draft, model, price: undefined };
  for (;;) {
    const model = await inputs.choose<ModelRow>({
      title: `${title}: Model`,
      waiting: `Asking ${hostOf(draft.address ?? '')} for its models…`,
      load: (signal) => loadModels(draft, endpoints, signal),
    });
    // The key is the question before this one.
    if (model === undefined || model === 'key') return 'back';
    if (model !== 'typed') return withModel(model);
    const id = await inputs.enter({
      title: `${title}: Model`,
      prompt: 'The name of the model, as the provider writes it',
      value: draft.model?.id ?? '',
      check: (text) => modelNameProblem(text, modelMaximums.model),
    });
    if (id !== undefined) return withModel({ id });
  }
}

async function loadModels(
  draft: ModelDraft,
  endpoints: ModelEndpoints,
  signal: AbortSignal,
): Promise<Choices<ModelRow>> {
  const { provider, server, address: baseUrl = '' } = draft;
  if (server !== undefined) return modelChoices(usableModels(server.models));
  try {
    const connection = { name: 'The server', api: provider?.api ?? 'openai-chat', baseUrl };
    return modelChoices(usableModels(await endpoints.list(connection, keyOf(draft), signal)));
  } catch (error) {
    if (signal.aborted || isCancellation(error)) throw error;
    const wantsKey = error instanceof ModelError && error.kind === 'unauthorized' && mayCarryKey(baseUrl);
    return modelChoices([], messageOf(error), wantsKey);
  }
}

/**
 * @param failure why there is no list, as a sentence
 * @param wantsKey the provider wants a key, or another one
 */
export function modelChoices(models: readonly RemoteModel[], failure?: string, wantsKey = false): Choices<ModelRow> {
  const rows = models.map((model): Choice<ModelRow> => {
    const { id, name = id } = model;
    const description = [name === id ? '' : id, describeModel(model)].filter((text) => text !== '').join(', ');
    return { label: name, description, value: model };
  });
  const detail = failure ?? (rows.length === 0 ? 'The list is empty.' : undefined);
  const explained = detail === undefined ? {} : { detail };
  const byKey = { label: 'Enter the Key…', icon: 'key', ...explained, value: 'key' } as const;
  const byName = {
    label: 'Enter the Name of the Model…',
    icon: 'edit',
    isApart: rows.length > 0,
    value: 'typed',
  } as const;
  return {
    placeholder: failure === undefined ? 'Select a model' : 'The models cannot be listed',
    rows: [...rows, ...(wantsKey ? [byKey, byName] : [{ ...byName, ...explained }])],
  };
}

async function askPrice(draft: ModelDraft, { inputs }: ModelSetup): Answer {
  const text = await inputs.enter({ title: `${title}: Price`, ...priceQuestion(draft.price) });
  if (text === undefined) return 'back';
  const price = parsePrice(text);
  return { ...draft, price: typeof price === 'string' ? undefined : price };
}

async function askDraftTest(draft: ModelDraft, setup: ModelSetup): Answer {
  const connection = toConnection(draft, [], []);
  const outcome = await askTest(`${title}: Test`, connection, true, async () => keyOf(draft), setup);
  return outcome === 'done' ? draft : outcome;
}

function isKnown({ provider }: ModelDraft): boolean {
  return provider?.address !== undefined;
}

/** @returns the key as it may be sent: not at all where others could read it */
function keyOf({ key, address = '' }: ModelDraft): string | undefined {
  return key !== undefined && key !== '' && mayCarryKey(address) ? key : undefined;
}
