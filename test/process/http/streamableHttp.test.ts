import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { settle } from '../../fixtures/manualClock.ts';
import {
  answerAll,
  answerJson,
  createTransportUnderTest,
  event,
  openEvents,
  refuse,
  resultOf,
  serve,
  connect,
  open,
  withSession,
  streamOf,
} from './httpHarness.ts';

const offersNoStream = refuse(405);

describe('messages', () => {
  it('posts each one with the headers of the protocol and takes a JSON answer [http-post] [http-both-answers]', async () => {
    const server = await serve((request, response) => answerJson(response, resultOf(request, { tools: [] })));
    const client = await connect(server, { headers: { 'X-Key': 'k', Accept: 'text/plain', 'mcp-session-id': 'mine' } });
    await client.send({ id: 1, method: 'tools/list' });
    expect(client.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: { tools: [] } }]);
    const [{ headers, message, method } = expect.unreachable()] = server.requests;
    expect({ method, message }).toEqual({ method: 'POST', message: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    expect(headers).toMatchObject({
      'x-key': 'k',
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    });
    expect(headers).not.toHaveProperty('mcp-session-id');
    expect(client.logs.map(({ text }) => text)).toEqual([
      'The configured header "Accept" is not sent: the protocol sets it.',
      'The configured header "mcp-session-id" is not sent: the protocol sets it.',
    ]);
  });

  it('takes what a stream brings before and after the answer [http-requests-on-stream]', async () => {
    const server = await serve((request, response) => {
      openEvents(response);
      response.write(': hello\n\n');
      response.write(event({ jsonrpc: '2.0', id: 'ask', method: 'roots/list' }));
      response.write('event: ping\ndata: {}\n\n');
      response.end(event(resultOf(request)) + event({ jsonrpc: '2.0', method: 'notifications/late' }));
    });
    const client = await connect(server);
    await client.send({ id: 1, method: 'tools/list' });
    await client.message('notifications/late');
    expect(client.messages).toMatchObject([{ id: 'ask' }, { id: 1 }, { method: 'notifications/late' }]);
    expect(client.logs).toEqual([{ source: 'note', text: 'Ignored an event of type ping.' }]);
  });

  it('leaves nothing open, not even a body without end that a message without an answer gets', async () => {
    const opened: Promise<unknown>[] = [];
    const server = await serve((_request, response) => {
      opened.push(once(response, 'close'));
      response.writeHead(202, { 'content-length': 10 }).write('{');
    });
    const client = await connect(server);
    const accepted = new Promise<void>((resolve) =>
      client.transport.onLog(({ source }) => source === 'http' && resolve()),
    );
    client.send({ method: 'notifications/roots/list_changed' }).catch(() => {});
    await accepted;
    await settle();
    await client.transport.dispose();
    await Promise.all(opened);
    expect(opened).toHaveLength(1);
  });

  it('come after the stream of the server was asked for, on which it may ask something at the first call', async () => {
    const server = await serve((request, response) => {
      if (request.method === 'GET') openEvents(response);
      else withSession('s', answerAll)(request, response);
    });
    const client = await open(server);
    await client.send({ id: 1, method: 'tools/call' });
    expect(server.requests.map(({ method, message }) => message['method'] ?? method)).toEqual([
      'initialize',
      'notifications/initialized',
      'GET',
      'tools/call',
    ]);
  });

  it('closes a stream that stays open after the answer', async () => {
    const closed: Promise<void>[] = [];
    const server = await serve((request, response) => {
      closed.push(new Promise((resolve) => response.on('close', resolve)));
      openEvents(response);
      response.write(event(resultOf(request)));
    });
    const client = await connect(server);
    await client.send({ id: 1, method: 'tools/list' });
    await client.clock.pass(5_000);
    await Promise.all(closed);
  });

  it.each([200, 202, 204])(
    'is content with status %i for a notification, whatever the body [http-accepted]',
    async (status) => {
      const server = await serve((_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(status === 204 ? undefined : '{"jsonrpc":"2.0","result":{}}');
      });
      const client = await connect(server);
      await client.send({ method: 'notifications/roots/list_changed' });
      await client.send({ id: 7, result: {} });
      expect(client.messages).toEqual([]);
      expect(server.requests).toHaveLength(2);
    },
  );

  it('goes on after an event that is no JSON', async () => {
    const server = await serve(streamOf((request) => `data: <html>\n\ndata: 7\n\n${event(resultOf(request))}`));
    const client = await connect(server);
    await client.send({ id: 1, method: 'ping' });
    expect(client.logs).toEqual([
      { source: 'noise', text: '<html>' },
      { source: 'noise', text: '7' },
    ]);
  });

  it('refuses headers that cannot be sent, without repeating their value', () => {
    const create = () => createTransportUnderTest('http://127.0.0.1/mcp', { headers: { 'X-Key': 'top\nsecret' } });
    expect(create).toThrow(
      expect.objectContaining({ code: 'configuration', message: expect.stringContaining('"X-Key"') }),
    );
    expect(create).not.toThrow(/secret/);
  });

  it('sends a user and password of the URL as a header', async () => {
    const server = await serve(answerAll);
    const client = await connect({ ...server, origin: server.origin.replace('//', '//us%C3%A9r:p%40ss@') });
    await client.send({ id: 1, method: 'ping' });
    const basic = `Basic ${Buffer.from('usér:p@ss').toString('base64')}`;
    expect(server.requests[0]?.headers).toMatchObject({ authorization: basic });
  });
});

