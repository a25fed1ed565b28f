import type { CallToolResult } from '../../protocol/mcp/tools.ts';
import { blockToMarkdown, joinMarkdown, jsonFence } from '../results/contentMarkdown.ts';

/** A tool's whole result as one Markdown document. */
export function toolResultToMarkdown({ content, structuredContent, isError }: CallToolResult): string {
  function* parts(): Generator<string> {
    if (isError) yield '**The tool reported an error.**';
    for (const block of content) yield blockToMarkdown(block);
    if (structuredContent !== undefined) yield jsonFence(structuredContent);
  }
  return joinMarkdown(parts());
}
