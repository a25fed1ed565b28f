import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { LaunchPlan } from '../../../src/base/launchPlan.ts';
import { createNullLogger } from '../../../src/base/logger.ts';
import { type Connection, openConnection } from '../../../src/client/connection/connection.ts';
import type { RememberedStrategy } from '../../../src/client/connection/connectionStrategy.ts';
import { defaultTimeouts } from '../../../src/config/serverDefinition.ts';
import { handshakeRevisions } from '../../../src/protocol/session/revision.ts';
import { createHttpTransports } from '../../../src/transport/http/streamableHttpTransport.ts';
import { createTestHttpClient } from '../../fixtures/httpClients.ts';
import { createAwaitedClock } from './awaitedClock.ts';
import {
  answerJson,
  event,
  type Handler,
  type HttpServer,
  openEvents,
  refuse,
  resultOf,
  streamOf,
  serve,
} from './httpHarness.ts';

const json = { 'content-type': 'application/json' };
const opened: Connection[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.dispose()));
});

/** Finds out how to connect to the server, with a stopped clock. `streamed` resolves when a GET has its answer. */
function find({ origin }: HttpServer, remembered?: RememberedStrategy, kind: 'http' | 'sse' = 'http') {
  const clock = createAwaitedClock();
  const createTransport = createHttpTransports({ createHttpClient: createTestHttpClient, random: () => 0, clock });
  const plan: LaunchPlan = { kind, url: new URL(`${origin}/mcp`), headers: {} };
  let noteStream: () => void = () => {};
  const streamed = new Promise<void>((resolve) => (noteStream = resolve));
  const connecting = openConnection({
    plan,
    remembered,
    async createTransport(variant) {
      const transport = createTransport(variant as typeof plan, undefined);
      transport.onLog(({ text }) => /^GET .* status 200 /.test(text) && noteStream());
      return transport;
    },
    setup: {
      clientInfo: { name: 'test', version: '0' },
      capabilities: {},
      requests: {},
      events: { listChanged: () => {}, resourceUpdated: () => {}, logged: () => {}, taskChanged: () => {} },
      revision: undefined,
      random: () => 0,
    },
    timeouts: defaultTimeouts,
    clock,
    logger: createNullLogger(),
    tap: undefined,
    signal: new AbortController().signal,
  }).then((connection) => {
    opened.push(connection);
    return connection;
  });
  return { clock, connecting, streamed };
}

const methods = ({ requests }: HttpServer): unknown[] =>
  requests.map(({ method, message }) => (method === 'POST' ? message['method'] : method));

function wireError(code: number, status: number, data?: object): Handler {
  return ({ message: { id } }, response) =>
    void response
      .writeHead(status, json)
      .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'No', data } }));
}

/** Answers of a server of the handshake revisions to an unknown request. */
const answersToTheProbe: readonly (readonly [string, Handler])[] = [
  ...[202, 204, 400, 402, 403, 404, 405, 406, 408, 410, 415, 418, 422, 500, 501, 502, 503, 504].map(
    (status) => [`status ${status}`, refuse(status)] as const,
  ),
  ['status 429', refuse(429, '', { 'retry-after': '3600' })],
  ['a redirect that drops the message', refuse(302, '', { location: '/login' })],
  ['a page', refuse(200, '<html>Welcome</html>', { 'content-type': 'text/html' })],
  ['a page of an error', refuse(500, '<html>Oops</html>', { 'content-type': 'text/html' })],
  ['nothing', refuse(200)],
  ['an empty body', refuse(200, '', json)],
  ['{}', refuse(200, '{}', json)],
  ['null', refuse(200, 'null', json)],
  ['broken JSON', refuse(200, '{"jsonrpc":', json)],
  ['a foreign id', (_request, response) => answerJson(response, { jsonrpc: '2.0', id: 'x', result: {} })],
  ['an empty result', (request, response) => answerJson(response, resultOf(request))],
  ['an error', wireError(-32601, 200)],
  ['an error and 500', wireError(-32603, 500)],
  ['an empty stream', refuse(200, '', { 'content-type': 'text/event-stream' })],
  ['a stream with a comment', refuse(200, ': hello\n\n', { 'content-type': 'text/event-stream' })],
  ['a hang-up', (_request, response) => void response.socket?.destroy()],
  [
    'a hang-up in the answer',
    (_request, response) => {
      openEvents(response);
      response.write('data: {"jsonrpc"', () => response.destroy());
    },
  ],
];

