import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { printPreview } from '../../../../src/base/jsonPreview.ts';
import { tableToCsv } from '../../../../src/host/results/jsonViews.ts';
import { type ResultDocument, toResultView } from '../../../../src/host/results/resultDocument.ts';
import type { CallToolResult } from '../../../../src/protocol/mcp/tools.ts';
import type { ResultBody, ResultView } from '../../../../src/shared/resultMessages.ts';

function viewOf(result: Partial<CallToolResult>, more: Partial<ResultDocument> = {}): ResultView {
  const whole = { isError: false, content: [], ...result };
  return toResultView({
    key: 'k',
    title: 'T',
    server: 's',
    actions: [],
    result: { kind: 'tool', result: whole },
    ...more,
  });
}

function bodyOf(result: Partial<CallToolResult>): Extract<ResultBody, { readonly kind: 'toolResult' }> {
  const { body } = viewOf(result);
  return body.kind === 'toolResult' ? body : expect.unreachable('a tool gave it');
}

const text = (value: string) => ({ type: 'text', text: value }) as const;
const rows: readonly JsonObject[] = [
  { city: 'Lisbon', high: 24 },
  { city: 'Porto', high: null, wind: { from: 'N' } },
];

/** 900 levels around half a million members. */
const nested: unknown = JSON.parse(`{"a":${'['.repeat(900)}${'1,'.repeat(500_000)}1${']'.repeat(900)}}`);

function structuredText({ body }: ResultView): string {
  return body.kind === 'toolResult' && body.structured !== undefined ? printPreview(body.structured) : '';
}

describe('toResultView', () => {
  it('keeps a prompt whole, in order', () => {
    const messages = [
      { role: 'user', content: { type: 'text', text: 'a' } },
      { role: 'assistant', content: { type: 'text', text: 'b' } },
    ] as const;
    const view = viewOf({}, { result: { kind: 'prompt', prompt: { description: 'd', messages } } });
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
    const long = text('x'.repeat(300_000));
    const view = viewOf({ content: [long, long, long] });
    const { content } = bodyOf({ content: [long, long, long] });
    const lengths = content.map((block) => (block.kind === 'text' ? block.text.length : -1));
    expect(lengths).toEqual([300_000, 200_000, 0]);
    expect(view.notices).toHaveLength(1);
  });

  it('shows the beginning of structured content, and offers the rest as a file', () => {
    const view = viewOf({ structuredContent: { text: 'x'.repeat(600_000), last: 'seen' } });
    const printed = structuredText(view);
    expect(printed).toContain('… (500,000 more characters)');
    expect(printed).toContain('"last": "seen"');
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
    const view = viewOf(result);
    expect(JSON.stringify(view).length).toBeLessThan(2_000_000);
    expect(structuredClone(view)).toEqual(view);
    expect(view.notices).toHaveLength(1);
  });

  it('shares one room among all blocks', () => {
    const content = Array.from(
      { length: 400 },
      () => ({ type: 'unknown', original: { text: 'x'.repeat(50_000) } }) as const,
    );
    expect(JSON.stringify(viewOf({ content })).length).toBeLessThan(1_000_000);
    const picture = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(20_000_000) } as const;
    const pictures = viewOf({ content: [picture, picture, picture] });
    expect(JSON.stringify(pictures).length).toBeLessThan(30_000_000);
  });

  it('bounds what is said beside the result', () => {
    const notices = Array.from({ length: 1_000 }, () => 'x'.repeat(100_000));
    const view = viewOf({}, { notices });
    expect(view.notices.length).toBeLessThanOrEqual(20);
    expect(JSON.stringify(view).length).toBeLessThan(30_000);
  });

  it('has arguments, duration, size and the result as JSON', () => {
    const content = [{ type: 'text', text: 'x'.repeat(10_000), _meta: { trace: 'block' } }] as const;
    const view = viewOf({ content, _meta: { trace: 'result' } }, { call: { args: { a: 1 }, durationMs: 7 } });
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
    expect(viewOf({})).not.toHaveProperty('arguments');
  });

  it('cuts a flood of blocks', () => {
    const content = Array.from({ length: 2_000 }, () => ({ type: 'text', text: 'x' }) as const);
    const view = viewOf({ content });
    expect(view.body.kind === 'toolResult' && view.body.content.length).toBe(500);
    expect(view.notices).toHaveLength(1);
  });
});

