import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../src/protocol/httpError.ts';
import {
  answerAll,
  answerJson,
  createTransportUnderTest,
  event,
  type Handler,
  openEvents,
  refuse,
  type TransportOptions,
  serve,
  connect,
} from './httpHarness.ts';

const html = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json' };

/** Sends one request to a server that answers with `handler`. @returns the error, and how often the request was sent */
async function refusal(handler: Handler, options?: TransportOptions): Promise<{ error: HttpError; sent: number }> {
  const server = await serve(handler);
  const client = await connect(server, options);
  const error = await client.send({ id: 1, method: 'tools/call' }).then(
    () => expect.unreachable('was answered'),
    (reason: unknown) => reason as HttpError,
  );
  return { error, sent: server.requests.length };
}

describe('an answer that is none', () => {
  const page =
    '<!doctype html><html><head><title>Bad gateway</title><style>a{}</style></head><body><h1>nginx</h1></body></html>';
  const cases: [string, Handler, string][] = [
    ['400', refuse(400, 'No such thing'), 'HTTP status 400 (Bad Request): "No such thing". Check "url" and "headers"'],
    ['403', refuse(403), 'HTTP status 403 (Forbidden). Check that what is set under "headers" allows'],
    [
      '404',
      refuse(404, page, html),
      'HTTP status 404 (Not Found): "Bad gateway nginx". There seems to be no MCP server',
    ],
    ['405', refuse(405), 'HTTP status 405 (Method Not Allowed). There seems to be no MCP server'],
    [
      '500',
      refuse(500, '{"error":{"code":1,"message":"Oops"}}', json),
      'HTTP status 500 (Internal Server Error): "Oops". The problem is on the side of the server',
    ],
    ['502', refuse(502, page, html), 'HTTP status 502 (Bad Gateway): "Bad gateway nginx". The problem'],
    ['503', refuse(503), 'HTTP status 503 (Service Unavailable). The problem'],
    ['418', refuse(418), 'HTTP status 418. Check'],
    ['an empty body', refuse(200, '', json), 'answered with nothing (HTTP status 200)'],
    ['202', refuse(202), 'answered with nothing (HTTP status 202)'],
    [
      'a page',
      refuse(200, page, html),
      'answered with text/html instead of JSON ("Bad gateway nginx") (HTTP status 200)',
    ],
    ['invalid JSON', refuse(200, '{"jsonrpc":', json), 'answered with what is called JSON but is none'],
    [
      'a foreign id',
      (_request, response) => answerJson(response, { jsonrpc: '2.0', id: 99, result: {} }),
      'answered with JSON that is not the answer to the request',
    ],
  ];

  it.each(cases)('is one clear sentence: %s [http-faults]', async (_name, handler, part) => {
    const { error, sent } = await refusal(handler);
    expect(error).toBeInstanceOf(HttpError);
    expect(error.message).toContain(part);
    expect(error.message).toMatch(/^The server at http:\/\/127\.0\.0\.1:\d+\/mcp answered with /);
    expect(error.message).not.toMatch(/[<>]/);
    expect(sent).toBe(1);
  });

  it('says that sign-in is wanted', async () => {
    const { error } = await refusal(refuse(401, '{"error":"invalid_token"}', json));
    expect(error).toMatchObject({
      code: 'needsSignIn',
      message: expect.stringContaining('"invalid_token". It requires authentication: set an "Authorization" header'),
    });
  });

  it('keeps an error that is meant for somebody else', async () => {
    const body = { jsonrpc: '2.0', id: 99, error: { code: -32000, message: 'Who?' } };
    const { error } = await refusal(refuse(400, JSON.stringify(body), json));
    expect(error).toMatchObject({ status: 400, body: body.error, message: expect.stringContaining('"Who?"') });
  });

  it('never shows the values of a query', async () => {
    const server = await serve(refuse(500));
    const client = createTransportUnderTest(`${server.origin}/mcp?key=secret`);
    await client.transport.start(AbortSignal.timeout(30_000));
    const error = await client.send({ id: 1, method: 'ping' }).catch(String);
    expect(error).toContain('/mcp?…');
    expect(JSON.stringify([error, client.logs])).not.toContain('secret');
    expect(server.requests[0]?.path).toBe('/mcp?key=secret');
  });
});

describe('a busy server', () => {
  it.each([
    [429, '7', [7_000]],
    [503, '2', [2_000]],
    [429, undefined, [1_000, 2_000]],
    [429, 'Thu, 01 Jan 1970 00:16:45 GMT', [5_000]],
  ])('gets the request again after status %i with Retry-After %s [http-rate]', async (status, retryAfter, waits) => {
    const server = await serve((request, response) => {
      const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      if (server.requests.length <= waits.length) refuse(status, '', headers)(request, response);
      else answerAll(request, response);
    });
    const client = await connect(server);
    const sent = client.send({ id: 1, method: 'tools/call' });
    for (const milliseconds of waits) await client.clock.pass(milliseconds);
    await sent;
    expect(client.messages).toMatchObject([{ id: 1 }]);
    expect(server.requests).toHaveLength(waits.length + 1);
  });

  it('gets it three times more at most', async () => {
    const server = await serve(refuse(429, '', { 'retry-after': '1' }));
    const client = await connect(server);
    const sent = client.call();
    for (let wait = 0; wait < 3; wait += 1) await client.clock.pass(1_000);
    await expect(sent).rejects.toMatchObject({ status: 429, message: expect.stringContaining('try again in 1 s') });
    expect(server.requests).toHaveLength(4);
  });

  it('is left alone when it wants that for long', async () => {
    const { error, sent } = await refusal(refuse(503, '', { 'retry-after': '3600' }));
    expect(error.message).toContain('It asks to try again in 3600 s.');
    expect(sent).toBe(1);
  });

  it('is left alone once the request is cancelled', async () => {
    const server = await serve(refuse(429, '', { 'retry-after': '9' }));
    const client = await connect(server);
    const sent = client.call();
    await client.log('Sending it again in 9 s.');
    const hints = { isStateless: true };
    await client.send({ method: 'notifications/cancelled', params: { requestId: 1 } }, hints);
    await expect(sent).rejects.toThrow('The request was cancelled');
    expect(client.clock.waiting).toBe(0);
  });
});