/** Answers that never end: the handshake is tried at the same time. */
const silences: readonly (readonly [string, Handler])[] = [
  ['no answer', () => {}],
  ['an answer without an end', (_request, response) => response.writeHead(200, json).flushHeaders()],
  ['a stream that stays open', (_request, response) => openEvents(response)],
];

describe.each(handshakeRevisions)('a server of %s over Streamable HTTP', (revision) => {
  const answering =
    (probed: Handler): Handler =>
    (request, response) => {
      const { method } = request.message;
      if (request.method !== 'POST') refuse(405)(request, response);
      else if (method === 'initialize') answerJson(response, resultOf(request, { protocolVersion: revision }));
      else if (method === 'notifications/initialized') refuse(202)(request, response);
      else probed(request, response);
    };

  it.each(answersToTheProbe)('is found when it answers the probe with %s [probe-no-verdict]', async (_what, probed) => {
    const server = await serve(answering(probed));
    const { connecting } = find(server);
    expect(await connecting).toMatchObject({ session: { revision }, era: 'handshake' });
    expect(methods(server).slice(0, 3)).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
  });

  it.each(silences)('is found when the probe gets %s [probe-no-verdict]', async (_what, probed) => {
    const ended = new Promise<void>((resolve) => {
      answer = (request, response) => {
        response.on('close', resolve);
        probed(request, response);
      };
    });
    const server = await serve(answering((request, response) => answer(request, response)));
    const { clock, connecting } = find(server);
    await server.request('server/discover');
    // The wait reads the clock every 100 ms.
    await clock.pass(100);
    await clock.advance(2_900);
    expect(await connecting).toMatchObject({ session: { revision } });
    // It is no longer awaited.
    await ended;
  });

  let answer: Handler;

  it('is found though it refuses newer revisions without naming one [version-older]', async () => {
    const server = await serve((request, response) => {
      const { method, params } = request.message as { method?: string; params?: { protocolVersion?: string } };
      const isRefused = method === 'initialize' && params?.protocolVersion !== revision;
      (isRefused ? wireError(-32602, 400) : answering(refuse(500)))(request, response);
    });
    expect(await find(server).connecting).toMatchObject({ session: { revision } });
  });
});

/** A server of HTTP+SSE that refuses every POST to the address of its stream. */
function oldServer(refused: Handler, posted?: Handler): Handler {
  let stream: ServerResponse | undefined;
  return (request, response) => {
    if (request.method === 'GET') {
      openEvents(response);
      response.write('event: endpoint\ndata: /messages\n\n');
      stream = response;
    } else if (request.path === '/mcp') refused(request, response);
    else if (posted !== undefined) posted(request, response);
    else {
      response.writeHead(202).end();
      const result = { protocolVersion: '2024-11-05', capabilities: {} };
      if ('id' in request.message) stream?.write(`event: message\n${event(resultOf(request, result))}`);
    }
  };
}

describe('a server of HTTP+SSE', () => {
  const refusals: readonly (readonly [string, Handler])[] = [
    ...[400, 403, 404, 405, 406, 410, 415, 422].flatMap((status) => [
      [`status ${status}`, refuse(status)] as const,
      [`status ${status} and an error`, wireError(-32000, status)] as const,
    ]),
    ['status 400 and revisions', wireError(-32602, 400, { supported: ['2024-11-05'] })],
  ];

  it.each(refusals)('is found behind %s [sse-fallback]', async (_what, refused) => {
    const server = await serve(oldServer(refused));
    expect(await find(server).connecting).toMatchObject({ strategy: { plan: { kind: 'sse' } } });
  });

  it('is found though something else was remembered', async () => {
    const server = await serve(oldServer(refuse(404)));
    expect(await find(server, 'handshake').connecting).toMatchObject({ strategy: { plan: { kind: 'sse' } } });
  });

  it.each<[string, Handler, object]>([
    [
      'its stream ends',
      streamOf(),
      { code: 'connectionClosed', message: expect.stringContaining('ended the event stream') },
    ],
    ['it wants sign-in', refuse(401), { code: 'needsSignIn' }],
  ])('is named as the reason when %s [sse-fallback-error]', async (_what, streamed, error) => {
    const server = await serve((request, response) =>
      (request.method === 'GET' ? streamed : refuse(404))(request, response),
    );
    await expect(find(server).connecting).rejects.toMatchObject(error);
  });

  it.each([
    [500, { code: 'httpStatus', status: 500 }],
    [401, { code: 'needsSignIn' }],
  ])('is named as the reason when it refuses messages with %i [sse-fallback-error]', async (status, error) => {
    const server = await serve(oldServer(refuse(404), refuse(status)));
    await expect(find(server).connecting).rejects.toMatchObject(error);
  });

  it('is named as the reason when its stream names no address [sse-fallback-error]', async () => {
    const server = await serve((request, response) =>
      (request.method === 'GET' ? (silences[2]?.[1] ?? refuse(500)) : refuse(400))(request, response),
    );
    const { clock, connecting, streamed } = find(server);
    const failure = expect(connecting).rejects.toMatchObject({ message: expect.stringContaining('did not name') });
    await streamed;
    // One timer is for the stream, the other for its address.
    await clock.pass(10_000);
    await clock.pass(10_000);
    await failure;
  });
});

