import { isCancellation, messageOf } from '../../base/errors.ts';
import { truncate } from '../../base/truncate.ts';
import type { LocalModelServer } from '../../models/localServers.ts';
import type { ModelConnection } from '../../models/modelConnection.ts';
import { ModelError } from '../../models/modelGateway.ts';
import type { RemoteModel } from '../../models/remoteModels.ts';
import type { ModelEndpoints } from './modelEndpoints.ts';
import { addressProblem, hostOf, mayCarryKey, modelMaximums, nameProblem, normalAddress } from './modelEntries.ts';
import {
  addressOf,
  type ModelDraft,
  type ModelStep,
  needsKey,
  parsePrice,
  toConnection,
  usableModels,
  withAddress,
  withModel,
  withPrice,
  withProvider,
  withServer,
} from './modelFlow.ts';
import { modelProviders } from './modelProviders.ts';
import { describeModel } from './modelText.ts';
import type { Choice, Choices, StepAnswer, StepInputs } from './stepInputs.ts';
import { askTest } from './testQuestion.ts';

/** What the questions of *Add Model…* need. */
export interface AddModelPorts {
  readonly inputs: StepInputs;
  readonly endpoints: ModelEndpoints;
}

/** One question, with what was entered so far. */
export interface AskedStep {
  readonly draft: ModelDraft;
  readonly hasBack: boolean;
}

/** What a person did at one question: went on, went back, or wants to change what they entered. */
export type StepOutcome =
  | { readonly kind: 'next'; readonly draft: ModelDraft }
  | { readonly kind: 'back' }
  | { readonly kind: 'edit' };

/** The beginning of the titles of all questions. */
const addTitle = 'Add Model';

/**
 * Asks one question.
 * @throws {CancelledError} when the person dismisses it
 */
export function askStep(step: ModelStep, asked: AskedStep, ports: AddModelPorts): Promise<StepOutcome> {
  return questions[step](asked, ports);
}

const questions: Readonly<Record<ModelStep, (asked: AskedStep, ports: AddModelPorts) => Promise<StepOutcome>>> = {
  provider: askProvider,
  server: askServer,
  address: askAddress,
  key: askKey,
  model: askModel,
  price: askPrice,
  test: askDraftTest,
};

async function askProvider({ draft, hasBack }: AskedStep, { inputs }: AddModelPorts): Promise<StepOutcome> {
  const rows = modelProviders.map((provider) => {
    const { label, description, kind } = provider;
    return { label, ...(kind === 'known' ? { description } : { detail: description }), value: provider };
  });
  const placeholder = 'Where the model is';
  const answer = await inputs.choose({ title: addTitle, hasBack, load: () => ({ placeholder, rows }) });
  return next(answer, (provider) => withProvider(draft, provider));
}

async function askServer({ draft, hasBack }: AskedStep, { inputs, endpoints }: AddModelPorts): Promise<StepOutcome> {
  for (;;) {
    const answer = await inputs.choose<LocalModelServer | 'again'>({
      title: `${addTitle}: On This Computer`,
      hasBack,
      waiting: 'Looking for models on 127.0.0.1…',
      load: async (signal) => serverChoices(await endpoints.findLocal(signal)),
    });
    if (answer.kind === 'value' && answer.value === 'again') continue;
    return next(answer as StepAnswer<LocalModelServer>, (server) => withServer(draft, server));
  }
}

/** @returns the programs that have a model; without any, what to start */
export function serverChoices(servers: readonly LocalModelServer[]): Choices<LocalModelServer | 'again'> {
  const again = { label: 'Look Again', icon: 'refresh', value: 'again' } as const;
  const rows: readonly Choice<LocalModelServer>[] = servers
    .filter(({ models }) => usableModels(models).length > 0)
    .map((server) => ({
      label: server.name,
      icon: 'vm',
      description: hostOf(server.baseUrl),
      detail: truncate(
        usableModels(server.models)
          .map(({ id }) => id)
          .join(', '),
        1_000,
      ),
      value: server,
    }));
  if (rows.length > 0) return { placeholder: 'Whose models to use', rows: [...rows, { ...again, isApart: true }] };
  const names = servers.map(({ name }) => name).join(', ');
  const placeholder =
    servers.length > 0
      ? `${names} has no model yet: load one there, for instance with “ollama pull llama3.2”`
      : 'Nothing found. Start Ollama, the server of LM Studio, llama-server (llama.cpp) or “vllm serve”';
  return { placeholder, rows: [{ ...again, detail: placeholder }] };
}

async function askAddress({ draft, hasBack }: AskedStep, { inputs }: AddModelPorts): Promise<StepOutcome> {
  const answer = await inputs.enter({
    title: `${addTitle}: Address`,
    hasBack,
    prompt:
      'The address before /chat/completions. With http:// to another computer, requests can be read on the way, and no key is sent.',
    placeholder: 'http://127.0.0.1:11434/v1',
    value: draft.address ?? '',
    check: (text) => sentence('The address', addressProblem(text)),
  });
  return next(answer, (address) => withAddress(draft, normalAddress(address)));
}

async function askKey({ draft, hasBack }: AskedStep, { inputs }: AddModelPorts): Promise<StepOutcome> {
  const host = hostOf(addressOf(draft));
  const isNeeded = needsKey(draft);
  const answer = await inputs.enter({
    title: `${addTitle}: Key`,
    hasBack,
    prompt: `The API key. It is kept in the secret storage, and sent to ${host} only.${isNeeded ? '' : ' Leave it empty if none is needed.'}`,
    value: draft.key ?? '',
    isSecret: true,
    check: (text) => keyProblem(text, isNeeded),
  });
  return next(answer, (key) => ({ ...draft, key }));
}

