import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/base/errors.ts';
import type { AuthSettings } from '../../../src/base/authSettings.ts';
import type { UnknownRecord } from '../../../src/base/json.ts';
import type { ContextChange } from '../../../src/protocol/httpAuthorizer.ts';
import type { HeadlessServer } from '../../../src/headless.ts';
import { answerJson, event, openEvents } from '../http/httpHarness.ts';
import { signInWithBrowser } from './browser.ts';
import { openHeadless, type SignInScene, startScene } from './signInHarness.ts';

/** A request as the server saw it. */
interface Seen {
  readonly method: string;
  readonly token: string | undefined;
  readonly session: string | undefined;
  readonly params: UnknownRecord;
  /** The answer is a stream that the client has closed. */
  isClosed: boolean;
}

type Answer = (params: UnknownRecord, id: unknown, response: ServerResponse) => object | undefined;

/** @returns every request that the protected server accepted, in order; GET counts as a method */
function serve({ server }: SignInScene, answers: Readonly<Record<string, Answer>>): Seen[] {
  const seen: Seen[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers } = request;
    const isPost = request.method === 'POST';
    const message = (isPost ? await json(request) : { method: request.method, params: {} }) as UnknownRecord;
    const { id, params = {} } = message as { id: unknown; params?: UnknownRecord };
    const method = String(message['method']);
    const session = headers['mcp-session-id'] as string | undefined;
    const entry: Seen = { method, token: headers.authorization, session, params, isClosed: false };
    seen.push(entry);
    response.on('close', () => (entry.isClosed = true));
    const result = answers[method]?.(params, id, response);
    if (result !== undefined) answerJson(response, { jsonrpc: '2.0', id, result });
    else if (answers[method] === undefined && id !== undefined)
      answerJson(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'not here' } });
    else if (!response.headersSent) response.writeHead(202).end();
  };
  server.serve = (request, response) => void answer(request, response);
  return seen;
}

interface Connected {
  readonly server: HeadlessServer;
  readonly logs: readonly string[];
}

async function connect(scene: SignInScene, auth: AuthSettings = {}): Promise<Connected> {
  const logs: string[] = [];
  const server = openHeadless(
    scene,
    { openAuthorizationUrl: signInWithBrowser, onLog: ({ message }) => logs.push(message) },
    auth,
  );
  await server.start();
  return { server, logs };
}

/** The next request gets another token: by a renewal, or by a sign-in with an unknown account. */
function endToken({ as }: SignInScene, next: 'renewal' | 'signIn'): void {
  as.forget((model) => model === 'AccessToken' || (next === 'signIn' && model === 'RefreshToken'));
}

const of = (seen: readonly Seen[], method: string): readonly Seen[] => seen.filter((entry) => entry.method === method);
const tokens = (seen: readonly Seen[], method: string): number =>
  new Set(of(seen, method).map(({ token }) => token)).size;

describe('the authorization context', () => {
  it('changes with account and scopes, in every window, and never with a renewed token', async () => {
    const scene = await startScene();
    scene.server.scopeOf = ({ url }) => (url === '/mcp/write' ? 'mcp:write' : undefined);
    const [here, there] = [scene.openWindow(), scene.openWindow()];
    const changes: ContextChange[] = [];
    there.authorizer.context.onDidChange((change) => changes.push(change));
    const signal = AbortSignal.timeout(30_000);
    await here.call();
    await there.call();
    const first = there.authorizer.context.account();
    expect(first).not.toBe('');
    endToken(scene, 'renewal');
    await here.call();
    expect(changes).toEqual([]);
    await here.call('/write');
    await expect.poll(() => changes).toEqual([{ before: first, account: first }]);
    await here.authorizer.signIn(signal);
    await expect.poll(() => changes).toHaveLength(2);
    const second = there.authorizer.context.account();
    expect(changes[1]).toEqual({ before: first, account: second });
    expect(second).not.toBe(first);
    await here.authorizer.signOut(signal);
    await expect.poll(() => changes.slice(2)).toEqual([{ before: second, account: '' }]);
  });
});