describe('a server that is configured as HTTP+SSE and speaks Streamable HTTP', () => {
  const streamable =
    (streamed: Handler): Handler =>
    (request, response) => {
      if (request.method !== 'POST') streamed(request, response);
      else if (request.message['method'] === 'initialize')
        answerJson(response, resultOf(request, { protocolVersion: '2025-06-18' }));
      else refuse('id' in request.message ? 400 : 202)(request, response);
    };

  it.each([400, 404, 405, 406])('is found when its stream is refused with %i', async (status) => {
    const server = await serve(streamable(refuse(status)));
    expect(await find(server, undefined, 'sse').connecting).toMatchObject({ strategy: { plan: { kind: 'http' } } });
    expect(methods(server).slice(0, 3)).toEqual(['GET', 'server/discover', 'initialize']);
  });

  it.each<[string, Handler]>([
    ['is a page', refuse(200, '<html>Welcome</html>', { 'content-type': 'text/html' })],
    ['ends', streamOf()],
  ])('is found when its stream %s', async (_what, streamed) => {
    const server = await serve(streamable(streamed));
    expect(await find(server, undefined, 'sse').connecting).toMatchObject({ strategy: { plan: { kind: 'http' } } });
  });

  it('is found when its stream names no address', async () => {
    const server = await serve(streamable(silences[2]?.[1] ?? refuse(500)));
    const { clock, connecting, streamed } = find(server, undefined, 'sse');
    await streamed;
    await clock.pass(10_000);
    expect(await connecting).toMatchObject({ strategy: { plan: { kind: 'http' } } });
  });

  it('is asked first for what it spoke the last time', async () => {
    const server = await serve(streamable(refuse(405)));
    expect(await find(server, 'handshake', 'sse').connecting).toMatchObject({ era: 'handshake' });
    expect(methods(server)[0]).toBe('initialize');
    const moved = await serve(oldServer(refuse(404)));
    expect(await find(moved, 'handshake', 'sse').connecting).toMatchObject({ strategy: { plan: { kind: 'sse' } } });
  });

  it.each([401, 500])('is not asked twice where its stream is refused with %i', async (status) => {
    const server = await serve(refuse(status));
    await expect(find(server, undefined, 'sse').connecting).rejects.toMatchObject({
      code: expect.any(String) as string,
    });
    expect(methods(server)).toEqual(['GET']);
  });
});

describe('what is shown of a server that cannot be used', () => {
  it.each([404, 405, 500])(
    'is what the handshake got, where there is no stream (status %i) [sse-fallback]',
    async (status) => {
      const server = await serve((request, response) =>
        (request.method === 'GET' ? refuse(status) : wireError(-32000, 400))(request, response),
      );
      await expect(find(server).connecting).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('"No"'),
      });
    },
  );

  it.each([500, 502])(
    'is what the handshake got, and nothing else was tried (status %i) [probe-no-verdict]',
    async (status) => {
      const server = await serve(refuse(status));
      await expect(find(server).connecting).rejects.toMatchObject({ code: 'httpStatus', status });
      expect(methods(server)).toEqual(['server/discover', 'initialize']);
    },
  );

  it.each([401, 403])(
    'is the sign-in it wants, and nothing else was tried (status %i) [probe-sign-in]',
    async (status) => {
      const server = await serve(refuse(status, '', { 'www-authenticate': 'Bearer' }));
      await expect(find(server).connecting).rejects.toMatchObject({ message: expect.stringContaining(String(status)) });
      expect(methods(server)).toEqual(['server/discover']);
    },
  );
});