describe('sessions', () => {
  it('shows id and revision with everything after the handshake, and says goodbye [http-session] [http-session-delete] [http-version-header]', async () => {
    const server = await serve(
      withSession('s-1', (request, response) => {
        if (request.method === 'GET') offersNoStream(request, response);
        else if (request.method === 'DELETE') response.writeHead(200).end();
        else answerJson(response, resultOf(request));
      }),
    );
    const client = await connect(server);
    await client.shakeHands('2025-06-18');
    await server.request('GET');
    await client.send({ id: 1, method: 'tools/list' });
    await client.transport.dispose();
    await client.transport.dispose();
    expect(await client.closed).toEqual({ kind: 'requested' });
    const [first, ...rest] = server.requests;
    expect(first?.headers).not.toHaveProperty('mcp-session-id');
    expect(first?.headers).not.toHaveProperty('mcp-protocol-version');
    expect(rest.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'DELETE']);
    for (const { headers } of rest)
      expect(headers).toMatchObject({ 'mcp-session-id': 's-1', 'mcp-protocol-version': '2025-06-18' });
    await expect(client.send({ id: 2, method: 'ping' })).rejects.toMatchObject({ code: 'connectionClosed' });
  });

  it('does not wait for a server that ignores the goodbye', async () => {
    const server = await serve(
      withSession('s-1', (request, response) => {
        if (request.method === 'GET') offersNoStream(request, response);
      }),
    );
    const client = await open(server);
    const disposed = client.transport.dispose();
    await server.request('DELETE');
    await client.clock.pass(2_000);
    await disposed;
    expect(await client.closed).toEqual({ kind: 'requested' });
  });

  it('ignores a session id that is no visible ASCII', async () => {
    const server = await serve((request, response) => {
      if (request.method === 'GET') offersNoStream(request, response);
      else answerJson(response, resultOf(request), { 'mcp-session-id': 'a b' });
    });
    const client = await connect(server);
    await client.send({ id: 1, method: 'initialize' });
    await client.send({ id: 2, method: 'ping' });
    expect(server.requests[1]?.headers).not.toHaveProperty('mcp-session-id');
    expect(client.logs).toMatchObject([{ text: 'The session id of the server is not usable and was ignored.' }]);
  });

  it.each([
    [404, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }],
    [404, {}],
    [400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: No valid session ID provided' } }],
  ])('reports the session lost on status %i [http-session-lost]', async (status, body) => {
    let isKnown = true;
    const server = await serve((request, response) => {
      if (request.method === 'GET') return offersNoStream(request, response);
      if (request.message['method'] === 'initialize') isKnown = true;
      if (!isKnown) response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      else withSession('s', answerAll)(request, response);
    });
    const client = await open(server);
    isKnown = false;
    await expect(client.send({ id: 1, method: 'tools/list' })).rejects.toMatchObject({ code: 'sessionLost' });
    const count = server.requests.length;
    await expect(client.send({ id: 2, method: 'tools/list' })).rejects.toMatchObject({ code: 'sessionLost' });
    expect(server.requests).toHaveLength(count);
    await client.shakeHands();
    await client.send({ id: 3, method: 'tools/list' });
    expect(server.seen('initialize')[1]?.headers).not.toHaveProperty('mcp-session-id');
    expect(server.seen('initialize')[1]?.headers).not.toHaveProperty('mcp-protocol-version');
    expect(client.messages.at(-1)).toMatchObject({ id: 3, result: {} });
  });

  it.each([400, 404, 405])(
    'says which status %i the opening got, with the error in it [sse-fallback]',
    async (status) => {
      const error = { code: -32000, message: 'Not here.' };
      const server = await serve(({ message }, response) => {
        const id = message['id'] === 1 ? null : message['id'];
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      });
      const client = await connect(server);
      for (const id of [1, 2]) {
        const refused = { code: 'httpStatus', status, body: error };
        await expect(client.send({ id, method: 'initialize' })).rejects.toMatchObject(refused);
      }
      expect(client.messages).toEqual([]);
    },
  );

  it('takes an error with status 404 that names the request for its answer [http-session-lost]', async () => {
    const server = await serve(
      withSession('s', ({ message }, response) => {
        const body = { jsonrpc: '2.0', id: message['id'], error: { code: -32601, message: 'Method not found' } };
        response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      }),
    );
    const client = await open(server);
    await client.send({ id: 1, method: 'resources/templates/list' });
    expect(client.messages.at(-1)).toMatchObject({ id: 1, error: { code: -32601 } });
  });

  it('keeps the session where a message without an answer is refused with 404', async () => {
    const server = await serve(
      withSession('s', (request, response) => ('id' in request.message ? answerAll : refuse(404))(request, response)),
    );
    const client = await open(server);
    await client.send({ id: 1, method: 'tools/list' });
    await client.send({ method: 'notifications/roots/list_changed' });
    await client.send({ id: 2, method: 'tools/list' });
    expect(client.messages.at(-1)).toMatchObject({ id: 2, result: {} });
  });

  it('finds the session lost when the server was restarted [http-session-lost]', async () => {
    // With a connection for each request none is left over from before the restart.
    const server = await serve((request, response) => {
      response.setHeader('connection', 'close');
      withSession('old', answerAll)(request, response);
    });
    const client = await connect(server);
    await client.send({ id: 1, method: 'initialize' });
    await client.send({ id: 2, method: 'tools/list' });
    await server.stop();
    const restarted = await serve(withSession('new', refuse(404)), server.port);
    await expect(client.send({ id: 3, method: 'tools/list' })).rejects.toMatchObject({ code: 'sessionLost' });
    restarted.handler = withSession('new', answerAll);
    await client.send({ id: 4, method: 'initialize' });
    await client.send({ id: 5, method: 'tools/list' });
    expect(restarted.requests.at(-1)?.headers).toMatchObject({ 'mcp-session-id': 'new' });
  });

  it('keeps the newer session when an older opening is answered late', async () => {
    const late: (() => void)[] = [];
    const server = await serve((request, response) => {
      const answer = (): void => withSession(`s-${String(request.message['id'])}`, answerAll)(request, response);
      if (request.message['id'] === 1) late.push(answer);
      else answer();
    });
    const client = await connect(server);
    const older = client.send({ id: 1, method: 'initialize' }).catch(() => {});
    await server.request('initialize');
    await client.send({ id: 2, method: 'initialize' });
    late.forEach((answer) => answer());
    await older;
    await client.send({ id: 3, method: 'ping' });
    expect(server.seen('ping')[0]?.headers).toMatchObject({ 'mcp-session-id': 's-2' });
  });

  it('keeps the newer session when a request of the older one fails late', async () => {
    let sessions = 0;
    const late: (() => void)[] = [];
    const server = await serve((request, response) => {
      const { method } = request.message;
      if (request.method === 'GET') return offersNoStream(request, response);
      if (method === 'initialize') sessions += 1;
      if (method === 'slow') late.push(() => response.writeHead(404).end());
      else if (method === 'lose') response.writeHead(404).end();
      else withSession(`s-${sessions}`, answerAll)(request, response);
    });
    const client = await open(server);
    const slow = client.send({ id: 1, method: 'slow' });
    await server.request('slow');
    await expect(client.send({ id: 2, method: 'lose' })).rejects.toMatchObject({ code: 'sessionLost' });
    await client.shakeHands();
    late.forEach((fail) => fail());
    await expect(slow).rejects.toMatchObject({ code: 'sessionLost' });
    await client.send({ id: 3, method: 'tools/list' });
    expect(server.seen('tools/list')[0]?.headers).toMatchObject({ 'mcp-session-id': 's-2' });
  });
});

