import { describe, expect, it } from 'vitest';
import { PatchbayError } from '../../../src/base/errors.ts';
import { Emitter } from '../../../src/base/event.ts';
import type { AuthorizationChallenge, ContextChange, HttpAuthorizer } from '../../../src/protocol/httpAuthorizer.ts';
import {
  answerAll,
  answerJson,
  event,
  openEvents,
  refuse,
  resultOf,
  serve,
  connect,
  open,
  withSession,
} from './httpHarness.ts';

interface ScriptedAuthorizer extends HttpAuthorizer {
  readonly challenges: AuthorizationChallenge[];
  readonly observed: number[];
  readonly asked: string[];
}

/** Hands out a token that counts up with every challenge it accepts. */
function createAuthorizer(
  accepts: (challenge: AuthorizationChallenge) => boolean,
  context = new Emitter<ContextChange>(),
): ScriptedAuthorizer {
  const challenges: AuthorizationChallenge[] = [];
  const observed: number[] = [];
  const asked: string[] = [];
  return {
    challenges,
    observed,
    asked,
    headers({ method, url }) {
      asked.push(`${method} ${url.pathname}`);
      return Promise.resolve({ authorization: `Bearer ${challenges.length}` });
    },
    handleChallenge(challenge) {
      challenges.push(challenge);
      return Promise.resolve(accepts(challenge));
    },
    observe: ({ status }) => void observed.push(status),
    secrets: () => [],
    onDidPauseTimeouts: new Emitter<boolean>().event,
    onDidChange: new Emitter<void>().event,
    context: { account: () => '', onDidChange: context.event },
    dispose: () => {},
  };
}

