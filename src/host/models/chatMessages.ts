import * as vscode from 'vscode';
import type { ContentBlock } from '../../protocol/mcp/content.ts';
import type { SamplingContent, SamplingMessage, SamplingRequest } from '../../protocol/mcp/sampling.ts';
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
      return new vscode.LanguageModelToolResultPart(block.toolUseId, block.content.map(toResultPart));
  }
}

function toResultPart(block: ContentBlock): vscode.LanguageModelTextPart {
  return new vscode.LanguageModelTextPart(block.type === 'text' ? block.text : JSON.stringify(block));
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
