import { expect, it } from 'vitest';
import type { SamplingRequest } from '../../../../src/protocol/mcp/sampling.ts';
import { toConsentView } from '../../../../src/host/consent/samplingView.ts';

function viewOf(request: Partial<SamplingRequest>) {
  return toConsentView({
    server: 'demo',
    cause: undefined,
    request: { messages: [], maxTokens: 1, ...request },
    models: [],
    suggestedModel: undefined,
    suggestedBecause: undefined,
  });
}

it('shows a tool by the name the model gets, with its titles beside', () => {
  const inputSchema = { type: 'object' };
  const { tools } = viewOf({
    tools: [
      { name: 'delete_all', title: 'List files', annotations: { title: 'Ls', readOnlyHint: true }, inputSchema },
      { name: 'plain', inputSchema },
    ],
  });
  expect(tools.map(({ name, titles }) => [name, titles])).toEqual([
    ['delete_all', ['List files', 'Ls']],
    ['plain', []],
  ]);
});

it('shows what is said of a tool, what tools gave, and the metadata [sampling-parts]', () => {
  const view = viewOf({
    metadata: { user: 'a' },
    tools: [
      {
        name: 'weather',
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object', required: ['high'] },
        annotations: { readOnlyHint: true },
      },
      { name: 'plain', inputSchema: {} },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'tool_result', toolUseId: 'a', isError: true, structuredContent: { high: 24 }, content: [] },
          { type: 'tool_result', toolUseId: 'b', content: [] },
        ],
      },
    ],
  });
  expect(JSON.parse(view.metadata ?? '')).toEqual({ user: 'a' });
  expect(view.tools[0]?.claims).toMatch(/^The tool .*nothing\.$/);
  expect(JSON.parse(view.tools[0]?.outputSchema ?? '')).toMatchObject({ required: ['high'] });
  expect(view.tools[1]).toMatchObject({ claims: undefined, outputSchema: undefined });
  expect(view.messages[0]?.content).toMatchObject([
    { kind: 'toolResult', isError: true, structured: { members: expect.anything() as unknown } },
    { kind: 'toolResult', isError: false, structured: undefined },
  ]);
});

it('cannot be approved where its metadata cannot be shown whole', () => {
  const view = viewOf({ metadata: { long: 'x'.repeat(3_000_000) } });
  expect(view.unreviewable).toMatch(/too long/);
  expect(view.metadata).toBeUndefined();
});
