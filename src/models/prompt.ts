import { isRecord, isString, toJsonText } from '../base/json.ts';
import { modelLimits } from '../base/modelLimits.ts';
import type { ContentBlock } from '../protocol/mcp/content.ts';
import type {
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
  ToolResultContent,
  ToolUseContent,
} from '../protocol/mcp/sampling.ts';
import type { CallOptions, PromptMessage } from './languageModel.ts';
import { type ModelApi, type ModelConnection, ModelError } from './modelGateway.ts';
import { structuredText } from './toolTexts.ts';

type UserMessage = Extract<PromptMessage, { role: 'user' }>;
type UserPart = UserMessage['content'][number];
type AssistantPart = Extract<PromptMessage, { role: 'assistant' }>['content'][number];
type ToolResultPart = Extract<Extract<PromptMessage, { role: 'tool' }>['content'][number], { type: 'tool-result' }>;
type Media = Extract<SamplingContent, { type: 'image' | 'audio' }>;
type ToolOutput = Extract<ToolResultPart['output'], { type: 'content' }>['value'][number];

/**
 * Translates the messages of a sampling request.
 * @throws {ModelError} `unsupported` for images or audio that the model does not take; `failed` without any content
 */
export function createPrompt(
  { systemPrompt, messages }: Pick<SamplingRequest, 'systemPrompt' | 'messages'>,
  connection: ModelConnection,
  names: ToolNames,
): CallOptions['prompt'] {
  const toolNames = new Map<string, string>();
  const prompt: PromptMessage[] = [];
  if (systemPrompt !== undefined && systemPrompt !== '') prompt.push({ role: 'system', content: systemPrompt });
  for (const message of messages) {
    assertAbilities(message, connection);
    for (const block of message.content) {
      if (block.type === 'tool_use') toolNames.set(block.id, names.toProvider(block.name));
    }
    prompt.push(...translate(message, connection.api, names, toolNames));
  }
  if (!prompt.some(({ role }) => role !== 'system')) throw new ModelError('failed', 'The request has no content.');
  return prompt;
}

/** What the model is known not to take is refused before anything is sent. */
function assertAbilities({ content }: SamplingMessage, { abilities = {}, name }: ModelConnection): void {
  const blocks = content.flatMap((block): readonly (SamplingContent | ContentBlock)[] =>
    block.type === 'tool_result' ? block.content : [block],
  );
  if (abilities.image === false && blocks.some(({ type }) => type === 'image')) {
    throw new ModelError('unsupported', `"${name}" does not take images: choose another model.`);
  }
  if (abilities.audio === false && blocks.some(({ type }) => type === 'audio')) {
    throw new ModelError('unsupported', `"${name}" does not take audio: choose another model.`);
  }
}

function translate(
  { role, content }: SamplingMessage,
  api: ModelApi,
  names: ToolNames,
  toolNames: ReadonlyMap<string, string>,
): readonly PromptMessage[] {
  if (role === 'assistant') {
    const parts = content.flatMap((block) => assistantParts(block, api, names));
    return parts.length === 0 ? [] : [{ role: 'assistant', content: parts }];
  }
  const results = content.filter((block) => block.type === 'tool_result');
  if (results.length > 0) return toolMessages(results, api, toolNames);
  const parts = content.flatMap(userParts);
  return parts.length === 0 ? [] : [{ role: 'user', content: parts }];
}

function userParts(block: SamplingContent): readonly UserPart[] {
  if (block.type === 'tool_use') throw new ModelError('failed', 'The request calls a tool in the name of the user.');
  if (block.type === 'tool_result') return [];
  return block.type === 'text' ? textParts(block.text) : [filePart(block)];
}

function assistantParts(block: SamplingContent, api: ModelApi, names: ToolNames): readonly AssistantPart[] {
  if (block.type === 'tool_result') return [];
  if (block.type === 'tool_use') return [toolCallPart(block, names)];
  if (block.type === 'text') return textParts(block.text);
  if (api === 'gemini') return [filePart(block)];
  // The packages for the other APIs would leave it out without a word.
  throw new ModelError(
    'unsupported',
    `The request has an ${block.type} as an answer of the model, which is not taken.`,
  );
}

/** Anthropic refuses empty texts. */
function textParts(text: string) {
  return text === '' ? [] : [{ type: 'text' as const, text }];
}

function filePart({ data, mimeType }: Media): Extract<UserPart, { type: 'file' }> {
  return { type: 'file', data, mediaType: mimeType.toLowerCase() };
}

function toolCallPart(block: ToolUseContent, names: ToolNames): AssistantPart {
  const thoughtSignature = thoughtSignatureOf(block);
  return {
    type: 'tool-call',
    toolCallId: block.id,
    toolName: names.toProvider(block.name),
    input: block.input,
    // The package for OpenAI's chat completions looks for it under the same name.
    ...(thoughtSignature !== undefined && { providerOptions: { google: { thoughtSignature } } }),
  };
}

