import { describe, expect, it } from 'vitest';
import { comparisonText, createResultComparison } from '../../../../src/host/calls/compareResults.ts';
import { readCallToolResult } from '../../../../src/protocol/mcp/tools.ts';
import { editor, type Uri } from '../../../fixtures/vscode.ts';

/** The texts of the documents of each comparison, its names, and its title. */
const shown = () =>
  editor.executed.map(([, left, right, title]) => ({ documents: [left, right] as readonly Uri[], title }));

const call = (at: number, text: string) => ({
  tool: 'read/graph',
  at,
  answer: { kind: 'result' as const, result: readCallToolResult({ content: [{ type: 'text', text }] }) },
});

it('shows the earlier call on the left, whichever is given first, each in a document of its own', async () => {
  const comparison = createResultComparison();
  await comparison.show(call(2_000, 'later'), call(1_000, 'earlier'));
  await comparison.show(call(3_000, 'first'), call(4_000, 'second'));
  const documents = shown().flatMap((one) => one.documents);
  const texts = editor.documents.map((whole) => /earlier|later|first|second/.exec(whole)?.[0]);
  expect(texts).toEqual(['earlier', 'later', 'first', 'second']);
  expect(new Set(documents.map(({ query }) => query)).size).toBe(4);
  // A name of a server is no path.
  expect(documents[0]?.path).toBe('/patchbay~/read_graph, earlier.json');
  expect(shown()[0]?.title).toMatch(/^read\/graph: .+ ↔ .+$/);
});

const textOf = (result: unknown): string => comparisonText({ kind: 'result', result: readCallToolResult(result) });
const text = (value: string): object => ({ content: [{ type: 'text', text: value }] });

describe('the text of a result to be compared', () => {
  it('is indented JSON', () => {
    expect(JSON.parse(textOf({ content: [], structuredContent: { b: 1, a: [null] } }))).toEqual({
      content: [],
      structuredContent: { b: 1, a: [null] },
    });
    expect(textOf({ content: [], structuredContent: { b: 1 } })).toContain('\n    "b": 1\n');
  });

  it('says that there was an error only where the server has sent that', () => {
    expect(textOf({ content: [] })).not.toContain('isError');
    expect(textOf({ content: [], isError: true })).toContain('"isError": true');
  });

  it('shows JSON within text as JSON, and lines as lines', () => {
    expect(textOf(text('{"a":1}'))).toContain('"text": {\n        "a": 1\n      }');
    expect(textOf(text('one\ntwo'))).toContain('"one",\n        "two"');
    expect(textOf(text('{not JSON'))).toContain('"text": "{not JSON"');
    expect(textOf(text('5'))).toContain('"text": "5"');
  });

  it('names binary data by its digest, so that equal data is equal', () => {
    const image = (data: string): string => textOf({ content: [{ type: 'image', data, mimeType: 'image/png' }] });
    const [one, same, other] = ['A'.repeat(1_000), 'A'.repeat(1_000), 'B'.repeat(1_000)].map(image);
    expect(one).toBe(same);
    expect(one).not.toBe(other);
    expect(one).toMatch(/\(1,000 characters of Base64, SHA-256 [0-9a-f]{64}\)/);
    const resource = { uri: 'a:b', blob: 'AAAA', text: 'x\ny' };
    expect(textOf({ content: [{ type: 'resource', resource }] })).toMatch(/"blob": "\(4 characters/);
  });

  it('leaves content of an unknown type as it is', () => {
    expect(textOf({ content: [{ type: 'hologram', depth: 3 }] })).toContain('"depth": 3');
  });

  it('is bounded, and says so', () => {
    const long = textOf({ content: [], structuredContent: 'x'.repeat(6_000_000) });
    expect(long.length).toBeLessThan(5_000_200);
    expect(long).toMatch(/The rest is not compared/);
  });

  it('shows an error, or that nothing was kept', () => {
    const error = { message: 'No.', code: -32602 };
    expect(JSON.parse(comparisonText({ kind: 'error', error }))).toEqual(error);
    expect(comparisonText(undefined)).toContain('the answer was not kept');
  });
});
