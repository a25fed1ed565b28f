import * as vscode from 'vscode';
import { canonicalJson } from '../../base/digest.ts';
import { type JsonValue, toJsonText } from '../../base/json.ts';
import type { ContentBlock } from '../../protocol/mcp/content.ts';
import type {
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
  ToolResultContent,
} from '../../protocol/mcp/sampling.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';

type UserPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart;
type AssistantPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;

/** Translates a request into VS Code's chat messages. There is no system role there: the system prompt goes first, as the user. */
export function toChatMessages(request: SamplingRequest): vscode.LanguageModelChatMessage[] {
  const messages = request.messages.map(toChatMessage);
  const { systemPrompt } = request;
  return systemPrompt === undefined || systemPrompt === ''
    ? messages
    : [vscode.LanguageModelChatMessage.User(systemPrompt), ...messages];
}

/** Title, claims and the schema of results stay here: a tool of VS Code's has no place for them. */
export function toChatTools(tools: readonly Tool[]): vscode.LanguageModelChatTool[] {
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

/** VS Code's results have content alone: that a tool failed, and what it gave as data, go along as texts. */
function toResultParts({ content, structuredContent, isError }: ToolResultContent): ReturnType<typeof toResultPart>[] {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const isRepeated = structuredContent !== undefined && texts.some((text) => isJsonOf(text, structuredContent));
  return [
    ...(isError === true ? [new vscode.LanguageModelTextPart('The tool failed:')] : []),
    ...content.map(toResultPart),
    ...(structuredContent === undefined || isRepeated
      ? []
      : [new vscode.LanguageModelTextPart(toJsonText(structuredContent))]),
  ];
}

/** Servers should give the same as text, for those who know no structured content (2025-06-18, "Structured Content"). */
function isJsonOf(text: string, value: JsonValue): boolean {
  try {
    return canonicalJson(JSON.parse(text)) === canonicalJson(value);
  } catch {
    // The text is no JSON.
    return false;
  }
}

function toResultPart(block: ContentBlock): UserPart {
  if (block.type === 'image' || block.type === 'audio') return dataPart(block.data, block.mimeType);
  return new vscode.LanguageModelTextPart(block.type === 'text' ? block.text : toJsonText(block));
}

/** Since VS Code 1.103; its types here are of the oldest supported version. */
interface DataPartConstructor {
  new (data: Uint8Array, mimeType: string): UserPart;
}

/** Media as data where the editor can carry it, else a text that says what is missing. */
function dataPart(data: string, mimeType: string): UserPart {
  const { LanguageModelDataPart } = vscode as { LanguageModelDataPart?: DataPartConstructor };
  if (LanguageModelDataPart !== undefined) return new LanguageModelDataPart(Buffer.from(data, 'base64'), mimeType);
  return new vscode.LanguageModelTextPart(`[${mimeType} content, which this editor cannot pass to a model]`);
}