describe('another account at a server of 2026-07-28', () => {
  const complete = { resultType: 'complete', ttlMs: 3_600_000 };
  const task = { taskId: 't1', status: 'working', createdAt: '2026-01-01T00:00:00Z', pollInterval: 100, ttl: null };
  const answers: Readonly<Record<string, Answer>> = {
    'server/discover': () => ({
      ...complete,
      supportedVersions: ['2026-07-28'],
      capabilities: {
        tools: { listChanged: true },
        prompts: {},
        resources: { subscribe: true },
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
    }),
    'tools/list': () => ({
      ...complete,
      cacheScope: 'private',
      tools: [{ name: 'add', inputSchema: { type: 'object' } }],
    }),
    'prompts/list': () => ({ ...complete, cacheScope: 'public', prompts: [{ name: 'for all' }] }),
    'resources/list': () => ({ ...complete, resources: [] }),
    'resources/templates/list': () => ({ ...complete, resourceTemplates: [] }),
    'resources/read': ({ uri }) => ({
      ...complete,
      contents: [{ uri, text: 'x' }],
      cacheScope: uri === 'a:public' ? 'public' : 'private',
    }),
    'tools/call': ({ arguments: args }) =>
      (args as UnknownRecord)['slow'] === true
        ? { resultType: 'task', ...task }
        : { resultType: 'complete', content: [] },
    'tasks/get': () => ({ resultType: 'complete', ...task }),
    'subscriptions/listen'({ notifications }, id, response) {
      openEvents(response);
      const params = { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': id } };
      response.write(event({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params }));
      return undefined;
    },
  };

  it('has lists and reads of its own, and a stream under its own token [cache-private]', async () => {
    const scene = await startScene();
    const seen = serve(scene, answers);
    const { server, logs } = await connect(scene);
    await server.subscribe('a:watched');
    const read = async (): Promise<void> => {
      await server.readResource('a:public');
      await server.readResource('a:private');
    };
    await read();
    const counts = (): number[] =>
      ['tools/list', 'prompts/list', 'resources/list', 'resources/read'].map((method) => of(seen, method).length);
    expect(counts()).toEqual([1, 1, 1, 2]);

    endToken(scene, 'renewal');
    await server.callTool('add');
    await read();
    const before = of(seen, 'subscriptions/listen').length;
    expect(counts()).toEqual([1, 1, 1, 2]);

    endToken(scene, 'signIn');
    await server.callTool('add');
    await read();
    await expect.poll(counts).toEqual([2, 1, 2, 3]);
    const listens = (): readonly Seen[] => of(seen, 'subscriptions/listen').slice(before);
    await expect
      .poll(() => listens().at(-1)?.params['notifications'])
      .toMatchObject({
        toolsListChanged: true,
        resourceSubscriptions: ['a:watched'],
      });
    await expect
      .poll(() =>
        of(seen, 'subscriptions/listen')
          .slice(0, before)
          .every(({ isClosed }) => isClosed),
      )
      .toBe(true);
    expect(listens().map(({ token }) => token)).not.toContain(of(seen, 'server/discover').at(0)?.token);
    expect(logs.join('\n')).toContain('Signed in as another account');
  });

  it('is listened to once a call was granted what was declined for listening', async () => {
    const scene = await startScene();
    const seen = serve(scene, answers);
    scene.server.scopeOf = ({ headers }) =>
      ['subscriptions/listen', 'tools/call'].includes(String(headers['mcp-method'])) ? 'mcp:write' : undefined;
    let visits = 0;
    let decline = (): void => {};
    const declined = new Promise<void>((resolve) => (decline = resolve));
    const server = openHeadless(scene, {
      openAuthorizationUrl(url) {
        visits += 1;
        return visits === 2 ? Promise.reject(new CancelledError()) : signInWithBrowser(url);
      },
      onLog: ({ message }) => message.startsWith('The server refused to send changes') && decline(),
    });
    await server.start();
    await declined;
    expect(of(seen, 'subscriptions/listen')).toEqual([]);
    const listed = (): number => of(seen, 'tools/list').length;
    const before = listed();
    await server.callTool('add');
    // Changes in the meantime are read.
    await expect.poll(listed).toBeGreaterThan(before);
    expect(of(seen, 'subscriptions/listen')).toHaveLength(1);
    expect(visits).toBe(3);
  });

  it('is not asked about a task of the account before, whose end says why [task-account]', async () => {
    const scene = await startScene();
    const seen = serve(scene, answers);
    const { server } = await connect(scene);
    const call = server.callTool('add', { slow: true });
    await expect.poll(() => of(seen, 'tasks/get').length).toBeGreaterThan(0);
    endToken(scene, 'renewal');
    await server.callTool('add', {});
    await expect.poll(() => tokens(seen, 'tasks/get')).toBe(2);
    endToken(scene, 'signIn');
    await Promise.all([
      expect(call).rejects.toThrow(/is lost: it belongs to the account that was signed in before/),
      server.callTool('add', {}),
    ]);
    await server.callTool('add', {});
    expect(tokens(seen, 'tasks/get')).toBe(2);
  });

  it('is not taken for another where the ID token says that it is the same', async () => {
    const scene = await startScene();
    const seen = serve(scene, answers);
    const { server } = await connect(scene, { scopes: ['openid', 'mcp:read'] });
    endToken(scene, 'signIn');
    await server.callTool('add', {});
    expect(scene.as.requests.filter((request) => request.endsWith('authorization_code'))).toHaveLength(2);
    expect(of(seen, 'tools/list')).toHaveLength(1);
    expect(of(seen, 'subscriptions/listen')).toHaveLength(1);
  });

  it('has lists of its own for more rights as well, and keeps its tasks and what it watches', async () => {
    const scene = await startScene();
    const seen = serve(scene, answers);
    scene.server.scopeOf = ({ headers }) => (headers['mcp-name'] === 'a:secret' ? 'mcp:write' : undefined);
    const { server } = await connect(scene);
    await server.subscribe('a:watched');
    const call = server.callTool('add', { slow: true });
    call.catch(() => {});
    await expect.poll(() => of(seen, 'tasks/get').length).toBeGreaterThan(0);
    const before = of(seen, 'subscriptions/listen').length;
    await server.readResource('a:secret');
    await expect.poll(() => of(seen, 'tools/list').length).toBe(2);
    await expect.poll(() => tokens(seen, 'tasks/get')).toBe(2);
    await expect.poll(() => of(seen, 'subscriptions/listen').length).toBeGreaterThan(before);
    expect(of(seen, 'subscriptions/listen').at(-1)?.params['notifications']).toMatchObject({
      resourceSubscriptions: ['a:watched'],
    });
  });
});

describe('another account at a server with sessions', () => {
  it('opens a session of its own, with its stream and what is watched [session-account]', async () => {
    const scene = await startScene();
    let sessions = 0;
    const seen = serve(scene, {
      initialize({ protocolVersion }, _id, response) {
        sessions += 1;
        response.setHeader('mcp-session-id', `s${sessions}`);
        const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } };
        return { protocolVersion, capabilities, serverInfo: { name: 'notes', version: '1' } };
      },
      'tools/list': () => ({
        tools: [{ name: sessions === 1 ? 'of one' : 'of two', inputSchema: { type: 'object' } }],
      }),
      'tools/call': () => ({ content: [] }),
      'resources/list': () => ({ resources: [] }),
      'resources/templates/list': () => ({ resourceTemplates: [] }),
      'resources/subscribe': () => ({}),
      GET(_params, _id, response) {
        openEvents(response);
        response.write(
          event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } }),
        );
        return undefined;
      },
    });
    const { server } = await connect(scene);
    await server.subscribe('a:watched');
    await expect.poll(() => of(seen, 'GET')).toMatchObject([{ session: 's1', isClosed: false }]);

    endToken(scene, 'signIn');
    await server.callTool('of one');
    // No data of one account goes into the session of the other.
    expect(of(seen, 'tools/call')).toMatchObject([{ session: 's2' }]);
    await expect
      .poll(() => of(seen, 'GET'))
      .toMatchObject([
        { session: 's1', isClosed: true },
        { session: 's2', isClosed: false },
      ]);
    await expect.poll(() => of(seen, 'resources/subscribe')).toMatchObject([{ session: 's1' }, { session: 's2' }]);
    await expect.poll(() => server.tools).toMatchObject([{ name: 'of two' }]);
    expect(tokens(seen, 'GET')).toBe(2);
  });
});
