import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { toJsonText } from '../../base/json.ts';
import {
  type ModelAnswer,
  ModelError,
  type ModelFailure,
  type ModelGateway,
  type ModelInfo,
  type TokenUsage,
} from '../../models/modelGateway.ts';
import { structuredText } from '../../models/toolTexts.ts';
import type { ContentBlock } from '../../protocol/mcp/content.ts';
import type {
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
  SamplingResult,
  ToolResultContent,
} from '../../protocol/mcp/sampling.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { withSignal } from '../platform/cancellation.ts';

/** Makes the ids of these models different from those of other gateways. */
const prefix = 'lm:';

/** True for the id of a model of VS Code. */
export function isLanguageModelId(id: string): boolean {
  return id.startsWith(prefix);
}

/** The language models of VS Code: those of Copilot and of other extensions. An empty list in editors without the API. */
export function createLanguageModels(): ModelGateway {
  return { list, generate };
}

async function list(): Promise<readonly ModelInfo[]> {
  const models = await editorModels();
  const unique = new Map(models.toReversed().map((model) => [idOf(model), model]));
  return [...unique].toReversed().map(([id, { name, vendor, family, maxInputTokens }]) => {
    return { id, name, vendor, family, maxInputTokens };
  });
}

/** Ids of VS Code are those of one vendor: two extensions may use the same. */
function idOf({ vendor, id }: Pick<vscode.LanguageModelChat, 'vendor' | 'id'>): string {
  return `${prefix}${vendor}/${id}`;
}

async function generate(
  id: string,
  request: SamplingRequest,
  onText: (text: string) => void,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const model = await findModel(id);
  try {
    return await withSignal(signal, async (token, cancel) => {
      signal.throwIfAborted();
      const messages = toChatMessages(request);
      const response = await model.sendRequest(messages, chatOptions(request), token);
      const result = await readResponse(model, response, request.maxTokens, onText, cancel);
      // After the answer: counting may take as long as a request.
      const usage = await countUsage(model, messages, request, result);
      signal.throwIfAborted();
      return { result, usage };
    });
  } catch (error) {
    signal.throwIfAborted();
    throw toModelError(error, model);
  }
}

async function findModel(id: string): Promise<vscode.LanguageModelChat> {
  const model = (await editorModels()).find((one) => idOf(one) === id);
  if (model !== undefined) return model;
  const shown = id.slice(prefix.length);
  throw new ModelError('notFound', `The language model "${shown}" is no longer available. Choose another one.`);
}

/** What the codes of `LanguageModelError` mean, and the names of the errors of Copilot, which have no code of their own. */
const meanings: readonly (readonly [RegExp, ModelFailure])[] = [
  [/quota|rate.?limit/i, 'rateLimited'],
  [/off.?topic|content.?filter|responsible/i, 'refused'],
  [/^(?:NoPermissions|Blocked)$/, 'unauthorized'],
  [/^NotFound$/, 'notFound'],
];

function toModelError(error: unknown, { name, vendor }: vscode.LanguageModelChat): ModelError {
  if (error instanceof ModelError) return error;
  const failure: Partial<vscode.LanguageModelError> = error instanceof Error ? error : {};
  const marks = [failure.name, failure.code, failure.cause instanceof Error ? failure.cause.name : ''];
  const meant = meanings.find(([pattern]) => marks.some((mark = '') => pattern.test(mark)))?.[1];
  return new ModelError(meant ?? 'failed', `${name} (${vendor}) did not answer: ${messageOf(error)}`, { cause: error });
}

/** Counts with the model's own tokenizer; VS Code does not tell what the provider counted. */
async function countUsage(
  model: vscode.LanguageModelChat,
  messages: readonly vscode.LanguageModelChatMessage[],
  { tools, toolChoice }: SamplingRequest,
  { content }: SamplingResult,
): Promise<TokenUsage> {
  const offered = toolChoice?.mode === 'none' ? [] : toChatTools(tools ?? []);
  const sent = [...messages, ...(offered.length > 0 ? [JSON.stringify(offered)] : [])];
  const received = content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block)));
  const [inputTokens, outputTokens] = await Promise.all([countAll(model, sent), countAll(model, received)]);
  return { inputTokens, outputTokens };
}

/** @returns `undefined` if the model does not count: the answer is there all the same */
async function countAll(
  model: vscode.LanguageModelChat,
  parts: readonly (string | vscode.LanguageModelChatMessage)[],
): Promise<number | undefined> {
  try {
    const counts = await Promise.all(parts.map((part) => model.countTokens(part)));
    const isCounted = counts.every((count) => Number.isSafeInteger(count) && count >= 0);
    return isCounted ? counts.reduce((total, count) => total + count, 0) : undefined;
  } catch {
    return undefined;
  }
}

function chatOptions(request: SamplingRequest): vscode.LanguageModelChatRequestOptions {
  const { maxTokens, temperature, stopSequences, tools, toolChoice, metadata } = request;
  const offered = toolChoice?.mode === 'none' ? undefined : tools;
  return {
    justification: 'An MCP server asked for this answer, and you approved its request in Patchbay.',
    modelOptions: {
      max_tokens: maxTokens,
      ...(temperature !== undefined && { temperature }),
      ...(stopSequences !== undefined && { stop: stopSequences }),
      ...(metadata !== undefined && { metadata }),
    },
    ...(offered !== undefined && { tools: toChatTools(offered) }),
    ...(toolChoice?.mode === 'required' && { toolMode: vscode.LanguageModelChatToolMode.Required }),
  };
}