function toolMessages(
  results: readonly ToolResultContent[],
  api: ModelApi,
  toolNames: ReadonlyMap<string, string>,
): readonly PromptMessage[] {
  const parts = results.map((result): ToolResultPart => {
    const { toolUseId: toolCallId, isError = false } = result;
    const toolName = toolNames.get(toolCallId) ?? 'unknown';
    return { type: 'tool-result', toolCallId, toolName, output: toolResultOutput(toolOutput(result), isError, api) };
  });
  // Chat completions take text only as the result of a tool: its images follow in a message of the user.
  const media = api === 'openai-chat' ? results.flatMap(({ content }) => content.filter(isMedia)) : [];
  const introduction: UserPart = { type: 'text', text: 'The images and audio of the tool results:' };
  const more: UserMessage = { role: 'user', content: [introduction, ...media.map(filePart)] };
  return [{ role: 'tool', content: parts }, ...(media.length > 0 ? [more] : [])];
}

function toolResultOutput(output: readonly ToolOutput[], isError: boolean, api: ModelApi): ToolResultPart['output'] {
  const texts = output.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const hasMedia = texts.length < output.length;
  // No package has a failure with images.
  if (isError) return { type: 'error-text', value: texts.join('\n') || 'The tool failed.' };
  if (hasMedia && api !== 'openai-chat') return { type: 'content', value: [...output] };
  return { type: 'text', value: texts.join('\n') || (hasMedia ? 'The result follows.' : 'The tool returned nothing.') };
}

function toolOutput(result: ToolResultContent): readonly ToolOutput[] {
  const json = structuredText(result);
  return [...result.content.map(resultPart), ...(json === undefined ? [] : [{ type: 'text', text: json } as const])];
}

function resultPart(block: ContentBlock): ToolOutput {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image-data', data: block.data, mediaType: block.mimeType.toLowerCase() };
    case 'audio':
      return { type: 'file-data', data: block.data, mediaType: block.mimeType.toLowerCase() };
    case 'resource':
      return { type: 'text', text: block.resource.text ?? `[The resource ${block.resource.uri} is not text.]` };
    case 'resource_link':
      return { type: 'text', text: `[A link to the resource ${block.name}: ${block.uri}]` };
    case 'unknown':
      return { type: 'text', text: toJsonText(block.original) };
  }
}

function isMedia(block: ContentBlock): block is Extract<ContentBlock, { type: 'image' | 'audio' }> {
  return block.type === 'image' || block.type === 'audio';
}

/**
 * The member of `_meta` of a `tool_use` with what its provider wants back in later requests (2025-11-25, Client Features /
 * Sampling, "Message Content Types"): `{ thoughtSignature }` of Gemini, which refuses a call of its newer models without it.
 */
export const providerMetadataKey = 'patchbay/providerMetadata';

/** @returns `_meta` for a call of a tool, from what the provider package says of it */
export function toolUseMeta(providerMetadata: unknown): Pick<ToolUseContent, '_meta'> {
  const parts = isRecord(providerMetadata) ? Object.values(providerMetadata) : [];
  const thoughtSignature = parts.map(signatureIn).find((signature) => signature !== undefined);
  return thoughtSignature === undefined ? {} : { _meta: { [providerMetadataKey]: { thoughtSignature } } };
}

/** @returns the signature in a `tool_use` that a server sends back, if it is one */
function thoughtSignatureOf({ _meta }: ToolUseContent): string | undefined {
  return signatureIn(_meta?.[providerMetadataKey]);
}

function signatureIn(value: unknown): string | undefined {
  const signature = isRecord(value) ? value['thoughtSignature'] : undefined;
  // Base64, as a provider sends it: what a server puts there reaches the provider, and nothing else.
  const isValid =
    isString(signature) && signature.length <= modelLimits.answer.metadata && /^[\w+/=-]+$/.test(signature);
  return isValid ? signature : undefined;
}

/** What every provider takes. */
const takenByAll = /^[a-zA-Z_][\w-]{0,63}$/;
const maximumLength = 64;

/** The names of tools as a provider takes them: MCP allows more characters, and longer names. */
export class ToolNames {
  readonly #provided = new Map<string, string>();
  readonly #offered: ReadonlyMap<string, string>;

  /**
   * @param offered the names of the tools of a request
   * @param others the names of tools that were called before; they need not be offered any more
   */
  constructor(offered: readonly string[], others: readonly string[]) {
    const all = [...new Set([...offered, ...others])];
    const taken = new Set(all.filter((name) => takenByAll.test(name)));
    for (const name of all) {
      const chosen = taken.has(name) ? name : rename(name, taken);
      this.#provided.set(name, chosen);
      taken.add(chosen);
    }
    this.#offered = new Map(offered.map((name) => [this.toProvider(name), name]));
  }

  toProvider(name: string): string {
    return this.#provided.get(name) ?? name;
  }

  /** @returns the name of the tool that the provider means; `undefined` for one that was not offered */
  toOffered(name: string): string | undefined {
    return this.#offered.get(name);
  }
}

function rename(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^\w-]/g, '_').replace(/^(?![a-zA-Z_])/, '_');
  let chosen = plain.slice(0, maximumLength);
  for (let count = 2; taken.has(chosen); count += 1) {
    const suffix = `_${count}`;
    chosen = plain.slice(0, maximumLength - suffix.length) + suffix;
  }
  return chosen;
}
