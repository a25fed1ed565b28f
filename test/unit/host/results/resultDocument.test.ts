import { describe, expect, it } from 'vitest';
import { printPreview } from '../../../../src/base/jsonPreview.ts';
import { type ResultDocument, resourceUrisOf, toResultView } from '../../../../src/host/results/resultDocument.ts';
import type { CallToolResult } from '../../../../src/protocol/mcp/tools.ts';

function toolDocument(result: Partial<CallToolResult>): ResultDocument {
  const whole = { isError: false, content: [], ...result };
  return {
    key: 'k',
    title: 'T',
    server: 's',
    actions: [],
    result: { kind: 'tool', result: whole },
  };
}

/** 900 levels around half a million members. */
const nested: unknown = JSON.parse(`{"a":${'['.repeat(900)}${'1,'.repeat(500_000)}1${']'.repeat(900)}}`);

function structuredText({ body }: ReturnType<typeof toResultView>): string {
  return body.kind === 'toolResult' && body.structured !== undefined ? printPreview(body.structured) : '';
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

  it('shows the beginning of structured content, and offers the rest as a file', () => {
    const view = toResultView(toolDocument({ structuredContent: { text: 'x'.repeat(600_000), last: 'seen' } }));
    const text = structuredText(view);
    expect(text).toContain('… (500,000 more characters)');
    expect(text).toContain('"last": "seen"');
    expect(view.notices).toEqual([expect.stringContaining('Choose Open Full Content')]);
    expect(view.actions).toEqual([
      { id: 'openWhole', label: 'Open Full Content', icon: 'go-to-file' },
      { id: 'saveWhole', label: 'Save Whole As…', icon: 'save-as' },
    ]);
  });

  it.each([
    ['deep', { structuredContent: nested } as Partial<CallToolResult>],
    ['deep, of an unknown kind', { content: [{ type: 'unknown', original: nested }] } as Partial<CallToolResult>],
  ])('becomes no larger than a page can hold: %s', (_name, result) => {
    // 1 MB of JSON, 1 GB with full indentation.
    const view = toResultView(toolDocument(result));
    expect(JSON.stringify(view).length).toBeLessThan(2_000_000);
    expect(structuredClone(view)).toEqual(view);
    expect(view.notices).toHaveLength(1);
  });

  it('shares one room among all blocks', () => {
    const content = Array.from(
      { length: 400 },
      () => ({ type: 'unknown', original: { text: 'x'.repeat(50_000) } }) as const,
    );
    expect(JSON.stringify(toResultView(toolDocument({ content }))).length).toBeLessThan(1_000_000);
    const picture = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(20_000_000) } as const;
    const pictures = toResultView(toolDocument({ content: [picture, picture, picture] }));
    expect(JSON.stringify(pictures).length).toBeLessThan(30_000_000);
  });

  it('bounds what is said beside the result', () => {
    const notices = Array.from({ length: 1_000 }, () => 'x'.repeat(100_000));
    const view = toResultView({ ...toolDocument({}), notices });
    expect(view.notices.length).toBeLessThanOrEqual(20);
    expect(JSON.stringify(view).length).toBeLessThan(30_000);
  });

  it('has arguments, duration, size and the result as JSON', () => {
    const content = [{ type: 'text', text: 'x'.repeat(10_000), _meta: { trace: 'block' } }] as const;
    const document = toolDocument({ content, _meta: { trace: 'result' } });
    const view = toResultView({ ...document, call: { args: { a: 1 }, durationMs: 7 } });
    expect(view.durationMs).toBe(7);
    expect(view.size).toBeGreaterThan(10_000);
    expect(view.arguments && printPreview(view.arguments, 0)).toBe('{"a":1}');
    expect(view.raw?.isCut).toBe(true);
    const raw = view.raw === undefined ? '' : printPreview(view.raw.json, 0);
    expect(raw).toContain('"trace":"block"');
    expect(raw).toContain('"trace":"result"');
    expect(raw.length).toBeLessThan(3_000);
    // The result itself is complete: only the JSON beside it is cut, which it says itself.
    expect(view.notices).toEqual([]);
    expect(toResultView(toolDocument({}))).not.toHaveProperty('arguments');
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
