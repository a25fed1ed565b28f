import { describe, expect, it } from 'vitest';
import type { SignInCaution } from '../../../src/auth/ports.ts';
import type { AuthSettings } from '../../../src/base/authSettings.ts';
import type { HeadlessOptions } from '../../../src/headless.ts';
import { closeLater } from '../../fixtures/closeLater.ts';
import { problem } from '../../fixtures/problem.ts';
import { signInWithBrowser } from './browser.ts';
import { type HostileServer, startHostileServer } from './hostileServer.ts';
import { serveMcp } from './serveMcp.ts';
import { openHeadless, registeredClient, type SignInScene, startScene } from './signInHarness.ts';

/** This editor's client at the honest server, as an earlier version registered it: one redirect address for every issuer. */
const honestClient = registeredClient({
  client_id: 'known-at-the-honest-server',
  token_endpoint_auth_method: 'none',
});

/** An MCP server that names a hostile authorization server, which knows the client of an honest one. */
async function startAttack(metadata: (honest: string) => HostileServer['metadata'] = () => ({})): Promise<{
  readonly scene: SignInScene;
  readonly hostile: HostileServer;
}> {
  const scene = await startScene({ clients: [honestClient] });
  serveMcp(scene.server);
  const hostile = closeLater(await startHostileServer(metadata(scene.as.issuer)));
  hostile.clientId = honestClient.client_id;
  scene.server.behaviour.issuer = hostile.issuer;
  return { scene, hostile };
}

/** Starts the server; the user agrees to sign in. @returns the error */
function start(scene: SignInScene, options: Partial<HeadlessOptions>, auth: AuthSettings = {}): Promise<unknown> {
  return openHeadless(scene, options, auth)
    .start()
    .catch((error: unknown) => error);
}

/** A sign-in at an honest server whose answers have no `iss`. */
async function signInUnmarked(url: URL): Promise<URL> {
  const callback = await signInWithBrowser(url);
  callback.searchParams.delete('iss');
  return callback;
}

const codes = ({ tokenRequests }: HostileServer): unknown[] => tokenRequests.map(({ body }) => body.get('code'));
const failure = (message: RegExp): unknown => problem('needsSignIn', message);

describe('a hostile authorization server that names the authorization endpoint of an honest one', () => {
  const honestEndpoint = (honest: string): HostileServer['metadata'] => ({ authorization_endpoint: `${honest}/auth` });

  it('gets no code, and no browser is opened, without a second yes [mix-up-second-yes]', async () => {
    const { scene, hostile } = await startAttack(honestEndpoint);
    const opened: URL[] = [];
    const open = (url: URL): Promise<URL> => {
      opened.push(url);
      return signInUnmarked(url);
    };
    expect(await start(scene, { openAuthorizationUrl: open })).toEqual(failure(/addresses of other hosts/));
    expect(codes(hostile)).toEqual([]);
    expect(hostile.registrations).toEqual([]);
    expect(opened).toEqual([]);
  });

  it('gets no code with a second yes either: the honest server does not know the address to come back to', async () => {
    const { scene, hostile } = await startAttack(honestEndpoint);
    const cautions: SignInCaution[] = [];
    const onUnusualSignIn = async (caution: SignInCaution): Promise<boolean> => {
      cautions.push(caution);
      return true;
    };
    const error = await start(scene, { openAuthorizationUrl: signInUnmarked, onUnusualSignIn });
    expect(String(error)).toContain('redirect_uri');
    expect(codes(hostile)).toEqual([]);
    expect(cautions).toEqual([
      {
        label: 'notes',
        server: scene.server.url,
        issuer: hostile.issuer,
        foreign: [{ kind: 'authorization', address: `${scene.as.issuer}/auth`, isForeign: true }],
        isAnswerUnmarked: false,
      },
    ]);
  });
});

