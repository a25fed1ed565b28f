import { describe, expect, it, vi } from 'vitest';
import { PatchbayError } from '../../../../src/base/errors.ts';
import type { Tool } from '../../../../src/protocol/mcp/tools.ts';
import { settle } from '../../../fixtures/manualClock.ts';
import { bareParams, openStateless } from '../../../fixtures/statelessSession.ts';

const prefix = 'io.modelcontextprotocol/';
const done = { resultType: 'complete', content: [] };
const lost = new PatchbayError('answerLost', 'The answer was lost.');

function withHeader(header: string, annotations: Tool['annotations'] = {}): Tool {
  const properties = { region: { type: 'string', 'x-mcp-header': header } };
  return { name: 'query', inputSchema: { type: 'object', properties }, annotations };
}

describe('every request', () => {
  it('says which revision, who asks, and what can be answered [envelope-every-request] [envelope-capabilities]', async () => {
    const capabilities = { roots: { listChanged: true }, sampling: { tools: {} } };
    const { server, session } = openStateless({ capabilities });
    server.on('tools/call', () => done);
    await session.request('tools/call', { name: 'x', _meta: { 'example.com/own': 1, [`${prefix}clientInfo`]: 'no' } });
    const declared = { roots: {}, sampling: { tools: {} }, extensions: { [`${prefix}tasks`]: {} } };
    const meta = {
      'example.com/own': 1,
      [`${prefix}protocolVersion`]: '2026-07-28',
      [`${prefix}clientInfo`]: { name: 'test', version: '0' },
      [`${prefix}clientCapabilities`]: declared,
    };
    const params = { name: 'x', _meta: meta };
    expect(server.sent).toEqual([{ jsonrpc: '2.0', id: 1, method: 'tools/call', params }]);
  });

  it('asks for logs only once a level was set, and keeps asking for progress', async () => {
    const { server, session, events } = openStateless();
    server.on('tools/call', () => done);
    await session.request('tools/call', { name: 'x' });
    await session.setLogLevel('warning');
    await session.request('tools/call', { name: 'x' }, { onProgress: () => {} });
    expect(server.sent[0]).not.toHaveProperty(['params', '_meta', `${prefix}logLevel`]);
    const wanted = { [`${prefix}logLevel`]: 'warning', progressToken: 2 };
    expect(server.sent[1]).toMatchObject({ params: { _meta: wanted } });
    server.notify('notifications/message', { level: 'error', data: 'broken' });
    await settle();
    expect(events).toEqual([{ level: 'error', data: 'broken' }]);
  });

  it('has headers over HTTP and none beside [http-standard-headers]', async () => {
    const local = openStateless();
    local.server.on('tools/call', () => done);
    await local.session.request('tools/call', { name: 'x' });
    expect(local.server.hintsFor('tools/call')).toEqual([undefined]);

    const { server, session } = openStateless({ isHttp: true });
    const method = { 'MCP-Protocol-Version': '2026-07-28' };
    for (const name of ['tools/call', 'prompts/get', 'resources/read', 'tools/list']) server.on(name, () => done);
    await session.request('tools/call', { name: 'ü' });
    await session.request('prompts/get', { name: 'p' });
    await session.request('resources/read', { uri: 'a:b' });
    await session.request('tools/list');
    const headersOf = (name: string) => server.hintsFor(name).map((hints) => [hints?.isStateless, hints?.headers]);
    const named = (name: string) => ({ ...method, 'Mcp-Method': name });
    expect(headersOf('tools/call')).toEqual([[true, { ...named('tools/call'), 'Mcp-Name': '=?base64?w7w=?=' }]]);
    expect(headersOf('prompts/get')).toEqual([[true, { ...named('prompts/get'), 'Mcp-Name': 'p' }]]);
    expect(headersOf('resources/read')).toEqual([[true, { ...named('resources/read'), 'Mcp-Name': 'a:b' }]]);
    expect(headersOf('tools/list')).toEqual([[true, named('tools/list')]]);
  });
});

