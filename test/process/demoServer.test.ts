import { describe, expect, it } from 'vitest';
import { ErrorCodes } from '../../src/protocol/jsonRpc.ts';
import { isMethod, schema, shakeHands, useDemoServer } from '../fixtures/demoServer.ts';

const { start, connect } = useDemoServer();

describe('lifecycle of the demo server', () => {
  it('answers the handshake with what the schema asks for', async () => {
    const client = start();
    const result = await shakeHands(client);
    expect(schema.faultsOf('InitializeResult', result)).toEqual([]);
    expect(result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'patchbay-demo', title: 'Patchbay Demo' },
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      instructions: expect.stringContaining('plan_trip') as string,
    });
  });

  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2099-01-01', '2025-11-25'],
  ])('asked for %s, negotiates %s', async (protocolVersion, negotiated) => {
    const client = start();
    expect(await shakeHands(client, { protocolVersion })).toMatchObject({ protocolVersion: negotiated });
  });

  it('declares no completion capability in a revision that has none', async () => {
    const client = start();
    const result = await shakeHands(client, { protocolVersion: '2024-11-05' });
    expect(result).not.toHaveProperty('capabilities.completions');
  });

  it('answers ping and unknown methods, but nothing else, before the handshake', async () => {
    const client = start();
    expect(await client.request('ping')).toMatchObject({ result: {} });
    expect(await client.request('server/discover')).toMatchObject({ error: { code: ErrorCodes.methodNotFound } });
    expect(await client.request('tools/list')).toMatchObject({ error: { code: ErrorCodes.invalidRequest } });
  });

  it('refuses a second handshake and one without a revision', async () => {
    const client = start();
    expect(await client.request('initialize', {})).toMatchObject({ error: { code: ErrorCodes.invalidParams } });
    await shakeHands(client);
    const again = await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    expect(again).toMatchObject({ error: { code: ErrorCodes.invalidRequest } });
  });

  it('says one line on stderr and exits by itself when stdin ends, whatever is under way', async () => {
    const client = await connect();
    await client.request('resources/subscribe', { uri: 'demo://clock' });
    client.post('tools/call', { name: 'slow_count', arguments: { steps: 100, intervalMs: 10_000 } });
    client.post('tools/call', { name: 'list_roots' });
    await client.waitFor(isMethod('roots/list'));
    const exit = await client.end();
    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(exit.stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('JSON-RPC of the demo server', () => {
  it('answers what is not JSON with a parse error and works on', async () => {
    const client = start();
    client.sendLine('{"jsonrpc": oops');
    const error = await client.waitFor((message) => 'error' in message);
    expect(error).toMatchObject({ error: { code: ErrorCodes.parseError } });
    expect(schema.faultsOf('JSONRPCErrorResponse', error)).toEqual([]);
    expect(await client.request('ping')).toMatchObject({ result: {} });
  });

  it.each([
    ['a number', '42'],
    ['an empty object', '{}'],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['a batch, which this revision has not', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'],
  ])('answers %s with an invalid request', async (_name, line) => {
    const client = await connect();
    client.sendLine(line);
    const error = await client.waitFor((message) => 'error' in message);
    expect(error).toMatchObject({ error: { code: ErrorCodes.invalidRequest } });
  });

  it('takes a batch in 2025-03-26', async () => {
    const client = await connect({ protocolVersion: '2025-03-26' });
    client.sendLine('[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]');
    expect(await client.waitFor((message) => message['id'] === 'a')).toMatchObject({ result: {} });
    expect(await client.waitFor((message) => message['id'] === 'b')).toMatchObject({ result: {} });
  });

  it('takes lines in any pieces, empty ones and Unicode line separators inside strings', async () => {
    const client = await connect();
    client.sendLine('\r\n');
    const name = 'a\u2028b\u2029é';
    const added = await client.request('tools/call', { name: 'add_note', arguments: { name, text: '' } });
    expect(added).toMatchObject({ result: { content: [{ type: 'text' }, { type: 'resource_link', name }] } });
  });

  it.each([
    ['tools/call', { name: 'no_such_tool' }],
    ['tools/call', { name: 'add', arguments: [1, 2] }],
    ['tools/list', { cursor: 'made up' }],
    ['resources/read', {}],
    ['prompts/get', { name: 'no_such_prompt' }],
    ['prompts/get', { name: 'greet' }],
    ['prompts/get', { name: 'greet', arguments: { name: 7 } }],
    ['prompts/get', { name: 'plan_trip', arguments: { country: 'Japan', city: 'Paris' } }],
    ['logging/setLevel', { level: 'loud' }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'nobody' }, argument: { name: 'a', value: '' } }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument: 'language' }],
  ])('answers bad parameters of %s with -32602: %j', async (method, params) => {
    const client = await connect();
    expect(await client.request(method, params)).toMatchObject({ error: { code: ErrorCodes.invalidParams } });
  });
});
