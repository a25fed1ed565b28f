import { describe, expect, it } from 'vitest';
import {
  answerAll,
  answerJson,
  event,
  type Handler,
  type HttpServer,
  openEvents,
  resultOf,
  type SeenRequest,
  serve,
  connect,
  open,
  streamOf,
} from './httpHarness.ts';

/** Wraps a handler and counts the requests, apart from notifications and answers, and the connections that they come on. */
function counted(handler: Handler): { readonly handler: Handler; readonly connections: Set<unknown>; most: number } {
  let current = 0;
  const count = {
    connections: new Set<unknown>(),
    most: 0,
    handler: ((request, response) => {
      if ('id' in request.message && 'method' in request.message) {
        current += 1;
        count.most = Math.max(count.most, current);
        count.connections.add(response.socket);
        response.once('finish', () => (current -= 1));
      }
      handler(request, response);
    }) satisfies Handler,
  };
  return count;
}

const call = (id: number) => ({ id, method: 'tools/call', params: { name: 'x' } });
const notification = { method: 'notifications/roots/list_changed' };
const ids = Array.from({ length: 1_000 }, (_, index) => index + 1);

/** Answers eight requests together, so that no request comes before the answer to another but by eight connections. */
function answerTogether(answer: Handler): Handler {
  const held: (() => void)[] = [];
  return (request, response) => {
    if (held.push(() => answer(request, response)) === 8) for (const release of held.splice(0)) release();
  };
}

/** The ids of the calls that the server saw. */
function callsSeen(server: HttpServer): unknown[] {
  return server.seen('tools/call').map(({ message }) => message['id']);
}

describe('a limit of connections', () => {
  it.each<[string, Handler]>([
    ['JSON', answerAll],
    ['event streams', streamOf((request) => event(resultOf(request)))],
  ])('holds for 1,000 calls answered by %s, which are all answered', async (_name, answer) => {
    const count = counted(answerTogether(answer));
    const server = await serve(count.handler);
    const client = await connect(server, { connections: 8 });
    await Promise.all(ids.map((id) => client.send(call(id))));
    expect(new Set(client.messages.map(({ id }) => id))).toEqual(new Set(ids));
    expect(callsSeen(server)).toHaveLength(1_000);
    expect(count.most).toBe(8);
    expect(count.connections.size).toBe(8);
  });

  it('is 256 without settings', async () => {
    const held: (() => void)[] = [];
    const server = await serve((request, response) => {
      if ('id' in request.message) held.push(() => answerAll(request, response));
      else response.writeHead(202).end();
    });
    const client = await connect(server);
    const sent = ids.slice(0, 300).map((id) => client.send(call(id)));
    await server.request('tools/call', 256);
    // What was sent before has come by then.
    await client.send(notification);
    expect(server.seen('tools/call')).toHaveLength(256);
    server.handler = answerAll;
    for (const answer of held) answer();
    await Promise.all(sent);
  });

  it('holds no answer to a question of the server back, nor what opens and ends a session', async () => {
    const answered = new Map<unknown, () => void>();
    const handler: Handler = (request, response) => {
      const { id, method } = request.message;
      if (method === undefined) {
        answered.get(id)?.();
        response.writeHead(202).end();
      } else if (method !== 'tools/call') {
        if (request.method === 'GET') response.writeHead(405).end();
        else if (id === undefined) response.writeHead(202).end();
        else answerJson(response, resultOf(request), { 'mcp-session-id': 's' });
      } else {
        openEvents(response);
        response.write(event({ jsonrpc: '2.0', id: `ask ${String(id)}`, method: 'elicitation/create', params: {} }));
        answered.set(`ask ${String(id)}`, () => response.end(event(resultOf(request))));
      }
    };
    const server = await serve(handler);
    const client = await connect(server, { connections: 8 });
    client.transport.onMessage((value) => {
      const { id, method } = value as Record<string, unknown>;
      if (method === 'elicitation/create') answers.push(client.send({ id, result: { action: 'decline' } }));
    });
    const answers: Promise<void>[] = [];
    const hundred = ids.slice(0, 100);
    const sent = hundred.map((id) => client.send(call(id)));
    await client.shakeHands();
    await Promise.all(sent);
    await Promise.all(answers);
    expect(callsSeen(server)).toHaveLength(100);
    await client.transport.dispose();
    expect(server.seen('DELETE')).toHaveLength(1);
  });

  it('lasts until the stream has ended that brought the answer', async () => {
    const streams: (() => void)[] = [];
    const server = await serve((request, response) => {
      openEvents(response);
      response.write(event(resultOf(request)));
      streams.push(() => response.end());
    });
    const client = await connect(server, { connections: 1 });
    await client.send(call(1));
    const second = client.send(call(2));
    await client.send(notification);
    expect(callsSeen(server)).toEqual([1]);
    streams[0]?.();
    await second;
    expect(callsSeen(server)).toEqual([1, 2]);
  });

  it('lasts a while longer where the answer comes on another stream', async () => {
    let answer: (message: object) => void = () => {};
    const server = await serve((request, response) => {
      if (request.method === 'GET') {
        openEvents(response);
        answer = (message) => void response.write(event(message));
      } else if (request.message['id'] === 1) {
        openEvents(response);
        response.write(event({ jsonrpc: '2.0', method: 'notifications/message', params: {} }));
      } else answerAll(request, response);
    });
    const client = await open(server, { connections: 1 });
    await server.request('GET');
    const first = client.send(call(1));
    // It reads the stream of the request before the answer comes on the other one.
    await client.message('notifications/message');
    answer({ jsonrpc: '2.0', id: 1, result: {} });
    await client.message(1);
    const second = client.send(call(2));
    await Promise.all([first, client.clock.pass(5_000)]);
    await second;
    expect(callsSeen(server)).toEqual([1, 2]);
  });

  it.each(['http', 'sse'] as const)('is not reached by what is cancelled before: %s', async (kind) => {
    let finishFirst: () => void = () => {};
    const hold = (request: SeenRequest, respond: () => void): void => {
      if (request.message['id'] === 1) finishFirst = respond;
      else respond();
    };
    const server = await serve((request, response) => {
      if (request.method === 'GET') {
        openEvents(response);
        response.write('event: endpoint\ndata: /messages\n\n');
      } else if (kind === 'sse') hold(request, () => response.writeHead(202).end());
      else hold(request, () => answerJson(response, resultOf(request)));
    });
    const client = await connect(server, { kind, connections: 1 });
    const first = client.send(call(1));
    const given = client.send(call(2));
    const third = client.send(call(3));
    await server.request('tools/call');
    await client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    await expect(given).rejects.toThrow('cancelled');
    finishFirst();
    await Promise.all([first, third]);
    expect(callsSeen(server)).toEqual([1, 3]);
    expect(server.seen('notifications/cancelled')).toEqual([]);
    await client.transport.dispose();
    await expect(client.send(call(4))).rejects.toMatchObject({ code: 'connectionClosed' });
  });

  it('ends for those who wait when the connection is closed', async () => {
    const server = await serve((request, response) => {
      if (!('id' in request.message)) response.writeHead(202).end();
    });
    const client = await connect(server, { connections: 1 });
    const sent = [1, 2].map((id) => client.send(call(id)));
    const outcomes = Promise.allSettled(sent);
    await client.send(notification);
    await client.transport.dispose();
    expect(await outcomes).toMatchObject(sent.map(() => ({ reason: { code: 'connectionClosed' } })));
    expect(callsSeen(server)).toEqual([1]);
  });
});