describe('the server', () => {
  it('is never answered [no-answers]', async () => {
    const { server, log } = openStateless();
    void server.ask('roots/list');
    void server.ask('ping');
    server.say({ jsonrpc: '2.0', id: 'x', method: 'roots/list', params: 5 });
    await settle();
    expect(server.sent).toEqual([]);
    expect(log).toContainEqual(['warn', expect.stringContaining('roots/list')]);
  });

  it('is asked what it is when it is pinged, and never hears of roots [no-removed-methods]', async () => {
    const { server, session } = openStateless();
    server.on('server/discover', () => ({ resultType: 'complete' }));
    await session.ping();
    await session.notifyRootsChanged();
    expect(server.sent.map(({ method }) => method)).toEqual(['server/discover']);
  });
});

describe('a result', () => {
  it('without a type is complete [result-type]', async () => {
    const { server, session } = openStateless();
    server.on('tools/call', () => ({ content: [] }));
    expect(await session.request('tools/call', { name: 'x' })).toEqual({ content: [] });
  });

  it.each(['task', 'new', 7, null])('of the type %j is none [result-type] [extensions]', async (resultType) => {
    const { server, session } = openStateless();
    // Only a tool call can become a task.
    server.on('prompts/get', () => ({ resultType, content: [] }));
    await expect(session.request('prompts/get', { name: 'p' })).rejects.toMatchObject({ code: 'invalidMessage' });
  });
});