/** Why a text cannot be a key, as a sentence; `undefined` if it can. */
export function keyProblem(key: string, isNeeded: boolean): string | undefined {
  if (key === '') return isNeeded ? 'A key is needed.' : undefined;
  if (key.length > modelMaximums.key) return 'This is too long for a key.';
  return /^[!-~]+$/.test(key) ? undefined : 'A key has only letters, digits and signs, without spaces.';
}

type ModelRow = RemoteModel | 'typed' | 'key';

async function askModel(asked: AskedStep, ports: AddModelPorts): Promise<StepOutcome> {
  const { draft, hasBack } = asked;
  for (;;) {
    const answer = await ports.inputs.choose<ModelRow>({
      title: `${addTitle}: Model`,
      hasBack,
      waiting: `Asking ${hostOf(addressOf(draft))} for its models…`,
      load: (signal) => loadModels(draft, ports.endpoints, signal),
    });
    if (answer.kind === 'back') return answer;
    // The question before this one.
    if (answer.value === 'key') return { kind: 'back' };
    if (answer.value !== 'typed') return { kind: 'next', draft: withModel(draft, answer.value) };
    const typed = await ports.inputs.enter({
      title: `${addTitle}: Model`,
      hasBack: true,
      prompt: 'The name of the model, as the provider writes it',
      value: draft.model?.id ?? '',
      check: (text) => sentence('The name', nameProblem(text, modelMaximums.model)),
    });
    if (typed.kind === 'value') return { kind: 'next', draft: withModel(draft, { id: typed.value }) };
  }
}

async function loadModels(
  draft: ModelDraft,
  endpoints: ModelEndpoints,
  signal: AbortSignal,
): Promise<Choices<ModelRow>> {
  const { provider, server, key } = draft;
  if (server !== undefined) return modelChoices(usableModels(server.models));
  const baseUrl = addressOf(draft);
  try {
    const connection = { name: 'The server', api: provider?.api ?? 'openai-chat', baseUrl };
    return modelChoices(usableModels(await endpoints.list(connection, keyFor(draft, key), signal)));
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
  const rows = models.map((model) => ({
    label: model.name ?? model.id,
    description: [...(model.name === undefined || model.name === model.id ? [] : [model.id]), describeModel(model)]
      .filter((text) => text !== '')
      .join(', '),
    value: model,
  }));
  const detail = failure ?? (rows.length === 0 ? 'The list is empty.' : undefined);
  const explained = detail === undefined ? {} : { detail };
  const enterKey = { label: 'Enter the Key…', icon: 'key', ...explained, value: 'key' } as const;
  const typed = {
    label: 'Enter the Name of the Model…',
    icon: 'edit',
    ...(wantsKey ? {} : explained),
    isApart: rows.length > 0,
    value: 'typed',
  } as const;
  return {
    placeholder: failure === undefined ? 'Which model to use' : 'The models cannot be listed',
    rows: [...rows, ...(wantsKey ? [enterKey] : []), typed],
  };
}

async function askPrice({ draft, hasBack }: AskedStep, { inputs }: AddModelPorts): Promise<StepOutcome> {
  const answer = await inputs.enter({
    title: `${addTitle}: Price`,
    hasBack,
    prompt: 'US dollars per million tokens: input, output. Leave it empty if you do not know.',
    placeholder: '0.15, 0.60',
    value: draft.price === undefined ? '' : `${draft.price.input}, ${draft.price.output}`,
    check: priceProblem,
  });
  return next(answer, (text) => {
    const price = parsePrice(text);
    return withPrice(draft, typeof price === 'string' ? undefined : price);
  });
}

/** Why a text cannot be a price, as a sentence; `undefined` if it can. */
export function priceProblem(text: string): string | undefined {
  const price = parsePrice(text);
  return typeof price === 'string' ? price : undefined;
}

async function askDraftTest({ draft, hasBack }: AskedStep, { inputs, endpoints }: AddModelPorts): Promise<StepOutcome> {
  const connection = toConnection(draft, { ids: [], names: [] });
  if (connection === undefined) return { kind: 'back' };
  const test = (signal: AbortSignal) => endpoints.test(connection, keyFor(connection, draft.key), signal);
  const outcome = await askTest({ title: `${addTitle}: Test`, hasBack, connection, test, saves: true }, inputs);
  return outcome === 'done' ? { kind: 'next', draft } : { kind: outcome };
}

/** @returns the key as it may be sent: not at all where others could read it */
function keyFor(to: ModelDraft | ModelConnection, key: string | undefined): string | undefined {
  const baseUrl = 'baseUrl' in to ? to.baseUrl : addressOf(to);
  return key !== undefined && key !== '' && mayCarryKey(baseUrl) ? key : undefined;
}

function next<T>(answer: StepAnswer<T>, change: (value: T) => ModelDraft): StepOutcome {
  return answer.kind === 'back' ? answer : { kind: 'next', draft: change(answer.value) };
}

/** @param problem the end of the sentence */
function sentence(subject: string, problem: string | undefined): string | undefined {
  return problem && `${subject} ${problem}.`;
}
