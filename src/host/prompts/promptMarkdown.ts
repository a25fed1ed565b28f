import type { GetPromptResult, Role } from '../../protocol/mcp/prompts.ts';
import { blockToMarkdown, joinMarkdown } from '../results/contentMarkdown.ts';

const headings: Readonly<Record<Role, string>> = { user: '## User', assistant: '## Assistant' };

/** A prompt's messages as one Markdown document; neighbours of one role share a heading, and a lone user message has none. */
export function promptToMarkdown({ messages }: Pick<GetPromptResult, 'messages'>): string {
  const isPlain = messages.every(({ role }) => role === 'user');
  function* parts(): Generator<string> {
    for (const [index, { role, content }] of messages.entries()) {
      if (!isPlain && messages[index - 1]?.role !== role) yield headings[role];
      yield blockToMarkdown(content);
    }
  }
  return joinMarkdown(parts());
}
