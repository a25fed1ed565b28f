import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  answerJson,
  event,
  type Handler,
  openEvents,
  refuse,
  resultOf,
  streamOf,
  serve,
  connect,
  open,
  withSession,
} from './httpHarness.ts';

/** Answers POSTs other than the handshake with `post`, GETs that resume with `resume`, and offers no other stream. */
function resumable(post: Handler, resume: Handler): Handler {
  return withSession('s', (request, response) => {
    if (request.method === 'POST') post(request, response);
    else if (request.headers['last-event-id'] === undefined) response.writeHead(405).end();
    else resume(request, response);
  });
}

const answer = { jsonrpc: '2.0', id: 1, result: { text: 'done' } };

describe('an answer whose stream breaks', () => {
  it('is asked for where it broke, after the wait the server wants [http-resume] [http-retry]', async () => {
    const server = await serve(resumable(streamOf('id: e1\nretry: 500\ndata: \n\n'), streamOf(event(answer, 'e2'))));
    const client = await connect(server);
    await client.shakeHands('2025-03-26');
    const sent = client.send({ id: 1, method: 'tools/call' });
    await client.clock.pass(500);
    await sent;
    expect(client.messages.at(-1)).toEqual(answer);
    expect(server.seen('GET').at(-1)?.headers).toMatchObject({
      'last-event-id': 'e1',
      'mcp-session-id': 's',
      'mcp-protocol-version': '2025-03-26',
    });
    expect(server.seen('tools/call')).toHaveLength(1);
  });

  it('is asked for where an event with an id and no data at all says [http-id-only]', async () => {
    const server = await serve(
      resumable(
        streamOf('id: e1\nretry: 500\n\n'),
        streamOf((request) => (request.headers['last-event-id'] === 'e1' ? 'id: e2\n\n' : event(answer))),
      ),
    );
    const client = await open(server);
    const sent = client.send({ id: 1, method: 'tools/call' });
    await client.clock.pass(500);
    await client.clock.pass(500);
    await sent;
    expect(client.messages.at(-1)).toEqual(answer);
    expect(server.seen('GET').map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e1', 'e2']);
  });

  it('is asked for again and again as long as the server gives new event ids [http-resume]', async () => {
    const server = await serve(
      resumable(streamOf('id: 0\nretry: 300\ndata:\n\n'), (request, response) => {
        const position = Number(request.headers['last-event-id']) + 1;
        openEvents(response);
        response.end(position === 12 ? event(answer) : `id: ${position}\nretry: ${300 + position}\ndata:\n\n`);
      }),
    );
    const client = await open(server);
    const sent = client.send({ id: 1, method: 'tools/call' });
    for (let position = 0; position < 12; position += 1) await client.clock.pass(300 + position);
    await sent;
    expect(client.messages.at(-1)).toEqual(answer);
  });

  it.each([
    ['an event', `id: e1\ndata: {}\n\ndata: {"jsonrpc":"2.0","id":1,"res`],
    ['a UTF-8 character', Buffer.concat([Buffer.from('id: e1\ndata: {}\n\ndata: "Gr'), Buffer.of(0xc3)])],
  ])('is resumed when the connection is cut in %s [http-resume]', async (_where, part) => {
    const server = await serve(
      resumable(
        (_request, response) => {
          openEvents(response);
          response.write(part, () => response.socket?.resetAndDestroy());
        },
        streamOf(event(answer)),
      ),
    );
    const client = await open(server);
    await Promise.all([client.send({ id: 1, method: 'tools/call' }), client.clock.pass(500)]);
    expect(client.messages.at(-1)).toEqual(answer);
  });

  it('is lost when there was no event id [http-never-twice]', async () => {
    const server = await serve(
      resumable(streamOf(event({ jsonrpc: '2.0', method: 'notifications/progress' })), refuse(500)),
    );
    const client = await open(server);
    await expect(client.send({ id: 1, method: 'tools/call' })).rejects.toMatchObject({
      code: 'answerLost',
      message: `The connection to the server at ${server.origin}/mcp ended before the answer was complete. The request may have been carried out: check before you repeat it.`,
    });
    expect(server.seen('tools/call')).toHaveLength(1);
  });

  it('is given up after five tries that bring nothing new', async () => {
    const server = await serve(resumable(streamOf('id: e1\ndata:\n\n'), streamOf()));
    const client = await open(server);
    const sent = client.call();
    for (const milliseconds of [500, 750, 1_125, 1_688, 2_531]) await client.clock.pass(milliseconds);
    await expect(sent).rejects.toMatchObject({ code: 'answerLost' });
    expect(server.seen('GET')).toHaveLength(6);
  });

  it('waits for a server that is away for a moment', async () => {
    const handler = resumable(streamOf('id: e1\ndata:\n\n'), (request, response) => {
      const tries = server.seen('GET').filter(({ headers }) => headers['last-event-id'] !== undefined).length;
      if (tries === 1) response.socket?.resetAndDestroy();
      else if (tries === 2) refuse(503)(request, response);
      else {
        openEvents(response);
        response.end(event(answer));
      }
    });
    const server = await serve((request, response) => {
      // A request on a kept connection would be sent again at once.
      response.setHeader('connection', 'close');
      handler(request, response);
    });
    const client = await open(server);
    const sent = client.send({ id: 1, method: 'tools/call' });
    for (const milliseconds of [500, 750, 1_125]) await client.clock.pass(milliseconds);
    await sent;
    expect(client.messages.at(-1)).toEqual(answer);
  });

  it('is lost, and not asked for anew, when the server has forgotten the session meanwhile [http-never-twice]', async () => {
    const server = await serve(resumable(streamOf('id: e1\ndata:\n\n'), refuse(404)));
    const client = await open(server);
    const sent = client.call();
    await client.clock.pass(500);
    await expect(sent).rejects.toMatchObject({ code: 'answerLost' });
    await client.lost;
    await expect(client.send({ id: 2, method: 'ping' })).rejects.toMatchObject({ code: 'sessionLost' });
    expect(server.seen('tools/call')).toHaveLength(1);
  });

  it('is not asked for when it came on another stream', async () => {
    const own: ServerResponse[] = [];
    const server = await serve(
      withSession('s', (request, response) => {
        openEvents(response);
        if (request.method === 'GET') own.push(response);
        else response.end('id: e1\nretry: 400\ndata:\n\n');
      }),
    );
    const client = await open(server);
    await server.request('GET');
    const sent = client.send({ id: 1, method: 'tools/call' });
    await client.log('asking for the rest in 400 ms');
    own.forEach((response) => response.write(event(answer)));
    await client.message(1);
    await client.clock.pass(400);
    await sent;
    expect(server.seen('GET')).toHaveLength(1);
  });
});

describe('a request that is cancelled', () => {
  it('is cancelled by a message, then its stream is closed', async () => {
    const order: string[] = [];
    const closed: Promise<void>[] = [];
    const server = await serve(
      resumable((request, response) => {
        if (request.message['method'] === 'notifications/cancelled') {
          order.push('cancelled');
          response.writeHead(202).end();
          return;
        }
        openEvents(response);
        const onClose = new Promise<void>((resolve) => response.on('close', resolve));
        closed.push(onClose.then(() => void order.push('closed')));
        response.write(event({ jsonrpc: '2.0', method: 'notifications/working' }, 'e1'));
      }, refuse(500)),
    );
    const client = await open(server);
    const sent = client.call();
    await client.message('notifications/working');
    await client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await expect(sent).rejects.toThrow('The request was cancelled');
    await Promise.all(closed);
    expect(order).toEqual(['cancelled', 'closed']);
  });

  it('ends though the server never takes the message', async () => {
    const server = await serve(
      resumable((request, response) => {
        if (request.message['method'] === 'tools/call') openEvents(response);
      }, refuse(500)),
    );
    const client = await open(server);
    const sent = client.call();
    await server.request('tools/call');
    const cancelled = client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    cancelled.catch(() => {});
    await client.clock.pass(2_000);
    await expect(sent).rejects.toThrow('The request was cancelled');
    await client.transport.dispose();
    await expect(cancelled).rejects.toMatchObject({ code: 'connectionClosed' });
  });

  it('is cancelled before the session ends when the transport is disposed [cancel-on-close]', async () => {
    const server = await serve(
      resumable((request, response) => {
        if (request.message['method'] === 'tools/call') openEvents(response);
        else setTimeout(() => response.writeHead(202).end(), 100);
      }, refuse(500)),
    );
    const client = await open(server);
    void client.call();
    await server.request('tools/call');
    const told = client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await client.transport.dispose();
    await told;
    const [cancelled] = server.seen('notifications/cancelled');
    const [goodbye] = server.seen('DELETE');
    expect(server.requests.slice(-2)).toEqual([cancelled, goodbye]);
    expect([cancelled, goodbye].map((request) => request?.headers['mcp-session-id'])).toEqual(['s', 's']);
  });

  it('does not hold up the end of a transport whose server takes nothing [cancel-on-close]', async () => {
    const server = await serve(
      resumable((request, response) => {
        if (request.message['method'] === 'tools/call') openEvents(response);
      }, refuse(500)),
    );
    const client = await open(server);
    void client.call();
    await server.request('tools/call');
    client.send({ method: 'notifications/cancelled', params: { requestId: 1 } }).catch(() => {});
    const disposed = client.transport.dispose();
    await client.clock.pass(2_000);
    await server.request('DELETE');
    await client.clock.pass(2_000);
    await disposed;
  });

  it('ends every request when the transport is disposed', async () => {
    const server = await serve(resumable((_request, response) => openEvents(response), refuse(500)));
    const client = await open(server);
    const sent = client.call();
    await server.request('tools/call');
    server.handler = (request, response) => answerJson(response, resultOf(request));
    await client.transport.dispose();
    await expect(sent).rejects.toMatchObject({ code: 'connectionClosed' });
  });
});
