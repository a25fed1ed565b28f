import { describe, expect, it } from 'vitest';
import { resultWarnings } from '../../../../src/host/tools/resultWarnings.ts';
import { createToolApprovals, describeClaims } from '../../../../src/host/tools/toolApprovals.ts';
import { toolResultToMarkdown } from '../../../../src/host/tools/toolMarkdown.ts';
import type { CallToolResult, Tool } from '../../../../src/protocol/mcp/tools.ts';
import { createLocalValidator } from '../../../fixtures/schemaChecker.ts';

const tool: Tool = { name: 'remove', inputSchema: { type: 'object' } };

describe('toolApprovals', () => {
  it('holds for one tool of one server, as it was described [tool-consent]', () => {
    const approvals = createToolApprovals();
    const demo = { label: 'demo', identity: 'one' };
    approvals.approve(demo, tool);
    expect(approvals.isApproved(demo, { ...tool })).toBe(true);
    expect(approvals.isApproved({ ...demo, label: 'other' }, tool)).toBe(false);
    expect(approvals.isApproved(demo, { ...tool, name: 'add' })).toBe(false);
    expect(approvals.isApproved(demo, { ...tool, description: 'Now it does something else.' })).toBe(false);
  });

  it('does not hold for another server that runs under the same label', () => {
    const approvals = createToolApprovals();
    approvals.approve({ label: 'demo', identity: 'one' }, tool);
    expect(approvals.isApproved({ label: 'demo', identity: 'two' }, tool)).toBe(false);
  });
});

describe('describeClaims', () => {
  it('takes a tool without hints for one that may do anything [tool-annotations]', () => {
    expect(describeClaims(tool)).toBe('may change or destroy things, may reach other systems');
    expect(describeClaims({ ...tool, annotations: { readOnlyHint: true } })).toBe('claims to change nothing');
    expect(
      describeClaims({ ...tool, annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false } }),
    ).toBe('claims only to add, claims that repeating it does no more');
  });
});

describe('resultWarnings', () => {
  const outputSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
  const warn = (
    result: Partial<CallToolResult>,
    schema: Tool['outputSchema'] = outputSchema,
  ): Promise<readonly string[]> =>
    resultWarnings(
      createLocalValidator(),
      'demo',
      { ...tool, outputSchema: schema ?? {} },
      { content: [], isError: false, ...result },
    );

  it('tells how a result breaks the promise of its tool [output-schema]', async () => {
    expect(await warn({ structuredContent: { sum: 3 } })).toEqual([]);
    expect(await warn({ structuredContent: { sum: '3' } })).toEqual([
      "Structured content breaks the tool's own schema: sum: must be number.",
    ]);
    expect(await warn({})).toEqual(['The tool promises structured content but sent none.']);
    expect(await warn({ isError: true })).toEqual([]);
    // A schema without end used to reject here, and the result of a tool that had run was lost.
    expect((await warn({ structuredContent: {} }, { $ref: '#' }))[0]).toMatch(/^The result was not checked/);
    expect((await warn({ structuredContent: {} }, { type: 'nonsense' }))[0]).toMatch(
      /^The result was not checked against the tool's output schema: the schema cannot be used: /,
    );
  });
});

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