describe('a hostile authorization server that sends the browser on to an honest one', () => {
  /** Follows the hostile redirect, then signs in at the honest server. */
  const browse = async (url: URL): Promise<URL> => {
    const { headers } = await fetch(url, { redirect: 'manual' });
    return signInUnmarked(new URL(headers.get('location') ?? ''));
  };

  function sendTo(scene: SignInScene, redirectUri: (request: URL) => string): HostileServer['sendBrowserTo'] {
    return (request) => {
      const url = new URL(`${scene.as.issuer}/auth${request.search}`);
      url.searchParams.set('redirect_uri', redirectUri(request));
      // Scopes of the honest server.
      url.searchParams.set('resource', scene.server.url.href);
      return url;
    };
  }

  it('gets no code that came to the address of another issuer [redirect-per-issuer]', async () => {
    const { scene, hostile } = await startAttack();
    hostile.sendBrowserTo = sendTo(scene, () => honestClient.redirect_uris[0] ?? '');
    expect(await start(scene, { openAuthorizationUrl: browse })).toEqual(
      failure(/came back to an address that does not belong to this sign-in/),
    );
    expect(codes(hostile)).toEqual([]);
  });

  it('gets no code by the address of this sign-in, which the honest server does not know', async () => {
    const { scene, hostile } = await startAttack();
    hostile.sendBrowserTo = sendTo(scene, (request) => request.searchParams.get('redirect_uri') ?? '');
    expect(String(await start(scene, { openAuthorizationUrl: browse }))).toContain('redirect_uri');
    expect(codes(hostile)).toEqual([]);
  });

  it('gets no code for a client that is known beforehand, without a second yes', async () => {
    const { scene, hostile } = await startAttack();
    hostile.sendBrowserTo = sendTo(scene, (request) => request.searchParams.get('redirect_uri') ?? '');
    const settings = { clientId: honestClient.client_id };
    expect(await start(scene, { openAuthorizationUrl: browse }, settings)).toEqual(
      failure(/answers without saying who it is/),
    );
    expect(codes(hostile)).toEqual([]);
  });

  it('gets no code for a client that belongs to the honest server by its settings', async () => {
    const { scene, hostile } = await startAttack();
    const settings = { clientId: honestClient.client_id, issuer: scene.as.issuer };
    const error = await start(scene, { openAuthorizationUrl: browse, onUnusualSignIn: async () => true }, settings);
    expect(error).toEqual(failure(new RegExp(`${hostile.issuer}.*${scene.as.issuer}`)));
    expect(codes(hostile)).toEqual([]);
  });

  it('gets no code of an honest server that marks its answers, though it promises nothing itself', async () => {
    const { scene, hostile } = await startAttack();
    hostile.sendBrowserTo = sendTo(scene, (request) => request.searchParams.get('redirect_uri') ?? '');
    const marked = async (url: URL): Promise<URL> => {
      const { headers } = await fetch(url, { redirect: 'manual' });
      return signInWithBrowser(new URL(headers.get('location') ?? ''));
    };
    const options = { openAuthorizationUrl: marked, onUnusualSignIn: async () => true };
    expect(await start(scene, options, { clientId: honestClient.client_id })).toEqual(
      failure(/came from another authorization server/),
    );
    expect(codes(hostile)).toEqual([]);
  });
});