describe('the JSON of a result', () => {
  it('reads texts that are JSON, and leaves all others', () => {
    const { content } = bodyOf({
      content: [text(' {"a":1}'), text('[1]'), text('{"a":'), text('12'), text('"x"'), text('[a](b)')],
    });
    expect(content.map((block) => block.kind === 'text' && block.json !== undefined)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    const resource = { uri: 'a:b', mimeType: 'application/json', text: '{"a":1}' };
    expect(bodyOf({ content: [{ type: 'resource', resource }] }).content[0]).toHaveProperty('json');
  });

  it('makes a table of a list of like objects', () => {
    const { tables } = bodyOf({ structuredContent: { days: rows, source: 'made up' } });
    expect(tables).toEqual([
      {
        path: ['days'],
        columns: ['city', 'high', 'wind'],
        moreColumns: 0,
        total: 2,
        rows: [
          [
            { type: 'string', text: 'Lisbon' },
            { type: 'number', text: '24' },
            { type: 'absent', text: '' },
          ],
          [
            { type: 'string', text: 'Porto' },
            { type: 'null', text: 'null' },
            { type: 'json', text: '{"from":"N"}' },
          ],
        ],
      },
    ]);
    expect(bodyOf({ structuredContent: { a: 1 } })).not.toHaveProperty('tables');
  });

  it('keeps a long table, its cells and its columns within bounds', () => {
    const wide = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`k${index}`, 'x'.repeat(1_000)]));
    const list = Array.from({ length: 20_000 }, () => wide);
    const view = viewOf({ structuredContent: { list } });
    expect(JSON.stringify(view).length).toBeLessThan(5_000_000);
    const table = view.body.kind === 'toolResult' ? view.body.tables?.[0] : undefined;
    expect(table).toMatchObject({ total: 20_000, moreColumns: 30 });
    expect(table?.columns).toHaveLength(50);
    expect(table?.rows.length).toBeGreaterThan(50);
    expect(table?.rows[0]?.[0]?.text).toHaveLength(301);
  });

  it('shows the structured content of a result whose text is as long as the room for it', () => {
    const structuredContent = { list: Array.from({ length: 50_000 }, (_, id) => ({ id, name: `name ${id}` })) };
    const view = viewOf({ content: [text(JSON.stringify(structuredContent))], structuredContent });
    const { body } = view;
    expect(body.kind === 'toolResult' && body.structured).toMatchObject({
      kind: 'object',
      members: [{ name: 'list' }],
    });
    expect(body.kind === 'toolResult' && body.content[0]).toMatchObject({ isRepeated: true });
    expect(view.notices).toHaveLength(1);
    expect(view.actions.map(({ id }) => id)).toEqual(['openWhole', 'saveWhole']);
  });

  it('points out that text and structured content differ', () => {
    const disagreeing = viewOf({ content: [text('{"high":24}')], structuredContent: { high: 23 } });
    expect(disagreeing.notices).toEqual([expect.stringContaining('$.high is 24 in the text and 23 in')]);
    expect(viewOf({ content: [text('{"high":23}')], structuredContent: { high: 23 } }).notices).toEqual([]);
    expect(viewOf({ content: [text('It is warm.')], structuredContent: { high: 23 } }).notices).toEqual([]);
  });

  it('names each difference from the output schema, within bounds', () => {
    const one = { path: ['days', '1', 'high'], message: 'must be number' };
    expect(viewOf({}, { differences: [one] }).differences).toEqual([one]);
    expect(viewOf({}, { differences: [] })).not.toHaveProperty('differences');
    const long = { path: Array.from({ length: 500 }, () => 'x'.repeat(5_000)), message: 'y'.repeat(5_000) };
    const flood = viewOf({}, { differences: Array.from({ length: 500 }, () => long) });
    expect(flood.differences).toHaveLength(50);
    expect(JSON.stringify(flood).length).toBeLessThan(5_000_000);
  });

  it('draws films, and opens what an editor can show', () => {
    const blob = 'AAAA';
    const { content } = bodyOf({
      content: [
        { type: 'resource', resource: { uri: 'a:film.mp4', mimeType: 'video/mp4', blob } },
        { type: 'resource', resource: { uri: 'a:x.exe', mimeType: 'application/octet-stream', blob } },
        { type: 'resource', resource: { uri: 'a:x.pdf', mimeType: 'application/pdf', blob } },
        { type: 'resource', resource: { uri: 'a:x.sh', text: 'echo' } },
        { type: 'image', mimeType: 'image/tiff', data: blob },
        text('none'),
        { type: 'resource_link', uri: 'a:b', name: 'n' },
      ],
    });
    expect(content[0]).toMatchObject({ media: { kind: 'video', source: 'data:video/mp4;base64,AAAA' } });
    expect(content.map(({ canOpen }) => canOpen === true)).toEqual([true, false, true, true, false, false, false]);
    expect(content.map(({ canSave }) => canSave === true)).toEqual([true, true, true, true, true, false, false]);
  });
});

describe('tableToCsv', () => {
  it('writes all columns of all rows', () => {
    expect(tableToCsv(rows)).toEqual({
      text: 'city,high,wind\r\nLisbon,24,\r\nPorto,,"{""from"":""N""}"\r\n',
    });
    expect(tableToCsv([1, 2])).toBeUndefined();
  });

  it('says what it leaves out', () => {
    const many = Array.from({ length: 200_001 }, (_, id) => ({ id }));
    const copied = tableToCsv(many);
    expect(copied?.note).toBe('Copied the first 200,000 of 200,001 rows.');
    expect(copied?.text.endsWith('199999\r\n')).toBe(true);
  });
});