describe("the server's own stream", () => {
  it('brings messages, and is opened again where it broke [http-get-stream]', async () => {
    const server = await serve(
      withSession('s', (request, response) => {
        openEvents(response);
        if (request.headers['last-event-id'] === undefined)
          response.end(`retry: 700\n${event({ jsonrpc: '2.0', method: 'notifications/one' }, 'e1')}`);
        else response.write(event({ jsonrpc: '2.0', method: 'notifications/two' }, 'e2'));
      }),
    );
    const client = await open(server);
    await client.message('notifications/one');
    await client.clock.pass(700);
    await client.message('notifications/two');
    const [first, second] = server.seen('GET');
    expect(first?.headers).toMatchObject({ accept: 'text/event-stream', 'mcp-session-id': 's' });
    expect(first?.headers).not.toHaveProperty('last-event-id');
    expect(second?.headers).toMatchObject({ 'last-event-id': 'e1', 'mcp-session-id': 's' });
  });

  it('is opened again where events without data say, each time as if for the first [http-id-only]', async () => {
    const server = await serve(
      withSession('s', (request, response) => {
        openEvents(response);
        const position = Number(request.headers['last-event-id'] ?? 0) + 1;
        if (position < 5) response.end(`retry: 300\nid: ${position}\n\n`);
        else response.write(event({ jsonrpc: '2.0', method: 'notifications/one' }));
      }),
    );
    const client = await open(server);
    for (let position = 1; position < 5; position += 1) await client.clock.pass(300);
    await client.message('notifications/one');
    expect(server.seen('GET').at(-1)?.headers).toMatchObject({ 'last-event-id': '4' });
  });

  it.each([400, 404, 405, 501])(
    'is not missed when refused with %i by a server without sessions [http-get-stream]',
    async (status) => {
      const server = await serve((request, response) => {
        if (request.method === 'GET') response.writeHead(status).end();
        else answerJson(response, resultOf(request));
      });
      const client = await open(server);
      await server.request('GET');
      await client.send({ id: 1, method: 'ping' });
      expect(server.seen('GET')).toHaveLength(1);
      expect(client.clock.waiting).toBe(0);
    },
  );

  it.each([400, 404])('costs no session when it never was there, though it is refused with %i', async (status) => {
    const server = await serve(
      withSession('s', (request, response) => {
        if (request.method === 'POST') answerAll(request, response);
        else response.writeHead(status).end('Cannot GET /mcp: no session here');
      }),
    );
    const client = await open(server);
    await client.log('The server offers no stream of its own');
    await client.send({ id: 1, method: 'ping' });
    expect(client.messages.at(-1)).toMatchObject({ id: 1, result: {} });
  });

  it('reports a session lost that nobody asked about', async () => {
    const server = await serve(
      withSession('s', (_request, response) => {
        if (server.seen('GET').length > 1) response.writeHead(404).end();
        else response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data:\n\n');
      }),
    );
    const client = await open(server);
    await client.clock.pass(500);
    await client.lost;
    await expect(client.send({ id: 1, method: 'ping' })).rejects.toMatchObject({ code: 'sessionLost' });
  });

  it('is no reason to give the server up when it only hangs up on that', async () => {
    const server = await serve(
      withSession('s', (request, response) => {
        if (request.method === 'GET') response.destroy();
        else answerAll(request, response);
      }),
    );
    const client = await open(server);
    for (const milliseconds of [500, 750, 1_125, 1_688, 2_531, 3_797]) await client.clock.pass(milliseconds);
    await client.send({ id: 1, method: 'ping' });
    expect(client.messages.at(-1)).toMatchObject({ id: 1, result: {} });
  });

  it('is tried again slowly while the server answers, and closes the transport when it is gone', async () => {
    // With a connection for each request none is left over that could break.
    const server = await serve((request, response) => {
      response.setHeader('connection', 'close');
      withSession('s', refuse(503))(request, response);
    });
    const client = await open(server);
    for (const milliseconds of [500, 750, 1_125, 1_688, 2_531, 3_797]) await client.clock.pass(milliseconds);
    await server.request('GET', 7);
    await server.stop();
    for (const milliseconds of [5_695, 8_543, 12_814, 15_000, 15_000]) await client.clock.pass(milliseconds);
    expect(await client.closed).toMatchObject({
      kind: 'failed',
      error: { code: 'unreachable', message: expect.stringContaining('nothing listens there (ECONNREFUSED)') },
    });
  });
});
