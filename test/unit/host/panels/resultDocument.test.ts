import { describe, expect, it } from 'vitest';
import { type ResultDocument, resourceUrisOf, toResultView } from '../../../../src/host/panels/resultDocument.ts';
import type { CallToolResult } from '../../../../src/protocol/mcp/tools.ts';

function toolDocument(result: Partial<CallToolResult>): ResultDocument {
  const whole = { isError: false, content: [], ...result };
  return {
    key: 'k',
    title: 'T',
    server: 's',
    actions: [],
    onAction: () => {},
    result: { kind: 'tool', result: whole },
  };
}

describe('toResultView', () => {
  it('keeps a prompt whole, in order', () => {
    const messages = [
      { role: 'user', content: { type: 'text', text: 'a' } },
      { role: 'assistant', content: { type: 'text', text: 'b' } },
    ] as const;
    const view = toResultView({
      ...toolDocument({}),
      result: { kind: 'prompt', prompt: { description: 'd', messages } },
    });
    expect(view).toMatchObject({ description: 'd', notices: [], opensResources: false });
    expect(view.body).toEqual({
      kind: 'messages',
      messages: [
        { role: 'user', content: [{ kind: 'text', text: 'a' }] },
        { role: 'assistant', content: [{ kind: 'text', text: 'b' }] },
      ],
    });
  });

  it('cuts across blocks at one limit and says so once', () => {
    const text = 'x'.repeat(300_000);
    const view = toResultView(
      toolDocument({ content: [text, text, text].map((each) => ({ type: 'text', text: each })) }),
    );
    const lengths =
      view.body.kind === 'toolResult'
        ? view.body.content.map((block) => (block.kind === 'text' ? block.text.length : -1))
        : [];
    expect(lengths).toEqual([300_000, 200_000, 0]);
    expect(view.notices).toHaveLength(1);
  });

  it('leaves out structured content that would have to be cut', () => {
    const view = toResultView(toolDocument({ structuredContent: { text: 'x'.repeat(600_000) } }));
    expect(view.body).toMatchObject({ structured: undefined });
    expect(view.notices).toHaveLength(1);
  });

  it('cuts a flood of blocks', () => {
    const content = Array.from({ length: 2_000 }, () => ({ type: 'text', text: 'x' }) as const);
    const view = toResultView(toolDocument({ content }));
    expect(view.body.kind === 'toolResult' && view.body.content.length).toBe(500);
    expect(view.notices).toHaveLength(1);
  });
});

describe('resourceUrisOf', () => {
  it('names linked and embedded resources, nothing else', () => {
    const uris = resourceUrisOf({
      kind: 'tool',
      result: {
        isError: false,
        content: [
          { type: 'text', text: 'demo://c' },
          { type: 'resource_link', uri: 'demo://a', name: 'a' },
          { type: 'resource', resource: { uri: 'demo://b', text: '' } },
        ],
      },
    });
    expect([...uris]).toEqual(['demo://a', 'demo://b']);
  });
});
