import type { GetPromptResult, Role } from '../../protocol/mcp/prompts.ts';
import { blockToMarkdown } from '../results/contentMarkdown.ts';

const headings: Readonly<Record<Role, string>> = { user: '## User', assistant: '## Assistant' };

/** A prompt's messages as one Markdown document; neighbours of one role share a heading, and a lone user message has none. */
export function promptToMarkdown({ messages }: Pick<GetPromptResult, 'messages'>): string {
  const isPlain = messages.every(({ role }) => role === 'user');
  const parts = messages.flatMap(({ role, content }, index) => {
    const hasHeading = !isPlain && messages[index - 1]?.role !== role;
    return hasHeading ? [headings[role], blockToMarkdown(content)] : [blockToMarkdown(content)];
  });
  return `${parts.join('\n\n')}\n`;
}
