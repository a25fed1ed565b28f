import { describe, expect, it } from 'vitest';
import { toolResultToMarkdown } from '../../../../src/host/results/contentMarkdown.ts';
import type { CallToolResult } from '../../../../src/protocol/mcp/tools.ts';

describe('toolResultToMarkdown', () => {
  it('has the error, the content and the structured content', () => {
    const result: CallToolResult = {
      content: [{ type: 'text', text: 'No.' }],
      structuredContent: { why: '```' },
      isError: true,
    };
    expect(toolResultToMarkdown(result)).toBe(
      '**The tool reported an error.**\n\nNo.\n\n````json\n{\n  "why": "```"\n}\n````\n',
    );
  });
});
