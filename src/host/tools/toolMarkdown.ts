import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import { toJson } from '../panels/contentView.ts';
import { blockToMarkdown, fence } from '../results/contentMarkdown.ts';

/** A tool's whole result as one Markdown document. */
export function toolResultToMarkdown({ content, structuredContent, isError }: CallToolResult): string {
  const parts = [
    ...(isError ? ['**The tool reported an error.**'] : []),
    ...content.map(blockToMarkdown),
    ...(structuredContent === undefined ? [] : [fence(toJson(structuredContent), 'json')]),
  ];
  return `${parts.join('\n\n')}\n`;
}
