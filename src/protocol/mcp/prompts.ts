import { isOptional, isRecord, isString, type UnknownRecord } from '../../base/json.ts';
import { type BaseMetadata, invalidResult, isBaseMetadata, type ListPage, type Meta, readListPage } from './base.ts';
import { type ContentBlock, readContentBlock } from './content.ts';

export interface PromptArgument extends BaseMetadata {
  readonly required?: boolean;
}

export interface Prompt extends BaseMetadata {
  readonly arguments?: readonly PromptArgument[];
}

export type Role = 'user' | 'assistant';

export interface PromptMessage {
  readonly role: Role;
  readonly content: ContentBlock;
}

export interface GetPromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: Meta;
}

/** @throws {PatchbayError} `invalidMessage` */
export function readPromptsPage(result: unknown): ListPage<Prompt> {
  return readListPage(result, 'prompts', isPrompt);
}

/** @throws {PatchbayError} `invalidMessage` */
export function readGetPromptResult(result: unknown): GetPromptResult {
  if (!isRecord(result) || !Array.isArray(result['messages'])) throw invalidResult('"messages" is not a list');
  return {
    messages: result['messages'].map(readPromptMessage),
    ...(isString(result['description']) && { description: result['description'] }),
    ...(isRecord(result['_meta']) && { _meta: result['_meta'] }),
  };
}

function readPromptMessage(value: unknown): PromptMessage {
  if (!isRecord(value)) throw invalidResult('a prompt message is not an object');
  const role = value['role'];
  if (role !== 'user' && role !== 'assistant')
    throw invalidResult('a prompt message has no role "user" or "assistant"');
  return { role, content: readContentBlock(value['content']) };
}

function isPrompt(value: UnknownRecord): boolean {
  return isBaseMetadata(value) && isOptional(value['arguments'], isArgumentList);
}

function isArgumentList(value: unknown): value is PromptArgument[] {
  return Array.isArray(value) && value.every((entry) => isRecord(entry) && isBaseMetadata(entry));
}
