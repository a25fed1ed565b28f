import type { SamplingContent, SamplingMessage, SamplingRequest } from '../../protocol/mcp/sampling.ts';
import type { ConsentEdits } from '../../shared/consentMessages.ts';
import { tokenLimitOf } from './consentView.ts';

/**
 * The request as the person left it. Text emptied by hand is taken out, a message left with nothing too.
 * @returns `undefined` when the edits do not fit the request that was shown: more tokens than asked for, another number
 * of messages or blocks, text where there was a picture, or nothing left to send
 */
export function applyConsentEdits(request: SamplingRequest, edits: ConsentEdits): SamplingRequest | undefined {
  if (edits.messages.length !== request.messages.length || edits.maxTokens > tokenLimitOf(request)) return undefined;
  const messages: SamplingMessage[] = [];
  for (const [index, message] of request.messages.entries()) {
    const content = editBlocks(message.content, edits.messages[index] ?? []);
    if (content === undefined) return undefined;
    if (content.length > 0) messages.push({ role: message.role, content });
  }
  if (messages.length === 0) return undefined;
  const { systemPrompt: _replaced, ...rest } = request;
  return {
    ...rest,
    messages,
    maxTokens: edits.maxTokens,
    ...(edits.systemPrompt !== '' && { systemPrompt: edits.systemPrompt }),
  };
}

/** The text of an answer that a person may edit; what is not text is left out. */
export function editableText(content: readonly SamplingContent[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
}

/** An answer with its text replaced: unchanged where the text is, else one block of text where the first one was. */
export function replaceText(content: readonly SamplingContent[], text: string): readonly SamplingContent[] {
  if (text === editableText(content)) return content;
  const first = content.findIndex((block) => block.type === 'text');
  const before = first === -1 ? [] : content.slice(0, first);
  const after = content.slice(before.length).filter((block) => block.type !== 'text');
  const isRemoved = text === '' && before.length + after.length > 0;
  return [...before, ...(isRemoved ? [] : [{ type: 'text', text } as const]), ...after];
}

function editBlocks(
  blocks: readonly SamplingContent[],
  texts: readonly (string | undefined)[],
): SamplingContent[] | undefined {
  if (texts.length !== blocks.length) return undefined;
  const edited: SamplingContent[] = [];
  for (const [index, block] of blocks.entries()) {
    const text = texts[index];
    if (text === undefined) edited.push(block);
    else if (block.type !== 'text') return undefined;
    else if (text === block.text) edited.push(block);
    else if (text !== '') edited.push({ ...block, text });
  }
  return edited;
}
