import { describe, expect, it, vi } from 'vitest';
import { problem } from '../../fixtures/problem.ts';
import { signInWithBrowser } from './browser.ts';
import { expectNoSecrets, registeredClient, startScene, startServer, tokenRequests } from './signInHarness.ts';

describe('signing in', () => {
  it('finds the way, registers, asks, signs in and gets through', async () => {
    const scene = await startScene();
    const { as, server, person } = scene;
    const { authorizer, call } = scene.openWindow();
    expect(await call()).toBe(200);
    expect(server.statuses).toEqual([401, 200]);
    expect(person.asked).toEqual([
      {
        label: 'notes',
        server: server.url,
        issuer: as.issuer,
        endpoints: [
          { kind: 'authorization', address: `${as.issuer}/auth`, isForeign: false },
          { kind: 'token', address: `${as.issuer}/token`, isForeign: false },
          { kind: 'registration', address: `${as.issuer}/reg`, isForeign: false },
          { kind: 'revocation', address: `${as.issuer}/token/revocation`, isForeign: false },
        ],
        scopes: ['mcp:read', 'offline_access'],
        clientName: 'Patchbay',
        registration: 'dynamic',
        redirect: {
          path: expect.stringMatching(/^\/callback\/[\w-]{22}$/) as string,
          host: undefined,
          ports: [33_418, 0],
        },
      },
    ]);
    expect(person.warned).toEqual([]);
    expect(person.open).toBe(0);
    expect(await authorizer.describe()).toMatchObject({
      issuer: as.issuer,
      registration: 'dynamic',
      canRefresh: true,
      isDpop: false,
      scopes: ['mcp:read'],
    });
    expect(await call()).toBe(200);
    expect(tokenRequests(as.requests)).toEqual(['authorization_code']);
    expectNoSecrets(scene);
  });

  it('finds the metadata at the well-known address when no challenge names it', async () => {
    const { server, openWindow } = await startScene();
    server.behaviour.metadata = 'wellKnown';
    expect(await openWindow().call()).toBe(200);
  });

  it('asks once for ten requests that are refused together', async () => {
    const { as, person, openWindow } = await startScene();
    const { call } = openWindow();
    expect(await Promise.all(Array.from({ length: 10 }, () => call()))).toEqual(Array(10).fill(200));
    expect(person.asked).toHaveLength(1);
    expect(tokenRequests(as.requests)).toEqual(['authorization_code']);
  });

  it('asks once for two windows, and knows the sign-in in a third', async () => {
    const { person, server, openWindow } = await startScene();
    expect(await Promise.all([openWindow().call(), openWindow().call()])).toEqual([200, 200]);
    expect(person.asked).toHaveLength(1);
    const before = server.statuses.length;
    expect(await openWindow().call()).toBe(200);
    expect(server.statuses.slice(before)).toEqual([200]);
  });

  it('says in the log that it waits while another window has the turn', async () => {
    const { store, seen, openWindow } = await startScene();
    const takeTurn = store.lock.bind(store);
    vi.spyOn(store, 'lock').mockImplementation((key, action, signal, onWait) => {
      onWait?.();
      return takeTurn(key, action, signal);
    });
    expect(await openWindow().call()).toBe(200);
    expect(seen.filter((line) => line.includes('Another window is signing in'))).toHaveLength(1);
  });

  it('uses a registration again while the address to come back to stays', async () => {
    const { as, person, openWindow } = await startScene();
    const window = openWindow();
    await window.call();
    await window.authorizer.signIn(AbortSignal.timeout(30_000));
    expect(person.asked[1]?.redirect.ports).toEqual([33_418, 33_418, 0]);
    person.redirectOrigin = 'http://127.0.0.1:40000';
    await window.authorizer.signIn(AbortSignal.timeout(30_000));
    expect(as.requests.filter((request) => request === 'POST /reg')).toHaveLength(2);
    expect(await window.call()).toBe(200);
  });

  it('goes by the client id of the settings, with its secret', async () => {
    const client = registeredClient({ client_id: 'of-the-settings', client_secret: 'its-own-secret~%+' });
    const scene = await startScene({ clients: [client], hasRegistration: false });
    const settings = { issuer: scene.as.issuer, clientId: client.client_id, clientSecret: client.client_secret };
    const { authorizer, call } = scene.openWindow(settings);
    expect(await call()).toBe(200);
    expect(scene.person.asked[0]?.registration).toBe('configured');
    expect(await authorizer.describe()).toMatchObject({ clientId: 'of-the-settings', registration: 'configured' });
    scene.as.secrets.add(client.client_secret);
    expectNoSecrets(scene);
  });

  it('says what to configure where a client cannot register itself', async () => {
    const { openWindow } = await startScene({ hasRegistration: false });
    await expect(openWindow().call()).rejects.toEqual(problem('needsSignIn', 'set its id as "clientId"'));
  });

  it('says what to configure where nothing tells how to sign in', async () => {
    const { server, openWindow } = await startScene();
    server.behaviour.metadata = 'none';
    await expect(openWindow().call()).rejects.toEqual(
      problem('needsSignIn', /does not register clients .*"Authorization" under "headers"/),
    );
  });

  it('says what to configure where the address to come back to is not accepted', async () => {
    const { person, openWindow } = await startScene();
    person.redirectOrigin = 'http://not-loopback.example';
    await expect(openWindow().call()).rejects.toThrow(/refuses to register this client .*"redirectUri"/);
  });

  it('takes a no for an answer until somebody asks to sign in', async () => {
    const { person, openWindow } = await startScene();
    const { authorizer, call } = openWindow();
    person.answer = 'no';
    for (let round = 0; round < 2; round += 1) {
      await expect(call()).rejects.toEqual(problem('needsSignIn', '“notes”'));
    }
    expect(person.asked).toHaveLength(1);
    expect(await authorizer.describe()).toBeUndefined();
    person.answer = 'yes';
    await authorizer.signIn(AbortSignal.timeout(30_000));
    expect(await call()).toBe(200);
  });

  it('ends the visit to the browser when nobody waits any more', async () => {
    const { person, openWindow } = await startScene();
    const { call } = openWindow();
    const visited = new Promise<AbortSignal>((arrive) => {
      person.browse = (_url, signal) => {
        arrive(signal);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      };
    });
    const abort = new AbortController();
    const called = call('', abort.signal);
    const visit = await visited;
    abort.abort(new Error('not now'));
    await expect(called).rejects.toThrow('not now');
    expect(visit.aborted).toBe(true);
    expect(person.open).toBe(0);
    person.browse = signInWithBrowser;
    expect(await call()).toBe(200);
  });

  it('registers anew after a client that the authorization server has forgotten led nowhere', async () => {
    const { as, person, openWindow } = await startScene();
    const { authorizer, call } = openWindow();
    await call();
    await authorizer.signOut(AbortSignal.timeout(30_000));
    expect(as.forget((model) => model === 'Client')).toBe(1);
    // The person sees an error page, and gives up.
    person.browse = (url) =>
      signInWithBrowser(url).catch(() => Promise.reject(new DOMException('Gave up', 'AbortError')));
    await expect(authorizer.signIn(AbortSignal.timeout(30_000))).rejects.toMatchObject({ code: 'needsSignIn' });
    await authorizer.signIn(AbortSignal.timeout(30_000));
    expect(await call()).toBe(200);
    expect(as.requests.filter((request) => request === 'POST /reg')).toHaveLength(2);
  });
});

