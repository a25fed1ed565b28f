import { isRecord, isString, type JsonObject, type JsonValue, type UnknownRecord } from '../../base/json.ts';
import { ErrorCodes, JsonRpcError } from '../jsonRpc.ts';
import type { Meta } from './base.ts';
import {
  type AudioContent,
  type ContentBlock,
  type ImageContent,
  readContentBlock,
  type TextContent,
} from './content.ts';
import {
  listOf,
  Mismatch,
  number,
  objectOf,
  oneOf,
  opaqueObject,
  optional,
  type Shape,
  text,
  validIfGiven,
} from './readers.ts';
import type { Role } from './prompts.ts';
import { listedTool, type Tool } from './tools.ts';

/** The model calls a tool of this request (2025-11-25, Client Features / Sampling, "Sampling with Tools"). */
export interface ToolUseContent {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly _meta?: Meta;
}

/** The result of that tool (2025-11-25, Client Features / Sampling, "Sampling with Tools"). */
export interface ToolResultContent {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  /** An object in 2025-11-25, any value since 2026-07-28. */
  readonly structuredContent?: JsonValue;
  /** The tool failed; `content` describes the failure. */
  readonly isError?: boolean;
  readonly _meta?: Meta;
}

export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/** One message. Servers send a single block or a list; here it is always a list. */
export interface SamplingMessage {
  readonly role: Role;
  readonly content: readonly SamplingContent[];
}

/** Wishes for the model. Priorities are 0 to 1; hints are substrings of model names, the preferred first. */
export interface ModelPreferences {
  readonly hints?: readonly { readonly name?: string }[];
  readonly costPriority?: number;
  readonly speedPriority?: number;
  readonly intelligencePriority?: number;
}

export interface ToolChoice {
  readonly mode?: 'auto' | 'required' | 'none';
}

export interface SamplingRequest {
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly modelPreferences?: ModelPreferences;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  /** For the provider of the model; its format is not defined. */
  readonly metadata?: UnknownRecord;
  readonly tools?: readonly Tool[];
  readonly toolChoice?: ToolChoice;
}

/** The answer of the model. `content` is always a list here; in older revisions it is sent as one block. */
export interface SamplingResult {
  readonly role: Role;
  readonly content: readonly SamplingContent[];
  readonly model: string;
  /** `endTurn`, `maxTokens`, `stopSequence`, `toolUse` or any other text. */
  readonly stopReason?: string;
}

/** @throws {JsonRpcError} `-32602`, with the wrong member (2025-11-25, … / Sampling, "Creating Messages") */
export function readSamplingRequest(params: UnknownRecord): SamplingRequest {
  const { messages, maxTokens } = params;
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('messages must be a non-empty list');
  if (typeof maxTokens !== 'number' || !(maxTokens > 0)) throw invalid('maxTokens must be a positive number');
  const read = messages.map(readSamplingMessage);
  checkToolBalance(read);
  const options = optionReader.read(params, []);
  if (options instanceof Mismatch) throw invalid(options.toString());
  const tools = params['tools'] ?? undefined;
  return {
    messages: read,
    maxTokens,
    ...membersOf(options, optionShape),
    ...(tools !== undefined && { tools: readTools(tools) }),
  };
}

/** Without members that the specification does not know. */
function membersOf<T extends object>(value: T, shape: object): T {
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(shape, name))) as T;
}

const hints = listOf(objectOf<{ readonly name?: string }>({ name: optional(text) }));
const isHint = (value: unknown): boolean => isRecord(value) && isString(value['name'] ?? '');

const preferenceShape: Shape<ModelPreferences> = {
  // A hint that is none is left out.
  hints: optional({
    expected: hints.expected,
    read: (value, leftOut) => hints.read(Array.isArray(value) ? value.filter(isHint) : value, leftOut),
  }),
  costPriority: optional(number),
  speedPriority: optional(number),
  intelligencePriority: optional(number),
};
const preferences = objectOf(preferenceShape);

