import { afterEach, describe, expect, it } from 'vitest';
import { createServerUnderTest, type ServerUnderTest } from './serverHarness.ts';

let server: ServerUnderTest;

afterEach(() => server.transport.dispose());

describe('the server an article prints', () => {
  it('is served over stdio, wrong codes included', async () => {
    server = createServerUnderTest('articleServer.mjs');
    await server.transport.start(AbortSignal.timeout(30_000));
    const early = await server.request(0, 'tools/list');
    expect(early['error']).toEqual({ code: -32600, message: 'Server not initialized' });
    const clientInfo = { name: 'test', version: '1.0.0' };
    const handshake = await server.request(1, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo,
    });
    expect(handshake['result']).toMatchObject({
      protocolVersion: '2025-03-26',
      serverInfo: { name: 'raw-mcp-server' },
    });
    await server.transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const call = (id: number, name: string, args: object): Promise<unknown> =>
      server.request(id, 'tools/call', { name, arguments: args });
    expect(await call(2, 'calculate', { expression: '2 + 3 * 4' })).toMatchObject({
      result: { content: [{ type: 'text', text: '14' }], isError: false },
    });
    expect(await call(3, 'calculate', { expression: 'process.exit()' })).toMatchObject({ result: { isError: true } });
    expect(await call(4, 'nonexistent_tool', {})).toMatchObject({ error: { code: -32002 } });
    const missing = await server.request(5, 'resources/read', { uri: 'server://nothing' });
    expect(missing['error']).toMatchObject({ code: -32001 });
    expect(await server.request(6, 'ping')).toMatchObject({ result: {} });
    await server.transport.dispose();
    expect(server.logs.at(-1)).toEqual({ source: 'stderr', text: '[raw-mcp-server] stdin closed, shutting down' });
  });
});
