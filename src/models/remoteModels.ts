import { isRecord, isString, isStringArray, type UnknownRecord } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { modelLimits } from '../base/modelLimits.ts';
import { truncate } from '../base/truncate.ts';
import { visibleText } from '../base/visibleText.ts';
import { getJson, type Reach } from './boundedJson.ts';
import { type Endpoint, endpointOf, keyHeaders } from './endpoint.ts';
import { connectionFailure, type FailureContext, failureOf, readRetryAfter } from './modelFailures.ts';
import {
  type ModelAbilities,
  type ModelApi,
  type ModelConnection,
  ModelError,
  type ModelPrice,
} from './modelGateway.ts';

export interface RemoteModel {
  /** For {@link ModelConnection.model}. */
  readonly id: string;
  readonly name?: string;
  readonly contextTokens?: number;
  readonly abilities?: ModelAbilities;
  readonly price?: ModelPrice;
}

const timeoutMs = 30_000;

/**
 * Asks a provider which models it has, for a person who adds one.
 * @throws {ModelError}; or the signal's reason
 */
export async function listRemoteModels(
  connection: Pick<ModelConnection, 'name' | 'api' | 'baseUrl'>,
  key: string | undefined,
  reach: Reach,
): Promise<readonly RemoteModel[]> {
  const endpoint = endpointOf(connection);
  const context: FailureContext = { endpoint, key, model: undefined };
  const models = new Map<string, RemoteModel>();
  let page: string | undefined = '';
  for (let count = 0; page !== undefined && count < modelLimits.list.pages; count += 1) {
    const body: UnknownRecord = await getPage(pageUrl(endpoint, page), context, reach);
    for (const model of readModels(body, endpoint.api)) models.set(model.id, model);
    page = models.size < modelLimits.list.models ? nextPage(body, endpoint.api) : undefined;
  }
  return [...models.values()].slice(0, modelLimits.list.models);
}

/** Reads one page of a list of models. Leaves out what is none. */
export function readModels(body: UnknownRecord, api: ModelApi): readonly RemoteModel[] {
  const entries = body[api === 'gemini' ? 'models' : 'data'];
  const read = api === 'gemini' ? readGemini : api === 'anthropic' ? readAnthropic : readOpenAI;
  return Array.isArray(entries) ? entries.filter(isRecord).flatMap(read) : [];
}

function pageUrl({ api, baseUrl }: Endpoint, page: string): URL {
  const url = new URL(`${baseUrl}/models`);
  if (api === 'anthropic') url.searchParams.set('limit', '1000');
  if (api === 'gemini') url.searchParams.set('pageSize', '1000');
  if (page !== '') url.searchParams.set(api === 'gemini' ? 'pageToken' : 'after_id', page);
  return url;
}

/** Anthropic and Gemini list in pages; the other lists are whole. */
function nextPage(body: UnknownRecord, api: ModelApi): string | undefined {
  const { nextPageToken, has_more: hasMore, last_id: lastId } = body;
  const next = api === 'gemini' ? nextPageToken : api === 'anthropic' && hasMore === true ? lastId : undefined;
  return isString(next) && next !== '' && next.length <= limits.id.characters ? next : undefined;
}

async function getPage(url: URL, context: FailureContext, reach: Reach): Promise<UnknownRecord> {
  const { endpoint, key } = context;
  const version = endpoint.api === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {};
  const headers = { ...version, ...keyHeaders(endpoint, key) };
  const answer = await getJson(url, headers, timeoutMs, reach).catch((error: unknown) => {
    if (reach.signal.aborted || error instanceof ModelError) throw error;
    throw connectionFailure(error, false, context);
  });
  const { status, body } = answer;
  const address = visibleText(url.origin + url.pathname);
  if (status >= 300 && status < 400) {
    throw new ModelError('failed', `${address} redirects elsewhere: set the right address.`);
  }
  if (status < 200 || status >= 300) {
    const retryAfterMs = readRetryAfter(answer.headers, reach.clock.now());
    throw failureOf({ status, body, address, retryAfterMs }, context);
  }
  if (isRecord(body) && Array.isArray(body[endpoint.api === 'gemini' ? 'models' : 'data'])) return body;
  throw new ModelError('failed', `${address} does not list models: check the address.`);
}

/** OpenAI says the id only; the names of the other members are those of OpenRouter, vLLM, Groq, Mistral and llama.cpp. */
function readOpenAI(entry: UnknownRecord): readonly RemoteModel[] {
  const { name, pricing, architecture, supported_parameters: parameters, meta } = entry;
  const context =
    entry['context_length'] ??
    entry['max_model_len'] ??
    entry['context_window'] ??
    entry['max_context_length'] ??
    (isRecord(meta) ? (meta['n_ctx'] ?? meta['n_ctx_train']) : undefined);
  const modalities = isRecord(architecture) ? architecture['input_modalities'] : undefined;
  const abilities: ModelAbilities = {
    ...(isStringArray(modalities) && { image: modalities.includes('image'), audio: modalities.includes('audio') }),
    ...(isStringArray(parameters) && { tools: parameters.includes('tools') }),
  };
  return toModel(entry['id'], name, context, abilities, isRecord(pricing) ? readPrice(pricing) : undefined);
}

function readAnthropic(entry: UnknownRecord): readonly RemoteModel[] {
  const { id, display_name: name, max_input_tokens: context, capabilities } = entry;
  const image = isRecord(capabilities) ? capabilities['image_input'] : undefined;
  const isSupported = isRecord(image) ? image['supported'] : undefined;
  return toModel(id, name, context, typeof isSupported === 'boolean' ? { image: isSupported } : {}, undefined);
}

function readGemini(entry: UnknownRecord): readonly RemoteModel[] {
  const { name: id, displayName, inputTokenLimit, supportedGenerationMethods: methods } = entry;
  if (!isStringArray(methods) || !methods.includes('generateContent')) return [];
  return toModel(isString(id) ? id.replace(/^models\//, '') : id, displayName, inputTokenLimit, {}, undefined);
}

function toModel(
  id: unknown,
  name: unknown,
  contextTokens: unknown,
  abilities: ModelAbilities,
  price: ModelPrice | undefined,
): readonly RemoteModel[] {
  if (!isString(id) || id === '' || id.length > limits.server.name) return [];
  return [
    {
      id,
      ...(isString(name) && name !== '' && { name: truncate(name, limits.server.name) }),
      ...(isCount(contextTokens) && { contextTokens }),
      ...(Object.keys(abilities).length > 0 && { abilities }),
      ...(price !== undefined && { price }),
    },
  ];
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

/** OpenRouter says US dollars for one token, as text; -1 where the price depends on the model it chooses. */
function readPrice({ prompt, completion }: UnknownRecord): ModelPrice | undefined {
  const [input, output] = [forMillion(prompt), forMillion(completion)];
  return input >= 0 && output >= 0 ? { input, output } : undefined;
}

function forMillion(price: unknown): number {
  const number = isString(price) && price !== '' ? Number(price) * 1_000_000 : NaN;
  // Without the noise of binary fractions: 0.00000015 becomes 0.15.
  return Number.isFinite(number) ? Number(number.toPrecision(10)) : NaN;
}