describe('what a person has agreed to', () => {
  /** An honest authorization server whose endpoints are of another origin than its issuer. */
  async function startSplit(): Promise<{ readonly scene: SignInScene; readonly front: HostileServer }> {
    const scene = await startScene();
    const front = closeLater(
      await startHostileServer({
        authorization_endpoint: `${scene.as.issuer}/auth`,
        token_endpoint: `${scene.as.issuer}/token`,
        registration_endpoint: `${scene.as.issuer}/reg`,
      }),
    );
    scene.server.behaviour.issuer = front.issuer;
    scene.person.browse = signInUnmarked;
    scene.person.secondAnswer = 'yes';
    return { scene, front };
  }

  it('counts for these endpoints of this issuer only, until they sign out', async () => {
    const { scene, front } = await startSplit();
    const { person } = scene;
    const { authorizer, call } = scene.openWindow();
    const signIn = (): Promise<void> => authorizer.signIn(AbortSignal.timeout(30_000));
    expect(await call()).toBe(200);
    await signIn();
    expect(person.warned).toHaveLength(1);
    const addresses = async (): Promise<unknown> =>
      (await authorizer.describe())?.allowed?.foreign.map(({ address }) => address);
    expect(await addresses()).toEqual(['auth', 'token', 'reg'].map((path) => `${scene.as.issuer}/${path}`));
    front.metadata = { ...front.metadata, revocation_endpoint: `${scene.as.issuer}/token/revocation` };
    const other = scene.openWindow();
    await other.authorizer.signIn(AbortSignal.timeout(30_000));
    expect(person.warned).toHaveLength(2);
    const kinds = ['authorization', 'token', 'registration', 'revocation'];
    expect(person.warned[1]?.foreign.map(({ kind }) => kind)).toEqual(kinds);
    await other.authorizer.signOut(AbortSignal.timeout(30_000));
    await other.authorizer.signIn(AbortSignal.timeout(30_000));
    expect(person.warned).toHaveLength(3);
  });

  it('is not kept when the sign-in came to nothing', async () => {
    const { scene, front } = await startSplit();
    scene.person.browse = () => Promise.reject(new DOMException('Gave up', 'AbortError'));
    await expect(scene.openWindow().call()).rejects.toThrow(/not finished signing in/);
    expect(scene.person.warned).toHaveLength(1);
    expect(await scene.store.get(`caution:${front.issuer}`)).toBeUndefined();
  });

  it('is asked after the first question, and a no is not asked again', async () => {
    const { scene } = await startSplit();
    scene.person.secondAnswer = 'no';
    const { call } = scene.openWindow();
    for (let round = 0; round < 2; round += 1) await expect(call()).rejects.toThrow(/you have not allowed that/);
    expect(scene.person.asked).toHaveLength(1);
    expect(scene.person.warned).toHaveLength(1);
    expect(scene.person.open).toBe(0);
    expect(scene.as.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  it('is not needed for a client that the settings bind to its issuer', async () => {
    const scene = await startScene({ clients: [honestClient] });
    const { as, openWindow, person } = scene;
    person.browse = signInUnmarked;
    const response = await fetch(`${as.issuer}/.well-known/openid-configuration`);
    const metadata = { ...((await response.json()) as object), authorization_response_iss_parameter_supported: false };
    as.intercept = (_method, path) =>
      path.startsWith('/.well-known/') ? { status: 200, body: JSON.stringify(metadata) } : undefined;
    expect(await openWindow({ clientId: honestClient.client_id, issuer: as.issuer }).call()).toBe(200);
    expect(person.warned).toEqual([]);
  });
});

describe('a registration that was made with one address for every issuer', () => {
  it('is forgotten, and made again with an address of its own', async () => {
    const scene = await startScene();
    const { as, store, person } = scene;
    const old = { clientId: 'of-an-earlier-version', redirectUris: ['http://127.0.0.1:33418/callback'] };
    await store.set(`client:${as.issuer}`, JSON.stringify(old));
    expect(await scene.openWindow().call()).toBe(200);
    expect(person.asked[0]).toMatchObject({ clientId: undefined, redirect: { ports: [33_418, 0] } });
    expect(as.requests.filter((request) => request === 'POST /reg')).toHaveLength(1);
    const kept = JSON.parse((await store.get(`client:${as.issuer}`)) ?? '') as typeof old;
    expect(kept.redirectUris).toEqual([`http://127.0.0.1:33418${person.asked[0]?.redirect.path}`]);
  });

  it('has another address for each issuer', async () => {
    const paths = await Promise.all(
      [1, 2].map(async () => {
        const scene = await startScene();
        await scene.openWindow().call();
        return scene.person.asked[0]?.redirect.path;
      }),
    );
    expect(new Set(paths).size).toBe(2);
  });
});

describe('an authorization server whose metadata hold a request', () => {
  /** @returns the addresses that the browser opened, and the error */
  async function visit(suffix: string): Promise<{ readonly opened: readonly URL[]; readonly error: unknown }> {
    const { scene, hostile } = await startAttack();
    hostile.metadata = { authorization_endpoint: `${hostile.issuer}/authorize${suffix}` };
    const opened: URL[] = [];
    const openAuthorizationUrl = async (url: URL): Promise<URL> => {
      opened.push(url);
      return url;
    };
    return { opened, error: await start(scene, { openAuthorizationUrl }) };
  }

  it.each([
    ['a client', '?client_id=other', /request of its own in it \(client_id\)/],
    ['an address to come back to', '?redirect_uri=https://evil.example', /\(redirect_uri\)/],
    ['a request object', '?request_uri=https://evil.example/r&tenant=1', /\(request_uri\)/],
    ['a fragment', '#state=x', /with a fragment/],
    ['an empty fragment', '#', /with a fragment/],
  ])('is refused for %s', async (_what, suffix, message) => {
    const { error, opened } = await visit(suffix);
    expect(error).toEqual(failure(message));
    expect(opened).toEqual([]);
  });

  it('keeps a query of its own that says nothing of the request', async () => {
    const { opened } = await visit('?tenant=1');
    expect(opened.map(({ searchParams }) => searchParams.get('tenant'))).toEqual(['1']);
  });

  it('is refused for an issuer with a query or a fragment', async () => {
    const { scene } = await startAttack();
    for (const suffix of ['?a=b', '#a']) {
      scene.server.behaviour.issuer = `${scene.as.issuer}/${suffix}`;
      expect(await start(scene, {})).toEqual(failure(/with a query or a fragment/));
    }
  });
});
