import { isString } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { modelLimits } from '../base/modelLimits.ts';
import type { SamplingRequest } from '../protocol/mcp/sampling.ts';
import type { Tool } from '../protocol/mcp/tools.ts';
import type { Endpoint } from './endpoint.ts';
import type { CallOptions } from './languageModel.ts';
import { type ModelApi, type ModelConnection, ModelError } from './modelGateway.ts';
import { createPrompt, ToolNames } from './prompt.ts';

/** A sampling request as a provider package takes it. */
export type ModelCall = ReturnType<typeof createCall>;

/** The largest number of tokens that every provider can read. */
const maximumTokens = 2 ** 31 - 1;

/** Stop sequences that an API takes; the others are applied to its answer. */
const takenStopSequences = { 'openai-chat': 4, 'openai-responses': 0, anthropic: 64, gemini: 5 } as const;

/**
 * Translates a sampling request. `includeContext` and the preferences are not for the provider. Of `metadata`, whose format is
 * not defined (2025-11-25, Client Features / Sampling), only `user_id` is passed on, and only to Anthropic, whose API has it.
 * @throws {ModelError} `unsupported` for content that the model does not take; `failed` for a request that cannot be sent
 */
export function createCall(request: SamplingRequest, connection: ModelConnection, endpoint: Endpoint) {
  const { tools = [], toolChoice, temperature, stopSequences = [] } = request;
  const maxTokens = Math.min(Math.floor(request.maxTokens), maximumTokens);
  if (!(maxTokens >= 1)) throw new ModelError('failed', 'The request asks for less than one token.');
  assertStopSequences(stopSequences);
  if (tools.length > 0 && connection.abilities?.tools === false) {
    throw new ModelError('unsupported', `"${connection.name}" does not take tools: choose another model.`);
  }
  const blocks = request.messages.flatMap(({ content }) => content);
  const called = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.name] : []));
  const offered = tools.map(({ name }) => name);
  const names = new ToolNames(offered, called);
  const stops = stopSequences
    .filter((sequence) => sequence.trim() !== '')
    .slice(0, takesStopSequences(connection, endpoint) ? takenStopSequences[connection.api] : 0);
  const options: CallOptions = {
    prompt: createPrompt(request, connection, names),
    maxOutputTokens: maxTokens,
    includeRawChunks: true,
    providerOptions: providerOptionsOf(request, connection, endpoint),
    ...(temperature !== undefined && { temperature }),
    ...(stops.length > 0 && { stopSequences: stops }),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => toolOption(tool, connection.api, names)),
      toolChoice: { type: toolChoice?.mode ?? 'auto' },
    }),
  };
  return { options, names, maxTokens, stopSequences };
}

function toolOption({ name, description, inputSchema }: Tool, api: ModelApi, names: ToolNames) {
  return {
    type: 'function' as const,
    name: names.toProvider(name),
    inputSchema: inputSchema ?? { type: 'object' },
    ...(description !== undefined && { description }),
    // The Responses API would otherwise make all members of an input required.
    ...(api === 'openai-responses' && { strict: false }),
  };
}

function assertStopSequences(sequences: readonly string[]): void {
  const { count, characters } = modelLimits.answer.stopSequences;
  if (sequences.length > count || sequences.some(({ length }) => length > characters)) {
    throw new ModelError(
      'failed',
      `The request has too many or too long stop sequences: the maximum is ${count} of ${characters} characters.`,
    );
  }
}

/** OpenAI refuses them for its models that think. */
function takesStopSequences({ model }: ModelConnection, { isOpenAI }: Endpoint): boolean {
  return !isOpenAI || !/^(?:o\d|gpt-5)/.test(model);
}

function providerOptionsOf(
  { metadata = {} }: SamplingRequest,
  { api }: ModelConnection,
  { vendor }: Endpoint,
): NonNullable<CallOptions['providerOptions']> {
  if (api === 'openai-responses') return { openai: { store: false } };
  if (api !== 'anthropic') return {};
  const userId = metadata['user_id'];
  return {
    anthropic: {
      // Servers that only speak Anthropic's API refuse members they do not know.
      ...(vendor !== 'Anthropic' && { toolStreaming: false }),
      ...(isString(userId) && userId.length <= limits.id.characters && { metadata: { userId } }),
    },
  };
}