/**
 * Reads the answer of a model. A model may ignore the token limit of its request, so the answer is cut there (2025-11-25,
 * Client Features / Sampling).
 */
async function readResponse(
  model: vscode.LanguageModelChat,
  response: vscode.LanguageModelChatResponse,
  maxTokens: number,
  onText: (text: string) => void,
  cancel: () => void,
): Promise<SamplingResult> {
  const limit = createTokenLimit(maxTokens, (text) => Promise.resolve(model.countTokens(text)));
  const toolUses: SamplingContent[] = [];
  let text = '';
  let isCut = false;
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelToolCallPart) {
      toolUses.push({ type: 'tool_use', id: part.callId, name: part.name, input: part.input as never });
    } else if (part instanceof vscode.LanguageModelTextPart) {
      isCut = await limit.isExceededBy(text + part.value);
      if (isCut) break;
      text += part.value;
      onText(part.value);
    }
  }
  if (isCut) cancel();
  const isText = text !== '' || toolUses.length === 0;
  const content: SamplingContent[] = [...(isText ? [{ type: 'text', text } as const] : []), ...toolUses];
  const stopReason = isCut ? 'maxTokens' : toolUses.length > 0 ? 'toolUse' : 'endTurn';
  return { role: 'assistant', content, model: model.id, stopReason };
}

/** Editors based on VS Code may lack the API although the types declare it. */
async function editorModels(): Promise<readonly vscode.LanguageModelChat[]> {
  const lm = vscode.lm as Partial<typeof vscode.lm> | undefined;
  return (await lm?.selectChatModels?.()) ?? [];
}

/** Makes a limit for one text. @param countTokens counts the tokens of a text as the model does, which may be slow */
export function createTokenLimit(maxTokens: number, countTokens: (text: string) => Promise<number>) {
  // A token has about one character or more: a text this short cannot exceed the limit.
  let nextCheck = maxTokens;
  return {
    async isExceededBy(text: string) {
      if (text.length <= nextCheck) return false;
      const tokens = await countTokens(text);
      nextCheck = text.length + Math.max(0, maxTokens - tokens);
      return tokens > maxTokens;
    },
  };
}

type UserPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart;
type AssistantPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;

/**
 * Translates a request into VS Code's chat messages. These have no system role, so the system prompt is the first user
 * message.
 */
export function toChatMessages(request: SamplingRequest): vscode.LanguageModelChatMessage[] {
  const messages = request.messages.map(toChatMessage);
  const { systemPrompt } = request;
  return systemPrompt === undefined || systemPrompt === ''
    ? messages
    : [vscode.LanguageModelChatMessage.User(systemPrompt), ...messages];
}

/** Translates the tools that a model may call. VS Code's type has no place for titles, annotations and output schemas. */
function toChatTools(tools: readonly Tool[]): vscode.LanguageModelChatTool[] {
  return tools.map(({ name, description = '', inputSchema }) => ({ name, description, inputSchema }));
}

function toChatMessage({ role, content }: SamplingMessage): vscode.LanguageModelChatMessage {
  return role === 'user'
    ? vscode.LanguageModelChatMessage.User(content.map((block) => toPart(block) as UserPart))
    : vscode.LanguageModelChatMessage.Assistant(content.map((block) => toPart(block) as AssistantPart));
}

function toPart(block: SamplingContent): UserPart | AssistantPart {
  switch (block.type) {
    case 'text':
      return new vscode.LanguageModelTextPart(block.text);
    case 'image':
    case 'audio':
      return dataPart(block.data, block.mimeType);
    case 'tool_use':
      return new vscode.LanguageModelToolCallPart(block.id, block.name, block.input);
    case 'tool_result':
      return new vscode.LanguageModelToolResultPart(block.toolUseId, toResultParts(block));
  }
}

/**
 * VS Code's tool results have content only: a text says that the tool failed, and another one holds its structured content.
 */
function toResultParts(result: ToolResultContent): UserPart[] {
  const json = structuredText(result);
  return [
    ...(result.isError === true ? [new vscode.LanguageModelTextPart('The tool failed:')] : []),
    ...result.content.map(toResultPart),
    ...(json === undefined ? [] : [new vscode.LanguageModelTextPart(json)]),
  ];
}

function toResultPart(block: ContentBlock): UserPart {
  if (block.type === 'image' || block.type === 'audio') return dataPart(block.data, block.mimeType);
  return new vscode.LanguageModelTextPart(block.type === 'text' ? block.text : toJsonText(block));
}

/** Media as data if the editor supports it (since VS Code 1.103), otherwise as a text that says what is missing. */
function dataPart(data: string, mimeType: string): UserPart {
  const { LanguageModelDataPart } = vscode as {
    LanguageModelDataPart?: new (data: Uint8Array, mimeType: string) => UserPart;
  };
  if (LanguageModelDataPart !== undefined) return new LanguageModelDataPart(Buffer.from(data, 'base64'), mimeType);
  return new vscode.LanguageModelTextPart(`[${mimeType} content, which this editor cannot pass to a model]`);
}
