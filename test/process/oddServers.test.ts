import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseExactly, stringifyExactly } from '../../src/base/exactIntegers.ts';
import { isRecord, type UnknownRecord } from '../../src/base/json.ts';
import type { HeadlessServer } from '../../src/headless.ts';
import { closeLater } from '../fixtures/closeLater.ts';
import { openHeadless } from '../fixtures/headlessServer.ts';
import { listen } from '../fixtures/listen.ts';
import { problem } from '../fixtures/problem.ts';

const script = fileURLToPath(new URL('../fixtures/servers/oddServer.mjs', import.meta.url));

function openProgram(kind: string, timeouts: object = {}, logs: string[] = []): HeadlessServer {
  return openHeadless(
    { command: process.execPath, args: [script, kind], patchbay: { timeouts } },
    { onLog: ({ message }) => logs.push(message) },
  );
}

describe('a local server that is odd', { timeout: 60_000 }, () => {
  it.each(['plain', 'frames', 'spinner', 'words before', 'noise after', 'text ids', 'two in a line', 'indented'])(
    'is understood: %s',
    async (kind) => {
      const server = openProgram(kind);
      await server.start();
      const { content } = await server.callTool('echo');
      expect(content).toEqual([{ type: 'text', text: 'listed 1 times' }]);
    },
  );

  it('may write numbers that JSON does not have, which become null', async () => {
    const server = openProgram('numbers');
    await server.start();
    const { structuredContent } = await server.callTool('echo');
    expect(structuredContent).toEqual({ mean: null, least: null, text: 'NaN " Infinity' });
  });

  it('may send integers of any length, and gets them as they are', async () => {
    const logs: string[] = [];
    const server = openProgram('long integers', {}, logs);
    await server.start();
    for (const args of [parseExactly('{"id":9007199254740993}') as object, { id: 9007199254740993n }]) {
      const { structuredContent } = await server.callTool('echo', args);
      expect(stringifyExactly(structuredContent)).toBe('{"id":725653563933458432,"got":{"id":9007199254740993}}');
    }
    expect(logs.join('\n')).toContain('rounded for the code that called');
  });

  it('gets no arguments that JSON cannot hold', async () => {
    const server = openProgram('long integers');
    await server.start();
    const circle: { itself?: object } = {};
    circle.itself = circle;
    await expect(server.callTool('echo', circle)).rejects.toEqual(
      problem('invalidArguments', 'cannot be written as JSON'),
    );
    expect(server.state).toBe('running');
  });

  it('ends a request whose answer cannot be read', async () => {
    const server = openProgram('broken');
    await server.start();
    await expect(server.callTool('echo')).rejects.toEqual(problem('invalidMessage', 'not JSON'));
    expect(server.state).toBe('running');
  });

  it('is not answered to requests that it only logs', async () => {
    const logs: string[] = [];
    const server = openProgram('logs requests', {}, logs);
    await server.start();
    await server.callTool('echo');
    expect(logs.filter((line) => /answered \{/.test(line))).toEqual([]);
  });
});

type Answer = (message: UnknownRecord, request: IncomingMessage, response: ServerResponse) => boolean;

/** A server over HTTP that answers as usual what `odd` does not. */
async function openRemote(odd: Answer, path = '/mcp'): Promise<HeadlessServer> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const message: unknown = JSON.parse(body);
      if (!isRecord(message) || odd(message, request, response)) return undefined;
      if (message['id'] === undefined) return response.writeHead(202).end();
      return answerUsually(message, response);
    });
  });
  server.keepAliveTimeout = 0;
  const { origin } = closeLater(await listen(server));
  return openHeadless({ url: `${origin}${path}` });
}

function answerUsually(message: UnknownRecord, response: ServerResponse, headers = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(usualAnswer(message)));
}

function usualAnswer({ id, method }: UnknownRecord): object {
  const results: Readonly<Record<string, UnknownRecord>> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'odd', version: '1' },
    },
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'hi' }] },
  };
  const result = results[String(method)];
  const outcome = result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result };
  return { jsonrpc: '2.0', id, ...outcome };
}

function refuse(response: ServerResponse, status: number, words: string): true {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(words);
  return true;
}