describe('an authorizer', () => {
  it('is asked for headers each time, told of refusals, and gets the request sent again', async () => {
    const authorizer = createAuthorizer(() => true);
    const server = await serve((request, response) => {
      if (request.headers.authorization === 'Bearer 0')
        refuse(401, '', { 'www-authenticate': 'Bearer scope="a"', 'dpop-nonce': 'n1' })(request, response);
      else if (request.headers.authorization === 'Bearer 1') refuse(403)(request, response);
      else answerAll(request, response);
    });
    const client = await connect(server, { authorizer, headers: { authorization: 'Basic configured' } });
    await client.send({ id: 1, method: 'tools/call' });
    expect(authorizer.challenges).toMatchObject([
      { status: 401, wwwAuthenticate: 'Bearer scope="a"', dpopNonce: 'n1', attempt: 0, request: { method: 'POST' } },
      { status: 403, wwwAuthenticate: undefined, dpopNonce: undefined, attempt: 1 },
    ]);
    expect(authorizer.observed).toEqual([200]);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer 0', 'Bearer 1', 'Bearer 2']);
  });

  it.each(['text/html', 'text/plain', 'application/json'])('keeps its token out of what comes as %s', async (type) => {
    const server = await serve((request, response) => {
      response.writeHead(200, { 'content-type': type }).end(`You sent ${request.headers.authorization}`);
    });
    const authorizer = { ...createAuthorizer(() => false), secrets: () => ['Bearer 0'] };
    const client = await connect(server, { authorizer });
    const sending = client.send({ id: 1, method: 'ping' });
    await expect(sending).rejects.toMatchObject({ message: expect.stringContaining('You sent …') as string });
  });

  it('lets the answer stand', async () => {
    const server = await serve(refuse(403));
    const client = await connect(server, { authorizer: createAuthorizer(() => false) });
    await expect(client.send({ id: 1, method: 'ping' })).rejects.toMatchObject({ code: 'httpStatus', status: 403 });
    server.handler = refuse(401);
    await expect(client.send({ id: 2, method: 'ping' })).rejects.toMatchObject({ code: 'needsSignIn' });
    expect(server.requests).toHaveLength(2);
  });

  it('of which another account is used loses the cookies of the one before', async () => {
    const context = new Emitter<ContextChange>();
    const server = await serve((request, response) => {
      response.setHeader('set-cookie', 'who=a');
      answerAll(request, response);
    });
    const client = await connect(server, { authorizer: createAuthorizer(() => true, context) });
    await client.send({ id: 1, method: 'ping' });
    await client.send({ id: 2, method: 'ping' });
    context.fire({ before: 'a', account: 'b' });
    await client.send({ id: 3, method: 'initialize' });
    expect(server.requests.map(({ headers }) => headers.cookie)).toEqual([undefined, 'who=a', undefined]);
  });

  it('says itself why it cannot sign in', async () => {
    const problem = new PatchbayError('needsSignIn', 'The sign-in was closed.');
    const authorizer = createAuthorizer(() => {
      throw problem;
    });
    const server = await serve(refuse(401));
    const client = await connect(server, { authorizer });
    await expect(client.send({ id: 1, method: 'ping' })).rejects.toBe(problem);
  });

  it('that never gives up is not followed for ever', async () => {
    const server = await serve(refuse(401));
    const client = await connect(server, { authorizer: createAuthorizer(() => true) });
    await expect(client.send({ id: 1, method: 'ping' })).rejects.toMatchObject({ code: 'needsSignIn' });
    expect(server.requests).toHaveLength(9);
  });

  it('signs resumptions and redirects, and is not asked to sign in for a goodbye', async () => {
    const authorizer = createAuthorizer(() => true);
    const server = await serve(
      withSession('s', (request, response) => {
        if (request.path === '/mcp' && request.method === 'POST')
          refuse(307, '', { location: '/v2' })(request, response);
        else if (request.method === 'DELETE') refuse(401)(request, response);
        else if (request.headers['last-event-id'] === 'e1') {
          openEvents(response);
          response.end(event({ jsonrpc: '2.0', id: 1, result: {} }));
        } else if (request.method === 'GET') refuse(405)(request, response);
        else {
          openEvents(response);
          response.end('id: e1\nretry: 200\ndata:\n\n');
        }
      }),
    );
    const client = await open(server, { authorizer });
    await server.request('GET');
    const sent = client.send({ id: 1, method: 'tools/call' });
    await client.clock.pass(200);
    await sent;
    await client.transport.dispose();
    expect(authorizer.asked).toEqual([
      'POST /mcp',
      'POST /mcp',
      'GET /mcp',
      'POST /mcp',
      'POST /v2',
      'GET /mcp',
      'DELETE /mcp',
    ]);
    expect(authorizer.challenges).toEqual([]);
  });

  it('is told of the status of every other answer', async () => {
    const authorizer = createAuthorizer(() => true);
    const server = await serve((request, response) => {
      if (request.message['method'] === 'ping') refuse(500)(request, response);
      else answerJson(response, resultOf(request));
    });
    const client = await connect(server, { authorizer });
    await expect(client.send({ id: 1, method: 'ping' })).rejects.toMatchObject({ status: 500 });
    await client.send({ id: 2, method: 'tools/list' });
    expect(authorizer.observed).toEqual([500, 200]);
  });
});

describe('another authorization context', () => {
  it("has the server's own stream opened again where it was, under the new token", async () => {
    const context = new Emitter<ContextChange>();
    const authorizer = createAuthorizer(() => true, context);
    const server = await serve(
      withSession('s1', (request, response) => {
        if (request.method !== 'GET') return answerAll(request, response);
        openEvents(response);
        response.write(event({ jsonrpc: '2.0', method: 'notifications/message' }, 'e1'));
      }),
    );
    const client = await open(server, { authorizer });
    await client.message('notifications/message');
    context.fire({ before: 'a', account: 'a' });
    const { headers } = await server.request('GET', 2);
    expect(headers).toMatchObject({ 'last-event-id': 'e1' });
  });

  it('ends HTTP+SSE with the account, whose stream is the session [session-account]', async () => {
    const context = new Emitter<ContextChange>();
    const server = await serve((_request, response) => {
      openEvents(response);
      response.write('event: endpoint\ndata: /messages\n\n');
    });
    const client = await connect(server, { kind: 'sse', authorizer: createAuthorizer(() => true, context) });
    // A first sign-in, and more scopes for the same account, do not end the session.
    context.fire({ before: '', account: 'a' });
    context.fire({ before: 'a', account: 'a' });
    expect(await Promise.race([client.closed, Promise.resolve('open')])).toBe('open');
    context.fire({ before: 'a', account: 'b' });
    expect(await client.closed).toMatchObject({
      kind: 'failed',
      error: { message: expect.stringContaining('the account that was signed in before') as string },
    });
  });
});
