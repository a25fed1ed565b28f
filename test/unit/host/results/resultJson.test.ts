import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
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

describe('toResultView', () => {
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
    expect(body.kind === 'toolResult' && body.content[0]).toMatchObject({ isStructuredContent: true });
    expect(view.notices).toHaveLength(1);
    expect(view.actions.map(({ id }) => id)).toEqual(['openWhole', 'saveWhole']);
  });

  it('points out that text and structured content disagree', () => {
    const disagreeing = viewOf({ content: [text('{"high":24}')], structuredContent: { high: 23 } });
    expect(disagreeing.notices).toEqual([expect.stringContaining('$.high is 24 in the text, and 23 in')]);
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

  it('has a button for the messages it is of', () => {
    const exchange = '→ tools/call';
    expect(viewOf({}, { exchange }).actions).toEqual([{ id: 'exchange', label: 'Show Exchange', icon: 'arrow-swap' }]);
    expect(JSON.stringify(viewOf({}, { exchange }))).not.toContain('tools/call');
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
