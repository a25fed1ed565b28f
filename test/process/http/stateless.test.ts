import { describe, expect, it } from 'vitest';
import type { SendHints } from '../../../src/protocol/messageChannel.ts';
import { answerJson, event, openEvents, resultOf, streamOf, serve, connect } from './httpHarness.ts';

const hints: SendHints = {
  isStateless: true,
  headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'add' },
};

describe('messages that stand for themselves', () => {
  it('carry the headers of their hints and take no session [http-no-session]', async () => {
    const server = await serve((request, response) =>
      answerJson(response, resultOf(request), { 'mcp-session-id': 'unwanted' }),
    );
    const client = await connect(server, { headers: { 'mcp-name': 'other' } });
    await client.send({ id: 1, method: 'tools/call' }, hints);
    await client.send({ id: 2, method: 'tools/call' }, hints);
    await client.transport.dispose();
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
    for (const { headers } of server.requests) {
      expect(headers).toMatchObject({
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'add',
      });
      expect(headers).not.toHaveProperty('mcp-session-id');
    }
  });

  it('are cancelled by closing their stream, without a message [http-cancel-closes]', async () => {
    const closed: Promise<void>[] = [];
    const server = await serve((_request, response) => {
      openEvents(response);
      response.write(event({ jsonrpc: '2.0', method: 'notifications/working' }));
      closed.push(new Promise((resolve) => response.on('close', resolve)));
    });
    const client = await connect(server);
    const sent = client.send({ id: 1, method: 'tools/call' }, hints);
    sent.catch(() => {});
    await client.message('notifications/working');
    await client.send({ method: 'notifications/cancelled', params: { requestId: 1 } }, hints);
    await expect(sent).rejects.toThrow('The request was cancelled');
    await Promise.all(closed);
    expect(server.requests).toHaveLength(1);
  });

  it('lose their answer with their stream, event ids or not [http-answer-lost] [http-no-session]', async () => {
    const server = await serve(streamOf('id: e1\nretry: 10\ndata:\n\n'));
    const client = await connect(server);
    await expect(client.send({ id: 1, method: 'tools/call' }, hints)).rejects.toMatchObject({ code: 'answerLost' });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [400, { jsonrpc: '2.0', id: 1, error: { code: -32020, message: 'Header mismatch' } }],
    [404, { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }],
    [400, { jsonrpc: '2.0', id: null, error: { code: -32022, message: 'Unsupported', data: { supported: [] } } }],
    [500, { jsonrpc: '2.0', error: { code: -32603, message: 'Internal error' } }],
  ])('take the error in an answer with status %i [http-error-body]', async (status, body) => {
    const server = await serve((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    const client = await connect(server);
    await client.send({ id: 1, method: 'tools/call' }, hints);
    expect(client.messages).toEqual([{ ...body, id: 1 }]);
  });

  it('leaves an open-ended request open as long as its stream is', async () => {
    const server = await serve((_request, response) => {
      openEvents(response);
      response.write(event({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged' }));
    });
    const client = await connect(server);
    const sent = client.send({ id: 1, method: 'subscriptions/listen' }, hints);
    sent.catch(() => {});
    await client.message('notifications/subscriptions/acknowledged');
    expect(client.clock.waiting).toBe(0);
    await client.transport.dispose();
    await expect(sent).rejects.toMatchObject({ code: 'connectionClosed' });
  });
});
