import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  createTransportUnderTest,
  event,
  type Handler,
  openEvents,
  refuse,
  resultOf,
  serve,
  connect,
} from './httpHarness.ts';

const sse = { kind: 'sse' } as const;

/** A server of 2024-11-05: sends `endpoint` on the stream, accepts each POST and answers on the stream. */
function oldServer(endpoint: string, post?: Handler): Handler {
  let stream: ServerResponse | undefined;
  return (request, response) => {
    if (request.method === 'GET') {
      openEvents(response);
      response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
      stream = response;
    } else if (post !== undefined) post(request, response);
    else {
      response.writeHead(202).end('Accepted');
      if ('id' in request.message) stream?.write(`event: message\n${event(resultOf(request))}`);
    }
  };
}

describe('HTTP+SSE', () => {
  it('posts to the address the stream names and takes the answers from the stream [sse-endpoint]', async () => {
    const server = await serve(oldServer('/messages?id=1'));
    const client = await connect(server, { ...sse, headers: { 'x-key': 'k' } });
    await client.shakeHands('2024-11-05');
    await client.send({ id: 1, method: 'tools/list' });
    expect(await client.message(1)).toMatchObject({ result: {} });
    await client.transport.dispose();
    expect(await client.closed).toEqual({ kind: 'requested' });
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /mcp',
      'POST /messages?id=1',
      'POST /messages?id=1',
      'POST /messages?id=1',
    ]);
    for (const { headers } of server.requests) expect(headers).toMatchObject({ 'x-key': 'k' });
    expect(server.requests[0]?.headers).toMatchObject({ accept: 'text/event-stream' });
  });

  it('takes an answer in the response to the post too', async () => {
    const server = await serve(
      oldServer('messages', (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(resultOf(request)));
      }),
    );
    const client = await connect(server, sse);
    await client.send({ id: 1, method: 'ping' });
    expect(client.messages).toMatchObject([{ id: 1 }]);
  });

  it('tells why a request was refused, and logs why a notification was', async () => {
    const error = { code: -32600, message: 'No' };
    const server = await serve(oldServer('/messages', refuse(400, JSON.stringify({ jsonrpc: '2.0', error }))));
    const client = await connect(server, sse);
    await client.send({ id: 1, method: 'ping' });
    expect(client.messages).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
    await client.send({ method: 'notifications/initialized' });
    expect(client.logs.map(({ text }) => text).join('\n')).toMatch(/refused, which is ignored: .*No/);
  });

  it.each(['https://elsewhere.example/messages', 'http://['])(
    'sends nothing to another origin: %s [sse-same-origin]',
    async (endpoint) => {
      const server = await serve(oldServer(endpoint));
      await expect(connect(server, sse)).rejects.toMatchObject({
        code: 'invalidMessage',
        message: expect.stringContaining('nothing was sent there'),
      });
    },
  );

  it('sends nothing to an address of which it has read only the start', async () => {
    const server = await serve(oldServer(`/messages?${'x'.repeat(100_000)}`));
    await expect(connect(server, sse)).rejects.toMatchObject({ code: 'invalidMessage' });
    expect(server.seen('POST')).toEqual([]);
  });

  it.each<[string, Handler, object]>([
    ['a refusal', refuse(404), { code: 'httpStatus', status: 404 }],
    ['another type', refuse(200, '{}', { 'content-type': 'application/json' }), { code: 'httpStatus', status: 200 }],
    ['an early end', refuse(200, ':\n\n', { 'content-type': 'text/event-stream' }), { code: 'connectionClosed' }],
  ])('does not start on %s', async (_name, handler, error) => {
    await expect(connect(await serve(handler), sse)).rejects.toMatchObject(error);
  });

  it('does not wait longer for the address than it may', async () => {
    const server = await serve((_request, response) => openEvents(response));
    const client = createTransportUnderTest(server.origin, sse);
    const patience = new AbortController();
    const started = client.transport.start(patience.signal);
    started.catch(() => {});
    await server.request('GET');
    patience.abort(new Error('out of patience'));
    await expect(started).rejects.toThrow('out of patience');
    await client.transport.dispose();
    expect(await client.closed).toEqual({ kind: 'requested' });
  });

  it('waits ten seconds for the address, once the stream is open', async () => {
    const server = await serve((_request, response) => openEvents(response));
    const client = createTransportUnderTest(server.origin, sse);
    const started = client.transport.start(AbortSignal.timeout(30_000));
    const failure = expect(started).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('10 s'),
    });
    await client.clock.pass(10_000);
    await failure;
    await client.transport.dispose();
  });

  it('closes when the stream ends', async () => {
    const streams: ServerResponse[] = [];
    const old = oldServer('/messages');
    const server = await serve((request, response) => {
      if (request.method === 'GET') streams.push(response);
      old(request, response);
    });
    const client = await connect(server, sse);
    streams.forEach((stream) => stream.end());
    expect(await client.closed).toMatchObject({
      kind: 'failed',
      error: { code: 'connectionClosed', message: `The server at ${server.origin}/mcp ended the event stream.` },
    });
    await expect(client.send({ id: 1, method: 'ping' })).rejects.toMatchObject({ code: 'connectionClosed' });
  });
});
