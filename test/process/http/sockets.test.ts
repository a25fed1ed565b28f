import { rm, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTransports } from '../../../src/transport/launch/createTransports.ts';
import { createTestHttpClient } from '../../fixtures/httpClients.ts';
import { createManualClock } from '../../fixtures/manualClock.ts';
import { createTestSocket } from '../../fixtures/testSocket.ts';
import { problem } from '../../fixtures/problem.ts';
import {
  answerAll,
  createTransportUnderTest,
  event,
  openEvents,
  refuse,
  resultOf,
  serve,
  connect,
  withSession,
} from './httpHarness.ts';

const call = { id: 1, method: 'tools/call' };

// What servers offer over a socket is in the matrix.
describe('a server on a socket', () => {
  it('gets requests to localhost, with the path and query of its address', async () => {
    const socket = createTestSocket();
    const server = await serve(withSession('s', answerAll), socket);
    const client = createTransportUnderTest(socket.url('/some/ünï').replace('#', '?key=1#'));
    await client.transport.start(AbortSignal.timeout(30_000));
    await client.shakeHands();
    await client.send(call);
    expect(client.messages).toMatchObject([{ id: 'init' }, { id: 1 }]);
    await client.transport.dispose();
    expect(new Set(server.requests.map(({ path }) => path))).toEqual(new Set(['/some/%C3%BCn%C3%AF?key=1']));
    for (const { headers } of server.requests) expect(headers).toMatchObject({ host: 'localhost' });
    expect(server.seen('DELETE')).toHaveLength(1);
  });

  it('is sent one call after another on one connection', async () => {
    const connections = new Set<unknown>();
    const server = await serve((request, response) => {
      connections.add(response.socket);
      answerAll(request, response);
    }, createTestSocket());
    const client = await connect(server);
    for (let id = 1; id <= 10; id += 1) await client.send({ ...call, id });
    expect(connections.size).toBe(1);
  });

  it('may redirect to its own socket, and to nowhere else', async () => {
    let location = '/other';
    const socket = createTestSocket();
    const server = await serve((request, response) => {
      if (request.path === '/mcp') refuse(307, '', { location })(request, response);
      else answerAll(request, response);
    }, socket);
    const client = await connect(server);
    await client.send(call);
    expect(server.requests.map(({ path }) => path)).toEqual(['/mcp', '/other']);
    location = 'http://localhost:1/mcp';
    await expect(client.send({ ...call, id: 2 })).rejects.toThrow(/another origin, http:\/\/localhost:1\/mcp;/);
  });

  it('may name only an address of its own for messages', async () => {
    const endpoints = ['http://localhost/messages', 'http://127.0.0.1/messages'];
    const socket = createTestSocket();
    const server = await serve((request, response) => {
      if (request.method === 'POST') return answerAll(request, response);
      openEvents(response);
      response.write(`event: endpoint\ndata: ${endpoints.shift()}\n\n`);
    }, socket);
    const client = await connect(server, { kind: 'sse' });
    await client.send(call);
    expect(client.messages).toMatchObject([{ id: 1 }]);
    await expect(connect(server, { kind: 'sse' })).rejects.toThrow(
      `The server at ${socket.url()} wants messages sent to another origin`,
    );
  });

  it('that breaks in the middle of an answer is named by its socket', async () => {
    const socket = createTestSocket();
    const server = await serve((request, response) => {
      openEvents(response);
      response.write(event(resultOf(request)).slice(0, 10));
      response.socket?.destroySoon();
    }, socket);
    const client = await connect(server);
    await expect(client.send(call)).rejects.toEqual(
      problem('answerLost', `The connection to the server at ${socket.url()} ended`),
    );
  });

  it('that wants a sign-in says what to do instead, and nobody is signed in', async () => {
    const socket = createTestSocket();
    const challenge = { 'www-authenticate': 'Bearer resource_metadata="http://localhost/metadata"' };
    const server = await serve(refuse(401, '', challenge), socket);
    const client = await connect(server);
    await expect(client.send(call)).rejects.toEqual(
      problem('needsSignIn', /set an "Authorization" header under "headers"/),
    );
    expect(server.requests).toHaveLength(1);
  });

  it('has no authorizer, and no sign-in that could be set up', async () => {
    const createTransport = createTransports({
      clock: createManualClock(),
      random: () => 0,
      platform: process.platform,
      environment: async () => ({}),
      loadHttp: async () => createTestHttpClient,
      authorizerFor: () => expect.unreachable('an authorizer was asked for'),
    });
    const plan = {
      kind: 'http',
      url: new URL('http://localhost/mcp'),
      socketPath: '/run/my.sock',
      headers: {},
    } as const;
    const transport = await createTransport(plan);
    expect(transport.onDidChangeAuthorization).toBeUndefined();
    await transport.dispose();
    await expect(createTransport({ ...plan, auth: { clientId: 'me' } })).rejects.toEqual(
      problem('configuration', /no sign-in over a socket\. Remove the option "auth"/),
    );
  });
});

describe('a socket', () => {
  const at = (url: string) => {
    const client = createTransportUnderTest(url);
    onTestFinished(() => client.transport.dispose());
    return client.transport.start(AbortSignal.timeout(30_000)).then(() => client.send(call));
  };

  it('that is missing is told apart from one that nobody listens on', async () => {
    const socket = createTestSocket();
    const missing =
      /unix:\/\/\/.*\.sock#\/mcp cannot be reached: there is no such socket \(ENOENT\)\. Start the server/;
    const message = (pattern: RegExp) => expect.stringMatching(pattern) as string;
    if (process.platform === 'win32') {
      await expect(at(socket.url())).rejects.toMatchObject({ code: 'unreachable', message: message(/\(ENOENT\)/) });
      return;
    }
    await expect(at(socket.url())).rejects.toMatchObject({ code: 'unreachable', message: message(missing) });
    await writeFile(socket.path, '');
    onTestFinished(() => rm(socket.path));
    const stale = /nothing listens there \((?:ECONNREFUSED|ENOTSOCK)\)\. Start the server/;
    await expect(at(socket.url())).rejects.toMatchObject({ code: 'unreachable', message: message(stale) });
  });
});
