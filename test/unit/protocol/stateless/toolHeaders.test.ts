import { describe, expect, it } from 'vitest';
import { encodeHeaderValue } from '../../../../src/protocol/revisions/stateless/requestMetadata.ts';
import { readToolHeaders, toolHeaderValues } from '../../../../src/protocol/revisions/stateless/toolHeaders.ts';

function headersOf(properties: object) {
  const read = readToolHeaders({ type: 'object', properties });
  return typeof read === 'string' ? expect.unreachable(read) : read;
}

const region = { type: 'string', 'x-mcp-header': 'Region' };

it.each([
  ['us-west1', 'us-west1'],
  ['with space', 'with space'],
  ['', ''],
  ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
  ['a\tb', '=?base64?YQli?='],
  ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ['=?base64?open', '=?base64?open'],
])('the value of a header of %j is %j [http-value-encoding]', (value, encoded) => {
  expect(encodeHeaderValue(value)).toBe(encoded);
});

describe('the headers a tool wants', () => {
  it('are found through properties, however deep', () => {
    const nested = { type: 'object', properties: { inner: { type: 'integer', 'x-mcp-header': 'Deep' } } };
    const found = headersOf({ region, nested, plain: { type: 'number' } });
    expect(found).toContainEqual({ name: 'Mcp-Param-Region', path: ['region'] });
    expect(found).toContainEqual({ name: 'Mcp-Param-Deep', path: ['nested', 'inner'] });
  });

  it('are not what an argument is called, or what an example says', () => {
    const properties = { 'x-mcp-header': { type: 'string' }, a: { default: { 'x-mcp-header': '' } } };
    expect(headersOf(properties)).toEqual([]);
  });

  it.each([
    ['an empty name', { a: { type: 'string', 'x-mcp-header': '' } }],
    ['no text as a name', { a: { type: 'string', 'x-mcp-header': 5 } }],
    ['a space in the name', { a: { type: 'string', 'x-mcp-header': 'A B' } }],
    ['a colon in the name', { a: { type: 'string', 'x-mcp-header': 'A:B' } }],
    ['a line break in the name', { a: { type: 'string', 'x-mcp-header': 'A\r\nB' } }],
    ['letters beyond ASCII', { a: { type: 'string', 'x-mcp-header': 'Ä' } }],
    ['an object', { a: { type: 'object', 'x-mcp-header': 'A' } }],
    ['a number', { a: { type: 'number', 'x-mcp-header': 'A' } }],
    ['several types', { a: { type: ['string', 'null'], 'x-mcp-header': 'A' } }],
    ['no type', { a: { 'x-mcp-header': 'A' } }],
    ['the same name twice', { a: region, b: { type: 'string', 'x-mcp-header': 'rEGION' } }],
    ['the items of a list', { a: { type: 'array', items: region } }],
    ['a choice', { a: { oneOf: [region] } }],
    ['properties below a choice', { a: { anyOf: [{ properties: { b: region } }] } }],
    ['a condition', { a: { if: { properties: { b: region } } } }],
    ['other names', { a: { additionalProperties: region } }],
    ['names by pattern', { a: { patternProperties: { b: region } } }],
  ])('cannot be on %s', (_what, properties) => {
    expect(readToolHeaders({ type: 'object', properties })).toBeTypeOf('string');
  });

  it('is nothing where it is in no schema', () => {
    const original = { type: 'string', 'x-original': { properties: { a: region } } };
    expect(headersOf({ a: region, b: original })).toHaveLength(1);
  });

  it('cannot be in definitions or on the whole schema', () => {
    expect(readToolHeaders({ $defs: { a: region } })).toBeTypeOf('string');
    expect(readToolHeaders({ ...region })).toBeTypeOf('string');
  });

  it('are looked for in a schema nested beyond any stack', () => {
    let schema: object = region;
    for (let depth = 0; depth < 20_000; depth += 1) schema = { properties: { a: schema } };
    expect(readToolHeaders(schema as Record<string, unknown>)).toHaveLength(1);
  });
});

describe('the headers of a call', () => {
  const headers = headersOf({
    text: { type: 'string', 'x-mcp-header': 'Text' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    flag: { type: 'boolean', 'x-mcp-header': 'Flag' },
    nested: { type: 'object', properties: { constructor: { type: 'string', 'x-mcp-header': 'Inner' } } },
  });

  it('say what the arguments say', () => {
    const args = { text: 'ü', count: -7, flag: false, nested: { constructor: 'x' } };
    expect(toolHeaderValues(headers, args)).toEqual({
      'Mcp-Param-Text': '=?base64?w7w=?=',
      'Mcp-Param-Count': '-7',
      'Mcp-Param-Flag': 'false',
      'Mcp-Param-Inner': 'x',
    });
  });

  it('leave out what is absent, null, inherited or of no type a header can have [http-parameter-headers]', () => {
    expect(toolHeaderValues(headers, { text: null, flag: [true], nested: {} })).toEqual({});
    expect(toolHeaderValues(headers, undefined)).toEqual({});
  });

  it.each([1.5, 2 ** 53, 1e21])('cannot say %d', (count) => {
    expect(() => toolHeaderValues(headers, { count })).toThrow('count must be a whole number');
  });
});