describe('a redirect', () => {
  it.each([307, 308])('is followed with the same message on the same origin: %i [http-redirects]', async (status) => {
    const server = await serve((request, response) => {
      if (request.path === '/mcp') refuse(status, '', { location: '/mcp/' })(request, response);
      else answerAll(request, response);
    });
    const client = await connect(server, { headers: { authorization: 'Bearer x' } });
    await client.send({ id: 1, method: 'tools/call' });
    expect(server.requests).toMatchObject([
      { path: '/mcp' },
      { path: '/mcp/', headers: { authorization: 'Bearer x' } },
    ]);
    expect(server.requests[1]?.message).toEqual(server.requests[0]?.message);
  });

  it.each([301, 302, 303])('is not followed where it would drop the message: %i', async (status) => {
    const { error, sent } = await refusal(refuse(status, '', { location: '/new?token=1' }));
    expect(error).toMatchObject({
      status,
      message: expect.stringMatching(/redirects to http:\S+\/new\?… in a way that drops/),
    });
    expect(sent).toBe(1);
  });

  it('of a GET is followed', async () => {
    const server = await serve((request, response) => {
      if (request.method === 'POST') refuse(202)(request, response);
      else if (request.path === '/mcp') refuse(302, '', { location: '/stream' })(request, response);
      else {
        openEvents(response);
        response.write(event({ jsonrpc: '2.0', method: 'notifications/hello' }));
      }
    });
    const client = await connect(server);
    await client.send({ method: 'notifications/initialized' });
    await client.message('notifications/hello');
  });

  it('to another origin gets nothing [http-redirects]', async () => {
    const other = await serve(answerAll);
    const { error } = await refusal(refuse(307, '', { location: `${other.origin}/mcp` }), {
      headers: { authorization: 'Bearer x' },
    });
    expect(error).toMatchObject({
      code: 'httpStatus',
      message: expect.stringMatching(
        /redirects from http:\S+ to another origin, http:\S+\/mcp; nothing was sent there.*change "url"/,
      ),
    });
    expect(error.message).toContain(other.origin);
    expect(other.requests).toEqual([]);
  });

  it('in a circle ends', async () => {
    const { error, sent } = await refusal(refuse(307, '', { location: '/mcp' }));
    expect(error.message).toContain('redirects again and again');
    expect(sent).toBe(6);
  });

  it.each(['http://[', 'javascript:alert(1)'])('to no address is refused: %s', async (location) => {
    const { error, sent } = await refusal(refuse(308, '', { location }));
    expect(error).toMatchObject({ status: 308, code: 'httpStatus' });
    expect(sent).toBe(1);
  });
});

describe('a connection that fails', () => {
  it('says that nothing listens [http-faults]', async () => {
    const server = await serve(answerAll);
    const client = await connect(server);
    await server.stop();
    await expect(client.send({ id: 1, method: 'ping' })).rejects.toMatchObject({
      code: 'unreachable',
      message: `The server at ${server.origin}/mcp cannot be reached: nothing listens there (ECONNREFUSED). Start the server, or check the host and port in "url".`,
    });
  });

  it('says that a plain server was asked for TLS', async () => {
    const server = await serve(answerAll);
    const client = createTransportUnderTest(`${server.origin.replace('http:', 'https:')}/mcp`);
    await client.transport.start(AbortSignal.timeout(30_000));
    await expect(client.send({ id: 1, method: 'ping' })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('start "url" with "http://"'),
    });
  });

  it.each<[string, Handler]>([
    ['before the answer', (_request, response) => void response.socket?.resetAndDestroy()],
    [
      'in the answer',
      (_request, response) => {
        response.writeHead(200, { ...json, 'content-length': '1000' });
        response.write('{"jsonrpc":"2.0"', () => response.socket?.resetAndDestroy());
      },
    ],
    [
      'in an answer of unknown length',
      (_request, response) => {
        response.writeHead(200, json);
        response.write('{"jsonrpc":"2.0"', () => response.socket?.destroy());
      },
    ],
  ])(
    'says that the request may have been carried out when cut %s, and does not repeat it [http-never-twice]',
    async (_where, handler) => {
      const { error, sent } = await refusal(handler);
      expect(error).toMatchObject({
        code: 'answerLost',
        message: expect.stringContaining('The request may have been carried out: check before you repeat it.'),
      });
      expect(sent).toBe(1);
    },
  );
});
