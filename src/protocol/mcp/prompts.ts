import { isRecord, isString } from '../../base/json.ts';
import { type BaseMetadata, baseMetadata, invalidResult, type ListPage, type Meta, readListPage } from './base.ts';
import { type ContentBlock, readContentBlock, unknownContent } from './content.ts';
import { boolean, listOf, objectOf, optional, validIfGiven } from './readers.ts';

/** An argument of a prompt; its value is a string. */
export interface PromptArgument extends BaseMetadata {
  readonly required?: boolean;
}

export interface Prompt extends BaseMetadata {
  readonly arguments?: readonly PromptArgument[];
}

export type Role = 'user' | 'assistant';

/** One with an unknown role becomes {@link UnknownContent} of the role `user`, which has the least authority. */
export interface PromptMessage {
  readonly role: Role;
  readonly content: ContentBlock;
}

export interface GetPromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: Meta;
}

const listedPrompt = objectOf<Prompt>({
  ...baseMetadata,
  arguments: validIfGiven(listOf(objectOf<PromptArgument>({ ...baseMetadata, required: optional(boolean) }))),
});

export function readPromptsPage(result: unknown): ListPage<Prompt> {
  return readListPage(result, 'prompts', listedPrompt);
}

/** An invalid message becomes {@link UnknownContent}. @throws {PatchbayError} `invalidMessage` without a list */
export function readGetPromptResult(result: unknown): GetPromptResult {
  if (!isRecord(result) || !Array.isArray(result['messages'])) throw invalidResult('"messages" is not a list');
  return {
    messages: result['messages'].flatMap(readPromptMessage),
    ...(isString(result['description']) && { description: result['description'] }),
    ...(isRecord(result['_meta']) && { _meta: result['_meta'] }),
  };
}

function readPromptMessage(value: unknown): readonly PromptMessage[] {
  const { role, content } = isRecord(value) ? value : {};
  if (role !== 'user' && role !== 'assistant') return [{ role: 'user', content: unknownContent(value) }];
  // A prompt message has one block, but some servers send a list, as in sampling.
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.map((block) => ({ role, content: readContentBlock(block) }));
}