const optionShape: Shape<Omit<SamplingRequest, 'messages' | 'maxTokens' | 'tools'>> = {
  systemPrompt: validIfGiven(text),
  stopSequences: validIfGiven(listOf(text)),
  temperature: optional(number),
  modelPreferences: optional({
    expected: preferences.expected,
    read: (value, leftOut) => {
      const read = preferences.read(value, leftOut);
      return read instanceof Mismatch ? read : membersOf(read, preferenceShape);
    },
  }),
  metadata: optional(opaqueObject),
  toolChoice: optional(objectOf<ToolChoice>({ mode: validIfGiven(oneOf('auto', 'required', 'none')) })),
  includeContext: optional(oneOf('none', 'thisServer', 'allServers')),
};
const optionReader = objectOf(optionShape);

function readSamplingMessage(value: unknown, index: number): SamplingMessage {
  const at = `messages[${index}]`;
  if (!isRecord(value)) throw invalid(`${at} must be an object`);
  const { role, content } = value;
  if (role !== 'user' && role !== 'assistant') throw invalid(`${at}.role must be "user" or "assistant"`);
  if (content === undefined || content === null) throw invalid(`${at}.content is missing`);
  return {
    role,
    content: (Array.isArray(content) ? content : [content]).map((block) => readSamplingContent(block, at)),
  };
}

function readSamplingContent(value: unknown, at: string): SamplingContent {
  if (isRecord(value) && value['type'] === 'tool_use') return readToolUse(value, at);
  if (isRecord(value) && value['type'] === 'tool_result') return readToolResult(value, at);
  const block = readContentBlock(value);
  if (block.type === 'text' || block.type === 'image' || block.type === 'audio') return block;
  throw invalid(`${at}.content must be text, image, audio, tool_use or tool_result`);
}

function readToolUse(value: UnknownRecord, at: string): ToolUseContent {
  const { id, name, input } = value;
  if (!isString(id) || !isString(name) || !isRecord(input)) throw invalid(`${at}: tool_use needs id, name and input`);
  return { type: 'tool_use', id, name, input: input as JsonObject, ...readMeta(value) };
}

function readToolResult(value: UnknownRecord, at: string): ToolResultContent {
  const { toolUseId, content, isError, structuredContent: structured } = value;
  if (!isString(toolUseId) || !Array.isArray(content)) throw invalid(`${at}: tool_result needs toolUseId and content`);
  const blocks = content.map(readContentBlock);
  return {
    type: 'tool_result',
    toolUseId,
    content: blocks,
    ...(structured !== undefined && structured !== null && { structuredContent: structured as JsonValue }),
    ...(isError === true && { isError }),
    ...readMeta(value),
  };
}

/** Providers may need it in later requests (2025-11-25, … / Sampling, "Message Content Types"). */
function readMeta({ _meta }: UnknownRecord): { readonly _meta?: Meta } {
  return isRecord(_meta) ? { _meta } : {};
}

/** 2025-11-25, Client Features / Sampling, "Message Content Constraints". */
function checkToolBalance(messages: readonly SamplingMessage[]): void {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const results = message.content.filter((block) => block.type === 'tool_result');
    if (results.length > 0 && (results.length < message.content.length || message.role !== 'user')) {
      throw invalid(`messages[${index}] mixes tool_result with other content`);
    }
    for (const result of results) {
      if (!open.delete(result.toolUseId)) throw invalid(`messages[${index}] answers a tool_use that is not open`);
    }
    if (open.size > 0) throw invalid(`messages[${index}] leaves a tool_use without tool_result`);
    open = new Set(message.content.filter((block) => block.type === 'tool_use').map((block) => block.id));
  }
}

/** Reads the tools. Here an invalid optional member is an error, not left out. */
function readTools(value: unknown): readonly Tool[] {
  const leftOut: Mismatch[] = [];
  const read = listOf(listedTool).read(value, leftOut);
  const wrong = read instanceof Mismatch ? read : leftOut[0];
  if (wrong !== undefined) throw invalid(wrong.within('tools').toString());
  return (read as readonly Tool[]).map((tool, index) => {
    if (tool.inputSchema === undefined) throw invalid(`tools[${index}].inputSchema is missing`);
    return tool;
  });
}

function invalid(detail: string): JsonRpcError {
  return new JsonRpcError(ErrorCodes.invalidParams, `Invalid sampling request: ${detail}`);
}
