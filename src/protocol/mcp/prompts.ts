import { isRecord, isString } from '../../base/json.ts';
import { type BaseMetadata, baseMetadata, invalidResult, type ListPage, type Meta, readListPage } from './base.ts';
import { type ContentBlock, readContentBlock, unknownContent } from './content.ts';
import { boolean, listOf, objectOf, optional, validIfGiven } from './members.ts';

export interface PromptArgument extends BaseMetadata {
  readonly required?: boolean;
}

export interface Prompt extends BaseMetadata {
  readonly arguments?: readonly PromptArgument[];
}

export type Role = 'user' | 'assistant';

/** A message of a role that is not known here comes whole as {@link UnknownContent} of the user, who has the least to say. */
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

/** @throws {PatchbayError} `invalidMessage` */
export function readPromptsPage(result: unknown): ListPage<Prompt> {
  return readListPage(result, 'prompts', listedPrompt);
}

/**
 * Reads the answer to `prompts/get`. A message that is not understood does not cost the others: it becomes unknown content.
 * @throws {PatchbayError} `invalidMessage` when there is no list of messages
 */
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
  // One message has one block, but some servers send a list, as in requests for a model.
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.map((block) => ({ role, content: readContentBlock(block) }));
}
