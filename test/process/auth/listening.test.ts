import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/base/errors.ts';
import type { UnknownRecord } from '../../../src/base/json.ts';
import { createHeadlessHost, type HeadlessServer } from '../../../src/headless.ts';
import { answerJson, createTransportUnderTest, event, openEvents } from '../http/httpHarness.ts';
import type { ProtectedServer } from './protectedServer.ts';
import { signInWithBrowser } from './browser.ts';
import { startScene } from './signInHarness.ts';

const open: { dispose(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((item) => item.dispose()));
});

describe("the server's own stream, whose sign-in was declined", () => {
  it('asks nobody again, and is opened after the sign-in that gives it the right', async () => {
    const { as, server, person, openWindow } = await startScene();
    const { authorizer, call } = openWindow();
    const gets: IncomingMessage[] = [];
    server.scopeOf = (request) => {
      if (request.method !== 'GET') return undefined;
      gets.push(request);
      return 'mcp:write';
    };
    server.serve = (request, response) => {
      request.resume();
      if (request.method === 'POST') return answerJson(response, { jsonrpc: '2.0', id: 'init', result: {} });
      openEvents(response);
      response.write(event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
    };
    await call();
    person.answer = 'no';
    const client = createTransportUnderTest(server.url.href, { authorizer });
    open.push(client.transport);
    await client.transport.start(AbortSignal.timeout(30_000));
    await client.shakeHands();
    await client.log('wants a sign-in that was not made');
    expect(person.asked).toHaveLength(2);

    as.forget((model) => model === 'AccessToken');
    await call();
    const declinedAgain = new Promise<void>((resolve) => {
      client.transport.onLog(({ text }) => text.includes('wants a sign-in that was not made') && resolve());
    });
    await client.clock.pass(500);
    await declinedAgain;
    expect([gets.length, person.asked.length]).toEqual([2, 2]);

    person.answer = 'yes';
    await authorizer.signIn(AbortSignal.timeout(30_000));
    // It may be another account, so a new session begins.
    await client.lost;
    await client.shakeHands();
    await client.message('notifications/tools/list_changed');
    expect([gets.length, person.asked.length]).toEqual([3, 3]);
  });
});

describe('a server of 2026-07-28 that wants sign-in', () => {
  type Answer = (params: UnknownRecord, id: unknown, response: ServerResponse) => object | undefined;
  const answers: Readonly<Record<string, Answer>> = {
    'server/discover': () => ({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, resources: {} },
    }),
    'tools/list': () => ({ tools: [{ name: 'add', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ content: [] }),
    'resources/list': () => ({ resources: [] }),
    'resources/templates/list': () => ({ resourceTemplates: [] }),
    'resources/read': ({ uri }) => ({
      contents: [{ uri, text: 'x' }],
      ttlMs: 3_600_000,
      cacheScope: uri === 'a:public' ? 'public' : 'private',
    }),
    'subscriptions/listen'({ notifications }, id, response) {
      openEvents(response);
      const params = { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': id } };
      response.write(event({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params }));
      return undefined;
    },
  };

  /** @returns the methods of the requests, in order */
  function serve(server: ProtectedServer): readonly string[] {
    const seen: string[] = [];
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const message = (await json(request)) as { id: unknown; method: string; params: UnknownRecord };
      const { id, method, params } = message;
      seen.push(method);
      const result = answers[method]?.(params, id, response);
      if (result !== undefined)
        answerJson(response, { jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } });
    };
    server.serve = (request, response) => void answer(request, response);
    return seen;
  }

  function connect(
    url: URL,
    openAuthorizationUrl: (url: URL) => Promise<URL>,
    onLog = (_text: string): void => {},
  ): HeadlessServer {
    const servers = { notes: { url: url.href } };
    const host = createHeadlessHost({ servers, openAuthorizationUrl, onLog: ({ message }) => onLog(message) });
    open.push(host);
    return host.getServer('notes') ?? expect.unreachable('no server');
  }

  it('is listened to once a call was granted what was declined for listening', async () => {
    const { server: protectedServer } = await startScene();
    const seen = serve(protectedServer);
    protectedServer.scopeOf = ({ headers }) =>
      ['subscriptions/listen', 'tools/call'].includes(String(headers['mcp-method'])) ? 'mcp:write' : undefined;
    let visits = 0;
    let decline = (): void => {};
    const declined = new Promise<void>((resolve) => (decline = resolve));
    const server = connect(
      protectedServer.url,
      (url) => {
        visits += 1;
        return visits === 2 ? Promise.reject(new CancelledError()) : signInWithBrowser(url);
      },
      (text) => text.startsWith('The server does not tell of changes') && decline(),
    );
    await server.start();
    await declined;
    expect(seen).not.toContain('subscriptions/listen');
    const listed = (): number => seen.filter((method) => method === 'tools/list').length;
    const before = listed();
    const read = new Promise<void>((resolve) => server.onDidChange(() => listed() > before && resolve()));
    await server.callTool('add');
    // Changes in the meantime are read.
    await read;
    expect(seen.filter((method) => method === 'subscriptions/listen')).toHaveLength(1);
    expect(visits).toBe(3);
  });

  it('is read again for another account, but for what is public [cache-private]', async () => {
    const { as, server: protectedServer } = await startScene();
    const seen = serve(protectedServer);
    const server = connect(protectedServer.url, signInWithBrowser);
    await server.start();
    const readBoth = async (): Promise<number> => {
      await server.readResource('a:public');
      await server.readResource('a:private');
      return seen.filter((method) => method === 'resources/read').length;
    };
    expect([await readBoth(), await readBoth()]).toEqual([2, 2]);
    as.forget((model) => model === 'AccessToken' || model === 'RefreshToken');
    await server.callTool('add');
    expect([await readBoth(), await readBoth()]).toEqual([3, 3]);
  });
});
