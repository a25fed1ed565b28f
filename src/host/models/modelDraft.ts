import { hasHiddenCharacters, visibleText } from '../../base/visibleText.ts';
import { localPorts, type LocalModelServer } from '../../models/localServers.ts';
import type { ModelApi, ModelConnection, ModelPrice } from '../../models/modelGateway.ts';
import type { RemoteModel } from '../../models/remoteModels.ts';
import { createModelId, hostOf, isLocalAddress, isPrice, modelMaximums, uniqueModelName } from './modelEntries.ts';

/** Where models come from, as *Add Model…* offers it. */
export interface ModelProvider {
  readonly label: string;
  readonly description: string;
  readonly api: ModelApi;
  /** Of a known provider. */
  readonly address?: string;
  /** True for the programs on this machine. Otherwise the person enters the address, if it is not known. */
  readonly isLocal?: true;
}

/** The choices of *Add Model…*, in their order. */
export const modelProviders: readonly ModelProvider[] = [
  {
    label: 'Look for Models on This Computer',
    description: `Asks 127.0.0.1 for ${localPorts.map(({ port, program }) => `${program} (${port})`).join(', ')}`,
    api: 'openai-chat',
    isLocal: true,
  },
  known('OpenAI (Chat completions)', 'openai-chat', 'https://api.openai.com/v1'),
  known('OpenAI (Responses)', 'openai-responses', 'https://api.openai.com/v1'),
  known('Anthropic (Messages)', 'anthropic', 'https://api.anthropic.com/v1'),
  known('Google Gemini (generateContent)', 'gemini', 'https://generativelanguage.googleapis.com/v1beta'),
  known('OpenRouter (Chat completions)', 'openai-chat', 'https://openrouter.ai/api/v1'),
  {
    label: 'Another OpenAI-Compatible Address…',
    description: 'Chat completions of any other server, on this computer or elsewhere',
    api: 'openai-chat',
  },
];

function known(label: string, api: ModelApi, address: string): ModelProvider {
  return { label, description: `${new URL(address).host}, with your key`, api, address };
}

/** What a person has entered so far. */
export interface ModelDraft {
  readonly provider?: ModelProvider | undefined;
  /** The program on this machine that was found. */
  readonly server?: LocalModelServer;
  /** Of the provider or the program, or as the person wrote it. */
  readonly address?: string | undefined;
  readonly key?: string;
  readonly model?: RemoteModel;
  /** As the person entered it. */
  readonly price?: ModelPrice | undefined;
}

/** @returns the connection of a draft with provider and model. @param ids in use @param names in use */
export function toConnection(
  { provider, address = '', model, price }: ModelDraft,
  ids: readonly string[],
  names: readonly string[],
): ModelConnection {
  if (provider === undefined || model === undefined) throw new Error('No model is chosen.');
  const { contextTokens, abilities } = model;
  const name = uniqueModelName(visibleText(model.name ?? model.id).trim() || model.id, hostOf(address), names);
  const itsPrice = isLocalAddress(address) ? { input: 0, output: 0 } : (price ?? knownPrice(model));
  return {
    id: createModelId(name, ids),
    name,
    api: provider.api,
    baseUrl: address,
    model: model.id,
    ...(contextTokens !== undefined && { contextTokens }),
    ...(itsPrice !== undefined && { price: itsPrice }),
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