describe('what comes back from the browser', () => {
  it.each<[string, (url: URL) => void, RegExp]>([
    ['another state', (url) => url.searchParams.set('state', 'forged'), /does not belong to this sign-in/],
    ['no state', (url) => url.searchParams.delete('state'), /does not belong to this sign-in/],
    ['another issuer', (url) => url.searchParams.set('iss', 'https://evil.example'), /another authorization server/],
    ['an issuer that is nearly the same', (url) => url.searchParams.append('iss', ''), /does not belong/],
    [
      'a path more',
      (url) => url.searchParams.set('iss', `${url.searchParams.get('iss')}/x`),
      /another authorization server/,
    ],
    ['an empty issuer', (url) => url.searchParams.set('iss', ''), /another authorization server/],
    ['no issuer though it is promised', (url) => url.searchParams.delete('iss'), /does not belong to this sign-in/],
    ['no code', (url) => url.searchParams.delete('code'), /does not belong to this sign-in/],
  ])('is not used with %s [iss-validated] [iss-promised] [state-verified]', async (_what, change, message) => {
    const scene = await startScene();
    scene.person.browse = async (url) => {
      const callback = await signInWithBrowser(url);
      scene.as.secrets.add(callback.searchParams.get('code') ?? 'none');
      change(callback);
      return callback;
    };
    await expect(scene.openWindow().call()).rejects.toThrow(message);
    expect(tokenRequests(scene.as.requests)).toEqual([]);
    expectNoSecrets(scene);
  });

  it('tells why the authorization server said no, but not what a stranger says', async () => {
    const { person, as, openWindow } = await startScene();
    const refuse = (issuer: string) => (url: URL) => {
      const callback = new URL(url.searchParams.get('redirect_uri') ?? '');
      callback.searchParams.set('state', url.searchParams.get('state') ?? '');
      callback.searchParams.set('iss', issuer);
      callback.searchParams.set('error', 'access_denied');
      callback.searchParams.set('error_description', 'Ada is\non holiday');
      return Promise.resolve(callback);
    };
    person.browse = refuse(as.issuer);
    await expect(openWindow().call()).rejects.toThrow(/“access_denied”: “Ada is on holiday”/);
    person.browse = refuse('https://evil.example');
    await expect(openWindow().call()).rejects.toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('holiday') }) as Error,
    );
  });
});