describe('an answer that was lost', () => {
  it.each([
    ['tools/list', {}],
    ['resources/read', { uri: 'a:b' }],
    ['prompts/get', { name: 'p' }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }],
    ['server/discover', {}],
  ])('of %s is asked for once more, as a new request [http-answer-lost]', async (method, params) => {
    const { server, session } = openStateless({ isHttp: true });
    const answer = vi.fn(() => ({ contents: [] }));
    answer.mockImplementationOnce(() => {
      throw lost;
    });
    server.on(method, answer);
    expect(await session.request(method, params)).toEqual({ contents: [] });
    expect(server.sent.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('is asked for no more than twice', async () => {
    const { server, session } = openStateless({ isHttp: true });
    server.fail('tools/list', lost);
    await expect(session.request('tools/list')).rejects.toBe(lost);
    expect(server.sent).toHaveLength(2);
  });

  it.each([
    ['says nothing of that', {}, 1],
    ['destroys', { destructiveHint: true }, 1],
    ['is idempotent', { idempotentHint: true }, 2],
    ['only reads data', { readOnlyHint: true }, 2],
  ])('of a tool that %s is asked for %j: %d in all [http-never-twice]', async (_what, annotations, count) => {
    const { server, session } = openStateless({ isHttp: true });
    server.fail('tools/call', lost);
    session.validateTool({ name: 'x', inputSchema: {}, annotations });
    await expect(session.request('tools/call', { name: 'x' })).rejects.toBe(lost);
    expect(server.sent).toHaveLength(count);
  });
});

describe('the headers of a tool', () => {
  it('are sent with its calls, until a listing has none [http-parameter-headers]', async () => {
    const { server, session } = openStateless({ isHttp: true });
    server.on('tools/call', () => done);
    expect(session.validateTool(withHeader('Region'))).toBeUndefined();
    await session.request('tools/call', { name: 'query', arguments: { region: 'eu' } });
    expect(server.hintsFor('tools/call')[0]?.headers).toMatchObject({ 'Mcp-Param-Region': 'eu' });
    session.validateTool({ name: 'query', inputSchema: {} });
    await session.request('tools/call', { name: 'query', arguments: { region: 'eu' } });
    expect(server.hintsFor('tools/call')[1]?.headers).not.toHaveProperty('Mcp-Param-Region');
  });

  it('keep a tool out that asks for impossible ones, over HTTP only [http-invalid-tools]', () => {
    expect(openStateless({ isHttp: true }).session.validateTool(withHeader('A B'))).toContain('"query" was left out');
    expect(openStateless().session.validateTool(withHeader('A B'))).toBeUndefined();
  });

  it('are looked up again when the server misses one, and the call sent once more [http-header-mismatch]', async () => {
    const { server, session, events } = openStateless({ isHttp: true });
    session.validateTool(withHeader('Region'));
    server.on('tools/list', ({ cursor }) =>
      cursor === undefined ? { tools: [], nextCursor: 'b' } : { tools: [withHeader('Zone')] },
    );
    server.on('tools/call', () => {
      const { headers } = server.hintsFor('tools/call').at(-1) ?? {};
      if (headers?.['Mcp-Param-Zone'] === undefined) throw { code: -32020, message: 'Header mismatch' };
      return done;
    });
    const params = { name: 'query', arguments: { region: 'eu' } };
    expect(await session.request('tools/call', params)).toEqual(done);
    expect(server.sent.map(({ method }) => method)).toEqual(['tools/call', 'tools/list', 'tools/list', 'tools/call']);
    expect(events).toEqual(['tools changed']);
  });

  it('are looked up again once only, and not for a tool that is gone', async () => {
    const { server, session } = openStateless({ isHttp: true });
    const tools = [withHeader('Region')];
    server.on('tools/list', () => ({ tools }));
    server.fail('tools/call', { code: -32020, message: 'Header mismatch' });
    await expect(session.request('tools/call', { name: 'query' })).rejects.toMatchObject({ code: -32020 });
    expect(server.sentFor('tools/call')).toHaveLength(2);
    await expect(session.request('tools/call', { name: 'gone' })).rejects.toMatchObject({ code: -32020 });
    expect(server.sentFor('tools/call')).toHaveLength(3);
  });
});

describe('what was read', () => {
  const fresh = (text: string) => ({ contents: [{ uri: 'a:b', text }], ttlMs: 1_000, cacheScope: 'private' });

  function open(result: (count: number) => unknown) {
    const opened = openStateless();
    let count = 0;
    opened.server.on('resources/read', () => result((count += 1)));
    const read = (uri = 'a:b') => opened.session.request('resources/read', { uri });
    return { ...opened, read };
  }

  it('is kept as long as the server says, each resource by itself [cache-fresh] [cache-keys]', async () => {
    const { server, clock, read } = open((count) => fresh(String(count)));
    const first = await read();
    expect(await read()).toEqual(first);
    await read('a:c');
    await clock.advance(999);
    expect(await read()).toEqual(first);
    expect(server.sent).toHaveLength(2);
    await clock.advance(1);
    expect(await read()).not.toEqual(first);
  });

  it.each([0, -5, undefined, '9'])('is not kept for the time %j', async (ttlMs) => {
    const { server, read } = open(() => ({ contents: [], ttlMs }));
    await read();
    await read();
    expect(server.sent).toHaveLength(2);
  });

  it('is forgotten when the server says it changed, even while it is read [cache-invalidated]', async () => {
    const { server, read } = open((count) => (count === 2 ? undefined : fresh(String(count))));
    await read();
    server.notify('notifications/resources/updated', { uri: 'a:b/part' });
    await settle();
    const second = read();
    await settle();
    server.notify('notifications/resources/updated', { uri: 'a:b' });
    server.say({ jsonrpc: '2.0', id: 2, result: fresh('2') });
    await second;
    await read();
    expect(server.sent).toHaveLength(3);
  });

  it('is forgotten with the account it was read for, even while it is read, unless it is public [cache-private]', async () => {
    const { server, authorization, context, read } = open((count) => {
      if (count === 1) return { ...fresh('1'), cacheScope: 'public' };
      return count === 3 ? undefined : fresh(String(count));
    });
    await read('a:public');
    await read();
    // The same account, with a newer token.
    authorization.fire();
    await read();
    context.fire({ before: 'a', account: 'b' });
    await read('a:public');
    const third = read();
    await settle();
    context.fire({ before: 'b', account: 'c' });
    server.say({ jsonrpc: '2.0', id: 3, result: fresh('3') });
    await third;
    await read();
    expect(server.sent).toHaveLength(4);
  });

  it('is not kept when it took input [cache-keys]', async () => {
    const { server, clock, read } = open((count) =>
      count % 2 === 1 ? { resultType: 'input_required', requestState: 's' } : fresh('x'),
    );
    for (let time = 0; time < 2; time += 1) {
      const result = read();
      await settle();
      await clock.advance(250);
      await result;
    }
    expect(server.sent.map(bareParams)).toEqual([
      { uri: 'a:b' },
      { uri: 'a:b', requestState: 's' },
      { uri: 'a:b' },
      { uri: 'a:b', requestState: 's' },
    ]);
  });

  it('is kept within bounds, the oldest going first', async () => {
    const { server, read } = open(() => fresh('x'.repeat(1024 * 1024)));
    for (let index = 0; index < 17; index += 1) await read(`u:${index}-`);
    await read('u:16-');
    expect(server.sent).toHaveLength(17);
    await read('u:0-');
    expect(server.sent).toHaveLength(18);
  });
});
