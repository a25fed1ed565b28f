import { describe, expect, it } from 'vitest';
import { configuredHeaders, eventIdHeader } from '../../../../src/transport/http/requestHeaders.ts';

describe('configuredHeaders', () => {
  const read = (headers: Record<string, string>, url = 'https://example.com/') =>
    configuredHeaders({ url: new URL(url), headers });

  it('leaves out what belongs to the protocol or to HTTP', () => {
    const headers = {
      Accept: '*/*',
      'Content-Length': '1',
      'MCP-Param-A': '1',
      'Mcp-Method': 'x',
      TE: 'x',
      'X-Mcp-Session-Id': 'a',
    };
    expect(read(headers)).toEqual({
      headers: { 'x-mcp-session-id': 'a' },
      ignored: ['Accept', 'Content-Length', 'MCP-Param-A', 'Mcp-Method', 'TE'],
    });
  });

  it('prefers a configured header to a user in the URL', () => {
    expect(read({}, 'https://a:b@example.com/').headers).toEqual({ authorization: 'Basic YTpi' });
    expect(read({ Authorization: 'Bearer x' }, 'https://a:b@example.com/').headers).toEqual({
      authorization: 'Bearer x',
    });
  });

  it('takes a percent sign in a password as it is where it encodes nothing', () => {
    expect(read({}, 'https://a:5%@example.com/').headers).toEqual({ authorization: `Basic ${btoa('a:5%')}` });
  });

  it.each([{ 'a b': '1' }, { '': '1' }, { a: 'ä\u0100' }, { a: 'x\r\ny: z' }])('refuses %j', (headers) => {
    expect(() => read(headers as Record<string, string>)).toThrow(expect.objectContaining({ code: 'configuration' }));
  });
});

describe('eventIdHeader', () => {
  it.each([
    ['e-1', 'e-1'],
    ['ä', '\u00c3\u00a4'],
    ['', undefined],
    [undefined, undefined],
    ['a\u0001', undefined],
    ['x'.repeat(5_000), undefined],
  ])('of %j is %j', (id, expected) => {
    expect(eventIdHeader(id)).toBe(expected);
    if (expected !== undefined) expect(() => new Headers({ 'last-event-id': expected })).not.toThrow();
  });
});