describe('what is not to be trusted', () => {
  it('refuses metadata of another resource', async () => {
    const { server, person, openWindow } = await startScene();
    server.behaviour.resource = 'https://other.example/mcp';
    await expect(openWindow().call()).rejects.toThrow(/https:\/\/other\.example\/mcp, not of/);
    expect(person.asked).toEqual([]);
  });

  it.each([
    ['http://auth.example.com', /not encrypted/],
    ['https://169.254.169.254', /private network/],
    ['javascript:alert(1)', /not a safe kind/],
    ['https://auth.example.com/\u202e', /names no authorization server/],
    ['https://auth.example.com/\nSigned in', /names no authorization server/],
    ['somewhere', /not an address/],
  ])('goes to no authorization server such as %j', async (issuer, message) => {
    const { server, person, openWindow } = await startScene();
    server.behaviour.issuer = issuer;
    await expect(openWindow().call()).rejects.toThrow(message);
    expect(person.asked).toEqual([]);
  });

  it('refuses metadata of another issuer [issuer-identical]', async () => {
    const { as, person, openWindow } = await startScene();
    as.intercept = (_method, path) =>
      path.startsWith('/.well-known/')
        ? { status: 200, body: JSON.stringify({ issuer: `${as.issuer}/x` }) }
        : undefined;
    await expect(openWindow().call()).rejects.toThrow(/are not used/);
    expect(person.asked).toEqual([]);
  });

  it.each([
    ['does not announce it, unless the person agrees', undefined],
    ['announces another method', ['plain']],
  ])('refuses an authorization server that has PKCE but %s [pkce-verified]', async (_, methods) => {
    const { as, openWindow, person } = await startScene();
    if (methods !== undefined) person.secondAnswer = 'yes';
    as.intercept = (_method, path) => {
      if (!path.startsWith('/.well-known/')) return undefined;
      const at = (name: string): string => `${as.issuer}/${name}`;
      const metadata = {
        issuer: as.issuer,
        authorization_endpoint: at('auth'),
        token_endpoint: at('token'),
        registration_endpoint: at('reg'),
        code_challenge_methods_supported: methods,
      };
      return { status: 200, body: JSON.stringify(metadata) };
    };
    await expect(openWindow().call()).rejects.toThrow(/PKCE with S256/);
    expect(tokenRequests(as.requests)).toEqual([]);
  });

  it('takes no redirect from a token endpoint, and tells no secret that an error repeats', async () => {
    const scene = await startScene();
    const { as, openWindow } = scene;
    as.intercept = (_method, path) =>
      path === '/token' ? { status: 307, body: '', headers: { Location: 'https://evil.example/token' } } : undefined;
    await expect(openWindow().call()).rejects.toThrow(/a redirect, which is not allowed/);
    as.intercept = (_method, path, body) =>
      path === '/token'
        ? {
            status: 200,
            body: JSON.stringify({ error: 'invalid_grant', error_description: `No such code: ${body.get('code')}` }),
          }
        : undefined;
    await expect(openWindow().call()).rejects.toThrow(/“invalid_grant”: “No such code: …”/);
    expectNoSecrets(scene);
  });

  it('gives up when the server refuses what was just issued for it', async () => {
    const { as, server, person, openWindow } = await startScene();
    server.authorizationServer = { ...as, provider: (await startServer()).provider };
    await expect(openWindow().call()).rejects.toThrow(/refuses the token that .* has just issued/);
    expect(person.asked).toHaveLength(1);
  });
});