/** Keeps sessions in `known`. @returns true when the request was answered */
function inSession(
  known: Set<string>,
  message: UnknownRecord,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (message['method'] !== 'initialize')
    return known.has(String(request.headers['mcp-session-id'])) ? false : refuse(response, 400, 'Bad Request');
  const id = `session-${Math.random()}`;
  known.add(id);
  answerUsually(message, response, { 'mcp-session-id': id });
  return true;
}

describe('a remote server that is odd', () => {
  it('loses its sessions, and says so with a status and words of its own', async () => {
    const known = new Set<string>();
    let calls = 0;
    const server = await openRemote((message, request, response) => {
      if (message['method'] === 'tools/call' && (calls += 1) === 1) known.clear();
      return inSession(known, message, request, response);
    });
    await server.start();
    await expect(server.callTool('echo')).resolves.toMatchObject({ content: [{ text: 'hi' }] });
    expect(calls).toBe(2);
  });

  it('loses the new session too, before the request is sent again', async () => {
    const known = new Set<string>();
    let calls = 0;
    const server = await openRemote((message, request, response) => {
      if (message['method'] === 'tools/call' && (calls += 1) <= 2) known.clear();
      return inSession(known, message, request, response);
    });
    await server.start();
    await expect(server.callTool('echo')).rejects.toThrow(/status 400/);
    await expect(server.callTool('echo')).resolves.toMatchObject({ content: [{ text: 'hi' }] });
    expect(calls).toBe(4);
  });

  it('refuses one request of a session for good, which costs two new sessions and no more', async () => {
    const known = new Set<string>();
    let calls = 0;
    const server = await openRemote((message, request, response) => {
      if (message['method'] !== 'tools/call') return inSession(known, message, request, response);
      calls += 1;
      return refuse(response, 400, 'No');
    });
    await server.start();
    const sessions: number[] = [];
    for (let call = 0; call < 5; call += 1) {
      await expect(server.callTool('echo')).rejects.toThrow(/status 400/);
      sessions.push(known.size);
    }
    expect(sessions).toEqual([2, 3, 3, 3, 3]);
    expect(calls).toBe(7);
  });

  it('refuses some requests, which costs one new session and no more', async () => {
    const known = new Set<string>();
    let refused = 0;
    const server = await openRemote((message, request, response) => {
      const isBad = JSON.stringify(message['params'] ?? '').includes('"bad"');
      if (isBad) refused += 1;
      return isBad ? refuse(response, 400, 'No') : inSession(known, message, request, response);
    });
    await server.start();
    for (let round = 0; round < 3; round += 1) {
      await server.callTool('echo');
      await expect(server.callTool('echo', { bad: true })).rejects.toThrow(/status 400/);
    }
    expect([refused, known.size]).toEqual([4, 2]);
  });

  it('loses a session in which two requests are open', async () => {
    const known = new Set<string>();
    const held: (() => void)[] = [];
    const server = await openRemote((message, request, response) => {
      if (message['method'] !== 'tools/call' || held.length === 2) return inSession(known, message, request, response);
      held.push(() => refuse(response, 400, 'Bad Request'));
      if (held.length < 2) return true;
      known.clear();
      held.forEach((answer) => answer());
      return true;
    });
    await server.start();
    const results = await Promise.all([server.callTool('echo'), server.callTool('echo')]);
    expect(results).toMatchObject([{ content: [{ text: 'hi' }] }, { content: [{ text: 'hi' }] }]);
    expect(known.size).toBe(1);
  });

  it('is not judged by the words in its address', async () => {
    const known = new Set<string>();
    const asked: unknown[] = [];
    const server = await openRemote((message, request, response) => {
      const { method, params } = message;
      if (method === 'tools/call') return refuse(response, 400, 'No');
      if (method !== 'initialize' || !isRecord(params)) return inSession(known, message, request, response);
      asked.push(params['protocolVersion']);
      return params['protocolVersion'] === '2025-06-18'
        ? inSession(known, message, request, response)
        : refuse(response, 400, 'No');
    }, '/session/2025-03-26/mcp');
    await server.start();
    expect(asked).toEqual(['2025-11-25', '2025-06-18']);
    await expect(server.callTool('echo')).rejects.toThrow(/status 400/);
  });

  it('keeps a session on one node by a cookie', async () => {
    const nodes = [new Set<string>(), new Set<string>()];
    let next = 0;
    const server = await openRemote((message, request, response) => {
      const node = Number(/node=(\d)/.exec(request.headers.cookie ?? '')?.[1] ?? next++ % 2);
      response.setHeader('set-cookie', [`node=${node}; Path=/`, 'other=1; Path=/elsewhere', 'gone=1; Max-Age=0']);
      expect(request.headers.cookie ?? '').not.toMatch(/other|gone/);
      return inSession(nodes[node] as Set<string>, message, request, response);
    });
    await server.start();
    await server.callTool('echo');
    await server.callTool('echo');
    expect(next).toBeLessThanOrEqual(2);
  });

  it('refuses revisions that it does not know in words', async () => {
    const asked: unknown[] = [];
    const server = await openRemote(({ params }, _request, response) => {
      const revision = isRecord(params) ? params['protocolVersion'] : undefined;
      if (revision !== undefined) asked.push(revision);
      const isKnown = revision === undefined || revision === '2025-03-26';
      return isKnown
        ? false
        : refuse(response, 400, 'Unsupported protocol version (supported: 2025-03-26, 2024-11-05)');
    });
    await server.start();
    expect(asked).toEqual(['2025-11-25', '2025-03-26']);
  });

  it.each([400, 404, 500])('answers notifications with status %d', async (status) => {
    const server = await openRemote(({ id }, _request, response) => id === undefined && refuse(response, status, 'No'));
    await server.start();
    await expect(server.callTool('echo')).resolves.toMatchObject({ content: [{ text: 'hi' }] });
  });

  it('answers to the ids as texts', async () => {
    const server = await openRemote((message, _request, response) => {
      if (message['id'] === undefined) return false;
      answerUsually({ ...message, id: JSON.stringify(message['id']) }, response);
      return true;
    });
    await server.start();
    await expect(server.callTool('echo')).resolves.toMatchObject({ content: [{ text: 'hi' }] });
  });

  it.each<[string, (response: ServerResponse, id: unknown) => void]>([
    ['status 400 and the id of the request', (response, id) => refuseAs(response, 400, { id, error: lost(-32_600) })],
    [
      'status 400 and vague words',
      (response, id) => refuseAs(response, 400, { id, error: { code: -32_600, message: 'No' } }),
    ],
    ['status 404 and an invalid parameter', (response, id) => refuseAs(response, 404, { id, error: lost(-32_602) })],
    ['status 410', (response) => refuse(response, 410, 'Gone')],
    ['status 401', (response) => refuse(response, 401, 'Unauthorized: Session not found')],
    ['status 403', (response) => refuse(response, 403, 'Invalid session')],
    ['status 422', (response) => refuse(response, 422, 'unexpected message, expect initialize request')],
    ['status 500', (response) => refuseAs(response, 500, { id: null, error: lost(-32_603) })],
    ['status 200 and an error', (response, id) => refuseAs(response, 200, { id, error: lost(-32_001) })],
    [
      'status 200 and that it is not initialized',
      (response, id) => refuseAs(response, 200, { id, error: { code: -32_002, message: 'Server not initialized' } }),
    ],
  ])('says that a session is lost with %s', async (_, answer) => {
    const known = new Set<string>();
    let calls = 0;
    const server = await openRemote((message, request, response) => {
      if (message['method'] !== 'tools/call' || (calls += 1) > 1) return inSession(known, message, request, response);
      known.clear();
      answer(response, message['id']);
      return true;
    });
    await server.start();
    await expect(server.callTool('echo')).resolves.toMatchObject({ content: [{ text: 'hi' }] });
    expect([calls, known.size]).toEqual([2, 1]);
  });

  it('has a tool that fails with such words, which costs one new session and no more', async () => {
    const known = new Set<string>();
    let calls = 0;
    const server = await openRemote((message, request, response) => {
      if (message['method'] !== 'tools/call') return inSession(known, message, request, response);
      calls += 1;
      refuseAs(response, 200, { id: message['id'], error: lost(-32_001) });
      return true;
    });
    await server.start();
    for (let call = 0; call < 3; call += 1) await expect(server.callTool('echo')).rejects.toThrow('Session not found');
    expect([calls, known.size]).toEqual([4, 2]);
  });

  it('breaks down with such words, which may have carried the call out: the next one is sent in a new session', async () => {
    const known = new Set<string>();
    let calls = 0;
    const server = await openRemote((message, request, response) => {
      if (message['method'] !== 'tools/call' || (calls += 1) > 1) return inSession(known, message, request, response);
      known.clear();
      return refuse(response, 500, 'Error: session of the database expired');
    });
    await server.start();
    await expect(server.callTool('echo')).rejects.toMatchObject({ code: 'answerLost' });
    expect(calls).toBe(1);
    await expect(server.callTool('echo')).resolves.toMatchObject({ content: [{ text: 'hi' }] });
    expect([calls, known.size]).toEqual([2, 1]);
  });

  it('says so again after a call that failed in the new session for another reason', async () => {
    const known = new Set<string>();
    const errors = [lost(-32_001), { code: -32_603, message: 'Disk full' }, lost(-32_001)];
    const server = await openRemote((message, request, response) => {
      const error = message['method'] === 'tools/call' ? errors.shift() : undefined;
      if (error === undefined) return inSession(known, message, request, response);
      refuseAs(response, 200, { id: message['id'], error });
      return true;
    });
    await server.start();
    await expect(server.callTool('echo')).rejects.toThrow('Disk full');
    await expect(server.callTool('echo')).resolves.toMatchObject({ content: [{ text: 'hi' }] });
  });

  it('refuses a session with words that do not end', async () => {
    const server = await openRemote((_message, _request, response) => response.writeHead(401).write('No'));
    await expect(server.start()).rejects.toMatchObject({ code: 'needsSignIn' });
  });

  it.each([422, 500])('refuses revisions that it does not know with status %d', async (status) => {
    const server = await openRemote(({ params }, _request, response) => {
      const revision = isRecord(params) ? params['protocolVersion'] : undefined;
      return (
        typeof revision === 'string' && revision > '2025-06-18' && refuse(response, status, 'Bad protocol version')
      );
    });
    await server.start();
    await expect(server.callTool('echo')).resolves.toMatchObject({ content: [{ text: 'hi' }] });
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['401', (response) => refuse(response, 401, 'No')],
    ['a redirect', (response) => response.writeHead(302, { location: 'https://login.example/' }).end()],
    ['a broken connection', (response) => response.destroy()],
  ])('answers notifications with %s', async (_, answer) => {
    const server = await openRemote(({ id }, _request, response) => {
      if (id === undefined) answer(response);
      return id === undefined;
    });
    await server.start();
    await expect(server.callTool('echo')).resolves.toMatchObject({ content: [{ text: 'hi' }] });
  });

  it.each<[string, string | undefined, (answer: object) => string]>([
    ['as a text', 'text/plain; charset=utf-8', (answer) => JSON.stringify(answer)],
    ['without a type', undefined, (answer) => JSON.stringify(answer)],
    ['of a type of its own', 'application/json-rpc', (answer) => JSON.stringify(answer)],
    ['without an id', 'application/json', (answer) => JSON.stringify({ ...answer, id: null })],
    [
      'with an event of another name',
      'text/event-stream',
      (answer) => `event: response\ndata: ${JSON.stringify(answer)}\n\n`,
    ],
    ['on a stream without the last empty line', 'text/event-stream', (answer) => `data: ${JSON.stringify(answer)}\n`],
  ])('answers %s', async (_, type, textOf) => {
    const server = await openRemote((message, _request, response) => {
      if (message['id'] === undefined) return false;
      response.writeHead(200, type === undefined ? {} : { 'content-type': type });
      response.end(textOf(usualAnswer(message)));
      return true;
    });
    await server.start();
    await expect(server.callTool('echo')).resolves.toMatchObject({ content: [{ text: 'hi' }] });
  });

  it('is no server where a text comes in place of an answer', async () => {
    const server = await openRemote((_message, _request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('Welcome to the intranet');
      return true;
    });
    await expect(server.start()).rejects.toThrow(/text\/plain instead of JSON \("Welcome to the intranet"\)/);
  });
});

function lost(code: number): UnknownRecord {
  return { code, message: 'Session not found' };
}

function refuseAs(response: ServerResponse, status: number, body: UnknownRecord): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', ...body }));
}
