import { hasHiddenCharacters, visibleText } from '../../base/visibleText.ts';
import type { ModelConnection } from '../../models/modelConnection.ts';
import type { ModelPrice } from '../../models/modelGateway.ts';
import type { LocalModelServer } from '../../models/localServers.ts';
import type { RemoteModel } from '../../models/remoteModels.ts';
import {
  createModelId,
  hostOf,
  isLocalAddress,
  isPrice,
  mayCarryKey,
  modelMaximums,
  uniqueModelName,
} from './modelEntries.ts';
import type { ModelProvider } from './modelProviders.ts';

/** What a person has entered so far. */
export interface ModelDraft {
  readonly provider?: ModelProvider;
  /** The program on this machine that was found. */
  readonly server?: LocalModelServer;
  /** Where the person wrote it themselves; otherwise it is that of the provider or the program. */
  readonly address?: string;
  readonly key?: string;
  readonly model?: RemoteModel;
  /** As the person entered it. */
  readonly price?: ModelPrice;
}

/** The questions of *Add Model…*, in their order. */
export const modelSteps = ['provider', 'server', 'address', 'key', 'model', 'price', 'test'] as const;

/** One question of *Add Model…*. */
export type ModelStep = (typeof modelSteps)[number];

/** The questions one after the other. A new state each time, the old one untouched. */
export interface ModelFlow {
  readonly step: ModelStep;
  /** The questions that were answered, the last one last. */
  readonly before: readonly ModelStep[];
  readonly draft: ModelDraft;
}

/** The flow at its first question. */
export function startFlow(): ModelFlow {
  return { step: 'provider', before: [], draft: {} };
}

/** Answers the question, and goes on. @returns `undefined` after the last question */
export function answerStep({ step, before }: ModelFlow, draft: ModelDraft): ModelFlow | undefined {
  const next = modelSteps.slice(modelSteps.indexOf(step) + 1).find((each) => isNeeded(each, draft));
  return next && { step: next, before: [...before, step], draft };
}

/** The flow at the question before; at the first question, the flow itself. */
export function goBack(flow: ModelFlow): ModelFlow {
  const { before, draft } = flow;
  const step = before.at(-1);
  return step === undefined ? flow : { step, before: before.slice(0, -1), draft };
}

/** The flow at the first question about the chosen provider: the address, the key or the model. */
export function goToEdit({ before, draft }: ModelFlow): ModelFlow {
  return { step: before[1] ?? 'provider', before: before.slice(0, 1), draft };
}

function isNeeded(step: ModelStep, draft: ModelDraft): boolean {
  const { kind } = draft.provider ?? {};
  switch (step) {
    case 'server':
      return kind === 'local';
    case 'address':
      return kind === 'other';
    case 'key':
      return kind !== 'local' && mayCarryKey(addressOf(draft));
    case 'price':
      return draft.model?.price === undefined && !isLocalAddress(addressOf(draft));
    case 'provider':
    case 'model':
    case 'test':
      return true;
  }
}

/** @returns the address of the endpoint; empty before it is known */
export function addressOf({ provider, server, address }: ModelDraft): string {
  switch (provider?.kind) {
    case 'local':
      return server?.baseUrl ?? '';
    case 'other':
      return address ?? '';
    case 'known':
      return provider.baseUrl;
    case undefined:
      return '';
  }
}

/** True where the API takes no request without a key. An address that a person enters may belong to one that does. */
export function needsKey({ provider }: ModelDraft): boolean {
  return provider?.kind === 'known';
}

/** Keeps what was entered only where the provider is still the same. */
export function withProvider(draft: ModelDraft, provider: ModelProvider): ModelDraft {
  return draft.provider === provider ? draft : { provider };
}

/** Keeps what was entered only where the program is still the same. */
export function withServer(draft: ModelDraft, server: LocalModelServer): ModelDraft {
  const { provider } = draft;
  const isSame = draft.server?.baseUrl === server.baseUrl;
  return { ...(isSame ? draft : provider && { provider }), server };
}

/** A key that was entered for another origin is forgotten, as it must not go anywhere else. */
export function withAddress(draft: ModelDraft, address: string): ModelDraft {
  const { provider } = draft;
  const isSame = draft.address !== undefined && new URL(draft.address).origin === new URL(address).origin;
  return { ...(isSame ? draft : provider && { provider }), address };
}

/** A price that was entered belongs to the model that was chosen then. */
export function withModel(draft: ModelDraft, model: RemoteModel): ModelDraft {
  if (draft.model?.id === model.id) return { ...draft, model };
  const { price: _price, ...rest } = draft;
  return { ...rest, model };
}

/** A price that was left empty is not known. */
export function withPrice(draft: ModelDraft, price: ModelPrice | undefined): ModelDraft {
  const { price: _price, ...rest } = draft;
  return price === undefined ? rest : { ...rest, price };
}

/** Names and ids that are in use. */
export interface TakenNames {
  readonly ids: readonly string[];
  readonly names: readonly string[];
}

/** @returns the connection that the draft describes; `undefined` before the model is chosen */
export function toConnection(draft: ModelDraft, taken: TakenNames): ModelConnection | undefined {
  const { provider, model } = draft;
  if (provider === undefined || model === undefined) return undefined;
  const baseUrl = addressOf(draft);
  const shown = visibleText(model.name ?? model.id).trim() || model.id;
  const name = uniqueModelName(shown, hostOf(baseUrl), taken.names);
  const price = isLocalAddress(baseUrl) ? { input: 0, output: 0 } : (draft.price ?? knownPrice(model));
  const { contextTokens, abilities } = model;
  return {
    id: createModelId(name, taken.ids),
    name,
    api: provider.api,
    baseUrl,
    model: model.id,
    ...(contextTokens !== undefined && { contextTokens }),
    ...(price !== undefined && { price }),
    ...(abilities !== undefined && { abilities }),
  };
}

function knownPrice({ price }: RemoteModel): ModelPrice | undefined {
  return price !== undefined && isPrice(price.input) && isPrice(price.output) ? price : undefined;
}

/** The models of a list that can be set up, the first one of each id. What an endpoint says is not trusted. */
export function usableModels(models: readonly RemoteModel[]): readonly RemoteModel[] {
  const usable = models.filter(
    ({ id }) => id.trim() === id && id !== '' && id.length <= modelMaximums.model && !hasHiddenCharacters(id),
  );
  return [...new Map(usable.map((model) => [model.id, model])).values()];
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
