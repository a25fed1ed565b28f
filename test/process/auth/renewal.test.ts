import { describe, expect, it } from 'vitest';
import { problem } from '../../fixtures/problem.ts';
import { signInWithBrowser } from './browser.ts';
import { expectNoSecrets, registeredClient, startScene, startServer, tokenRequests } from './signInHarness.ts';

const ten = <T>(run: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 10 }, () => run()));
const allGood = Array(10).fill(200);

describe('refreshing', () => {
  it('renews a token ahead of its end, once for ten requests', async () => {
    const { as, server, clock, person, openWindow } = await startScene({ accessTokenSeconds: 600 });
    const { call } = openWindow();
    await call();
    await clock.advance(539_000);
    await call();
    expect(tokenRequests(as.requests)).toEqual(['authorization_code']);
    await clock.advance(2_000);
    expect(await ten(call)).toEqual(allGood);
    expect(tokenRequests(as.requests)).toEqual(['authorization_code', 'refresh_token']);
    expect(server.statuses.filter((status) => status === 401)).toHaveLength(1);
    expect(person.asked).toHaveLength(1);
  });

  it('renews a token that the server does not take any more, once for ten requests in two windows', async () => {
    const scene = await startScene();
    const { as, person } = scene;
    const windows = [scene.openWindow(), scene.openWindow()];
    await windows[0]?.call();
    as.forget((model) => model === 'AccessToken');
    const answers = await Promise.all(windows.map((window) => ten(() => window.call())));
    expect(answers).toEqual([allGood, allGood]);
    expect(tokenRequests(as.requests)).toEqual(['authorization_code', 'refresh_token']);
    expect(person.asked).toHaveLength(1);
    expectNoSecrets(scene);
  });

  it('goes on with the rotated refresh token', async () => {
    const { as, openWindow } = await startScene();
    const { call } = openWindow();
    await call();
    for (let round = 0; round < 3; round += 1) {
      as.forget((model) => model === 'AccessToken');
      expect(await call()).toBe(200);
    }
    expect(tokenRequests(as.requests)).toEqual([
      'authorization_code',
      'refresh_token',
      'refresh_token',
      'refresh_token',
    ]);
  });

  it('keeps using a token that still holds while it cannot be renewed', async () => {
    const { as, clock, person, seen, openWindow } = await startScene({ accessTokenSeconds: 600 });
    const { call } = openWindow();
    await call();
    await clock.advance(550_000);
    as.intercept = (_method, path) => (path === '/token' ? { status: 503, body: 'busy' } : undefined);
    expect(await call()).toBe(200);
    expect(seen.join('\n')).toContain('The token could not be refreshed');
    expect(person.asked).toHaveLength(1);
  });

  it('does not lose the new refresh token when whoever wanted it has gone', async () => {
    const { as, person, openWindow } = await startScene();
    const { call } = openWindow();
    await call();
    as.forget((model) => model === 'AccessToken');
    const abort = new AbortController();
    as.intercept = (_method, path) => {
      if (path === '/token') abort.abort(new Error('not now'));
      return undefined;
    };
    await expect(call('', abort.signal)).rejects.toThrow('not now');
    as.intercept = undefined;
    expect(await call()).toBe(200);
    expect(tokenRequests(as.requests)).toEqual(['authorization_code', 'refresh_token']);
    expect(person.asked).toHaveLength(1);
  });

  it('bothers nobody while the authorization server is out of order', async () => {
    const { as, person, openWindow } = await startScene();
    const { call } = openWindow();
    await call();
    as.forget((model) => model === 'AccessToken');
    as.intercept = (_method, path) =>
      path === '/token' ? { status: 400, body: '{"error":"temporarily_unavailable"}' } : undefined;
    await expect(call()).rejects.toThrow(/temporarily_unavailable/);
    as.intercept = undefined;
    expect(await call()).toBe(200);
    expect(person.asked).toHaveLength(1);
  });

  it('asks once for ten requests when the refresh token was revoked', async () => {
    const scene = await startScene();
    const { as, person } = scene;
    const { call } = scene.openWindow();
    await call();
    as.forget((model) => model === 'AccessToken' || model === 'RefreshToken');
    expect(await ten(call)).toEqual(allGood);
    expect(tokenRequests(as.requests)).toEqual(['authorization_code', 'refresh_token', 'authorization_code']);
    expect(person.asked).toHaveLength(2);
    expectNoSecrets(scene);
  });

  it('registers anew when the authorization server has forgotten the client', async () => {
    const { as, person, openWindow } = await startScene();
    const { call } = openWindow();
    await call();
    as.forget((model) => model === 'AccessToken' || model === 'Client');
    expect(await call()).toBe(200);
    expect(person.asked).toHaveLength(2);
    expect(as.requests.filter((request) => request === 'POST /reg')).toHaveLength(2);
  });
});

