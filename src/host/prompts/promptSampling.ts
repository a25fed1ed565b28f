import type { ContentBlock } from '../../protocol/mcp/content.ts';
import type { GetPromptResult } from '../../protocol/mcp/prompts.ts';
import type { SamplingContent, SamplingMessage, SamplingRequest } from '../../protocol/mcp/sampling.ts';
import { blockToMarkdown } from '../results/contentMarkdown.ts';

/** Tokens a model may answer with, unless the user says otherwise in the consent panel. */
const defaultMaxTokens = 4_096;

/** A prompt as a request for a model, in the shape a server's own request would have. */
export function promptToSampling({ messages }: Pick<GetPromptResult, 'messages'>): SamplingRequest {
  const merged: SamplingMessage[] = [];
  for (const { role, content } of messages) {
    const block = toSamplingContent(content);
    const last = merged.at(-1);
    if (last?.role === role) merged[merged.length - 1] = { role, content: [...last.content, block] };
    else merged.push({ role, content: [block] });
  }
  return { messages: merged, maxTokens: defaultMaxTokens };
}

/** Models know text, images and sound; anything else goes as Markdown. */
function toSamplingContent(block: ContentBlock): SamplingContent {
  if (block.type === 'text' || block.type === 'image' || block.type === 'audio') return block;
  return { type: 'text', text: blockToMarkdown(block) };
}