describe('a server that has moved to another authorization server', () => {
  it('registers there, and shows it nothing of the first', async () => {
    const scene = await startScene();
    const { as, server, person } = scene;
    const { authorizer, call } = scene.openWindow();
    await call();
    const first = await authorizer.describe();
    const second = await startServer();
    server.authorizationServer = second;
    expect(await call()).toBe(200);
    expect(person.asked).toHaveLength(2);
    const described = await authorizer.describe();
    expect(described).toMatchObject({ issuer: second.issuer });
    expect(described?.clientId).not.toBe(first?.clientId);
    const shared = [...as.secrets].filter((secret) => second.secrets.has(secret));
    expect(shared).toEqual([]);
  });

  it('refuses to take a client id of the settings along', async () => {
    const client = registeredClient({ client_id: 'own', token_endpoint_auth_method: 'none' });
    const { server, openWindow } = await startScene({ clients: [client] });
    const { call } = openWindow({ clientId: 'own' });
    await call();
    server.authorizationServer = await startServer({ clients: [client] });
    await expect(call()).rejects.toThrow(/has moved from the authorization server/);
    const pinned = openWindow({ clientId: 'own', clientSecret: 'of-elsewhere', issuer: 'https://elsewhere.example' });
    await expect(pinned.call()).rejects.toThrow(/"issuer".*https:\/\/elsewhere\.example/);
  });
});

describe('more rights', () => {
  it('asks for them together with the old ones, and sends the request again', async () => {
    const { server, person, openWindow } = await startScene();
    server.scopeOf = (request) => (request.url === '/mcp/write' ? 'mcp:write' : 'mcp:read');
    const { authorizer, call } = openWindow();
    expect(await call()).toBe(200);
    expect(await call('/write')).toBe(200);
    expect(person.asked.map(({ scopes }) => scopes)).toEqual([
      ['mcp:read', 'offline_access'],
      ['mcp:read', 'offline_access', 'mcp:write'],
    ]);
    expect(await call()).toBe(200);
    expect((await authorizer.describe())?.scopes).toContain('mcp:write');
  });

  it('gives up with a sentence when they are never granted', async () => {
    const { server, person, openWindow } = await startScene();
    server.scopeOf = (request) => (request.url === '/mcp/admin' ? 'mcp:admin' : undefined);
    const { call } = openWindow();
    await expect(call('/admin')).rejects.toEqual(problem('needsSignIn', /wants more rights .*mcp:admin/));
    expect(person.asked.length).toBeLessThanOrEqual(3);
    expect(await call()).toBe(200);
  });

  it('lets a no stand for the one request, not for the others', async () => {
    const { server, person, openWindow } = await startScene();
    server.scopeOf = (request) => (request.url === '/mcp/write' ? 'mcp:write' : 'mcp:read');
    const { call } = openWindow();
    await call();
    person.answer = 'no';
    await expect(call('/write')).rejects.toMatchObject({ code: 'needsSignIn' });
    expect(await call()).toBe(200);
    person.answer = 'yes';
    person.browse = signInWithBrowser;
    expect(await call('/write')).toBe(200);
  });
});

describe('signing out', () => {
  it('forgets the tokens here and there', async () => {
    const scene = await startScene();
    const { as, person } = scene;
    const { authorizer, call } = scene.openWindow();
    await call();
    await authorizer.signOut(AbortSignal.timeout(30_000));
    expect(await authorizer.describe()).toBeUndefined();
    expect(as.forget((model) => model === 'AccessToken' || model === 'RefreshToken')).toBe(0);
    await expect(call()).rejects.toThrow(/signed out/);
    expect(person.asked).toHaveLength(1);
    expectNoSecrets(scene);
  });

  it('is not undone by a refresh that was under way', async () => {
    const { as, person, openWindow } = await startScene();
    const { authorizer, call } = openWindow();
    await call();
    as.forget((model) => model === 'AccessToken');
    let signedOut: Promise<void> | undefined;
    as.intercept = (_method, path) => {
      if (path === '/token') signedOut ??= authorizer.signOut(AbortSignal.timeout(30_000));
      return undefined;
    };
    await expect(call()).rejects.toThrow(/signed out/);
    await signedOut;
    expect(await authorizer.describe()).toBeUndefined();
    expect(as.forget((model) => model === 'AccessToken' || model === 'RefreshToken')).toBe(0);
    expect(person.asked).toHaveLength(1);
  });

  it('forgets them here when they cannot be revoked', async () => {
    const { as, seen, openWindow } = await startScene();
    const { authorizer, call } = openWindow();
    await call();
    as.intercept = (_method, path) => (path === '/token/revocation' ? { status: 500, body: 'broken' } : undefined);
    await authorizer.signOut(AbortSignal.timeout(30_000));
    expect(await authorizer.describe()).toBeUndefined();
    expect(seen.join('\n')).toContain('could not be revoked');
  });
});
