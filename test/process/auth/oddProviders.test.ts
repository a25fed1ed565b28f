import { describe, expect, it } from 'vitest';
import type { SignInCaution } from '../../../src/auth/ports.ts';
import type { AuthSettings } from '../../../src/base/authSettings.ts';
import type { HeadlessServer } from '../../../src/headless.ts';
import { type Oddities, type OddProvider, startOddProvider } from './oddProvider.ts';
import { closeLater } from '../../fixtures/closeLater.ts';
import { openHeadless } from './signInHarness.ts';

interface SignedIn {
  readonly provider: OddProvider;
  readonly server: HeadlessServer;
  readonly cautions: SignInCaution[];
}

/** Follows the redirects of the provider, as a browser in which the person is signed in does. */
async function browse(url: URL): Promise<URL> {
  const { headers, status } = await fetch(url, { redirect: 'manual' });
  const location = headers.get('location');
  if (location === null) throw new Error(`The browser stays at a page with status ${status}.`);
  return new URL(location);
}

async function open(oddities: Oddities, auth?: AuthSettings, mayGoOn = true): Promise<SignedIn> {
  const provider = closeLater(await startOddProvider(oddities));
  const cautions: SignInCaution[] = [];
  const options = {
    openAuthorizationUrl: browse,
    onUnusualSignIn: async (caution: SignInCaution) => {
      cautions.push(caution);
      return mayGoOn;
    },
  };
  return { provider, cautions, server: openHeadless({ server: provider } as never, options, auth) };
}

async function signIn(oddities: Oddities, auth?: AuthSettings): Promise<SignedIn> {
  const scene = await open(oddities, auth);
  await scene.server.start();
  expect(scene.server.tools.map(({ name }) => name)).toEqual(['echo']);
  return scene;
}

const atMcp = '/.well-known/oauth-protected-resource/mcp';
const atRoot = '/.well-known/oauth-protected-resource';
const ofServer = '/.well-known/oauth-authorization-server';

describe('a search for metadata', () => {
  it.each<[string, Oddities]>([
    ['the first address answers 500', { statuses: { [atMcp]: 500 }, metadataPath: ofServer }],
    ['the address in the challenge is missing', { challenge: 'Bearer resource_metadata="/gone"' }],
    [
      'the address in the challenge is missing, and there are no others of the resource',
      { challenge: 'Bearer resource_metadata="/gone"', statuses: { [atMcp]: 404 } },
    ],
    ...['/revoke', 'http://elsewhere.example/revoke', 'https://10.0.0.1/revoke', 'https://as.example/#revoke'].map(
      (address): [string, Oddities] => [
        `the address for revoking is no good: ${address}`,
        { metadata: () => ({ revocation_endpoint: address }) },
      ],
    ),
    [
      'the address in the challenge answers 503',
      { challenge: 'Bearer resource_metadata="/gone"', statuses: { '/gone': 503 } },
    ],
    [
      'there are none of the resource, and those of the server are at its path',
      { statuses: { [atMcp]: 404 }, metadataPath: `${ofServer}/mcp` },
    ],
    [
      'those of the server at its path have its path as issuer',
      {
        statuses: { [atMcp]: 404 },
        metadataPath: `${ofServer}/mcp`,
        metadata: (origin) => ({ issuer: `${origin}/mcp` }),
      },
    ],
    [
      'OAuth metadata answer 502 and OpenID metadata are there',
      { statuses: { [ofServer]: 502 }, metadataPath: '/.well-known/openid-configuration' },
    ],
    ['the resource names no authorization server', { resource: (origin) => ({ resource: `${origin}/mcp` }) }],
    [
      'the resource names an empty list of them',
      { resource: (origin) => ({ resource: `${origin}/mcp`, authorization_servers: [] }) },
    ],
    [
      'the resource names it as a text',
      { resource: (origin) => ({ resource: `${origin}/mcp`, authorization_servers: origin }) },
    ],
    [
      'the issuer has a slash in one of them',
      { resource: (origin) => ({ resource: `${origin}/mcp`, authorization_servers: [`${origin}/`] }) },
    ],
    ['the issuer has a slash in the other', { metadata: (origin) => ({ issuer: `${origin}/` }) }],
    [
      'the first authorization server does not exist',
      { resource: (origin) => ({ resource: `${origin}/mcp`, authorization_servers: [`${origin}/none`, origin] }) },
    ],
  ])('goes on where %s', async (_, oddities) => {
    await signIn(oddities);
  });

  it('takes a path for its own issuer only, not for that of the host', async () => {
    const { server, provider } = await open({
      statuses: { [atMcp]: 404, [atRoot]: 404 },
      metadataPath: '/mcp/.well-known/openid-configuration',
    });
    await expect(server.start()).rejects.toThrow(/are not used \(RFC 8414/);
    expect(provider.visits).toEqual([]);
  });

  it('tells that an address did not answer only when nothing was found, so that it is tried again', async () => {
    const { server } = await open({ statuses: { [atMcp]: 500, [atRoot]: 404, [ofServer]: 404 } });
    await expect(server.start()).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('uses the address of the settings', async () => {
    const provider = closeLater(await startOddProvider({ metadataPath: '/elsewhere', statuses: { [atMcp]: 404 } }));
    const auth = { metadataUrl: `${provider.origin}/elsewhere` };
    const server = openHeadless({ server: provider } as never, { openAuthorizationUrl: browse }, auth);
    await server.start();
    expect(provider.visits).toHaveLength(1);
  });

  it.each<[string, string, AuthSettings, RegExp | undefined]>([
    ['another host, which only they name', 'https://accounts.example', {}, /another host.*set "issuer"/],
    ['hidden characters', 'me\u202e', {}, /names no authorization server/],
    ['another issuer than the settings', '', { issuer: 'https://as.example' }, /instead of “https:\/\/as\.example”/],
  ])('refuses metadata at the address of the settings with %s', async (_, issuer, settings, problem) => {
    const oddities: Oddities = { metadataPath: '/elsewhere', ...(issuer !== '' && { metadata: () => ({ issuer }) }) };
    const provider = closeLater(await startOddProvider(oddities));
    const auth = { metadataUrl: `${provider.origin}/elsewhere`, ...settings };
    const server = openHeadless({ server: provider } as never, { openAuthorizationUrl: browse }, auth);
    await expect(server.start()).rejects.toThrow(problem);
    expect(provider.visits).toEqual([]);
  });

  it('takes metadata of all tenants at the address of the settings for the issuer that these name', async () => {
    const provider = closeLater(
      await startOddProvider({
        metadataPath: '/common/config',
        metadata: (origin) => ({ issuer: `${origin}/{tenantid}` }),
      }),
    );
    const auth = { metadataUrl: `${provider.origin}/common/config`, issuer: `${provider.origin}/common` };
    const cautions: SignInCaution[] = [];
    const onUnusualSignIn = async (caution: SignInCaution): Promise<boolean> => cautions.push(caution) > 0;
    await openHeadless({ server: provider } as never, { openAuthorizationUrl: browse, onUnusualSignIn }, auth).start();
    expect(cautions).toEqual([expect.objectContaining({ issuer: auth.issuer })]);
  });
});

describe('a provider that leaves out what the specification requires', () => {
  it.each<[string, Oddities, object]>([
    ['PKCE', { metadata: () => ({ code_challenge_methods_supported: undefined }) }, { isPkceUnannounced: true }],
    [
      'its own tenant',
      {
        resource: (origin) => ({ resource: `${origin}/mcp`, authorization_servers: [`${origin}/common`] }),
        metadataPath: `${ofServer}/common`,
        metadata: (origin) => ({ issuer: `${origin}/{tenantid}` }),
      },
      { issuerTemplate: expect.stringContaining('{tenantid}') as string },
    ],
  ])('is used after a yes, and not before: %s', async (_, oddities, caution) => {
    const { cautions, provider } = await signIn(oddities);
    expect(cautions).toEqual([expect.objectContaining(caution)]);
    expect(provider.visits[0]?.get('code_challenge_method')).toBe('S256');
    const refused = await open(oddities, undefined, false);
    await expect(refused.server.start()).rejects.toMatchObject({ code: 'needsSignIn' });
    expect(refused.provider.visits).toEqual([]);
  });
});

describe('a provider that refuses what is usual', () => {
  const refusesResource: Oddities = {
    refuse: (asked) => (asked.has('resource') ? { error: 'invalid_target' } : undefined),
  };

  it('names the setting for "resource", and goes on with it', async () => {
    const { server } = await open(refusesResource);
    await expect(server.start()).rejects.toThrow(/set "resource" to false/);
    const { provider } = await signIn(refusesResource, { resource: false });
    expect(provider.tokenRequests.map((request) => request.has('resource'))).toEqual([false]);
  });

  it('gets the resource and the parameters of the settings', async () => {
    const { provider } = await signIn({}, { resource: 'api://x', parameters: { audience: 'a', prompt: 'login' } });
    expect(Object.fromEntries(provider.visits[0] ?? [])).toMatchObject({
      resource: 'api://x',
      audience: 'a',
      prompt: 'login',
    });
    expect(provider.tokenRequests[0]?.get('resource')).toBe('api://x');
  });

  it.each(['http://localhost:3118/back', 'http://localhost:3118', 'http://localhost:80/back'])(
    'gets the redirect URI of the settings, letter by letter: %s',
    async (redirectUri) => {
      const { provider, cautions } = await signIn({}, { clientId: 'by-hand', redirectUri });
      expect(provider.visits[0]?.get('redirect_uri')).toBe(redirectUri);
      expect(cautions).toEqual([expect.objectContaining({ isAnswerUnmarked: true })]);
    },
  );

  it('gets a path of its own, at the host and port of the settings, where the client is registered now', async () => {
    const { provider, cautions } = await signIn({}, { redirectUri: 'http://localhost:3118/back' });
    expect(provider.visits[0]?.get('redirect_uri')).toMatch(/^http:\/\/localhost:3118\/callback\/\S+$/);
    expect(cautions).toEqual([]);
  });

  const scoped = (more: Oddities): Oddities => ({
    ...more,
    resource: (origin) => ({
      resource: `${origin}/mcp`,
      authorization_servers: [origin],
      scopes_supported: ['read', 'admin'],
    }),
  });

  it('registers the scopes that are asked for, and none where those are refused', async () => {
    const registered: unknown[] = [];
    const register =
      (isStrict: boolean): NonNullable<Oddities['register']> =>
      ({ scope }) => {
        registered.push(scope);
        return isStrict && scope !== undefined
          ? { status: 400, value: { error: 'invalid_client_metadata' } }
          : { status: 201, value: {} };
      };
    await signIn(scoped({ register: register(false) }));
    await signIn(scoped({ register: register(true) }));
    expect(registered).toEqual(['read admin', 'read admin', undefined]);
  });

  it.each<[string, Oddities, string?]>([
    ['it lists the others', { metadata: () => ({ scopes_supported: ['read'] }) }],
    ['it names it', {}, 'Unknown scope: admin.'],
  ])('is asked for the scopes that are left when one is refused: %s', async (_, oddities, description) => {
    const isRefused = (asked: URLSearchParams): boolean => asked.get('scope')?.includes('admin') === true;
    const refusal = { error: 'invalid_scope', ...(description !== undefined && { error_description: description }) };
    const { provider } = await signIn(
      scoped({ ...oddities, refuse: (asked) => (isRefused(asked) ? refusal : undefined) }),
    );
    expect(provider.visits.map((visit) => visit.get('scope'))).toEqual(['read admin', 'read']);
  });

  it('is asked for fewer scopes once, however it refuses them', async () => {
    const { provider, server } = await open({
      resource: (origin) => ({
        resource: `${origin}/mcp`,
        authorization_servers: [origin],
        scopes_supported: ['a', 'b', 'c', 'd'],
      }),
      refuse: (asked) => ({
        error: 'invalid_scope',
        error_description: `Unknown scope: ${asked.get('scope')?.split(' ').at(-1)}`,
      }),
    });
    await expect(server.start()).rejects.toMatchObject({ code: 'needsSignIn' });
    expect(provider.visits.map((visit) => visit.get('scope'))).toEqual(['a b c d', 'a b c']);
  });

  it('names the setting for scopes when nothing is left to ask for', async () => {
    const { server } = await open(scoped({ refuse: () => ({ error: 'invalid_scope' }) }));
    await expect(server.start()).rejects.toThrow(/Set "scopes"/);
  });

  it('is not made to ask for consent', async () => {
    const { provider } = await signIn(scoped({ metadata: () => ({ scopes_supported: ['offline_access'] }) }));
    expect(provider.visits[0]?.get('scope')).toContain('offline_access');
    expect(provider.visits[0]?.has('prompt')).toBe(false);
  });
});

describe('a client with a secret', () => {
  const configured = (origin: string): AuthSettings => ({ clientId: 'app', clientSecret: 'a+b/c=%', issuer: origin });
  const sentSecret = (request: URLSearchParams): string | null => request.get('client_secret');

  it.each(['invalid_client', 'invalid_request'])(
    'sends it in the other way to a provider that misses it: %s',
    async (error) => {
      const token: Oddities['token'] = (request) =>
        sentSecret(request) === null ? { error, error_description: 'Missing client_id' } : { access_token: 'token' };
      const provider = closeLater(await startOddProvider({ token, tokenStatus: 200 }));
      const options = { openAuthorizationUrl: browse, onUnusualSignIn: () => Promise.resolve(true) };
      await openHeadless({ server: provider } as never, options, configured(provider.origin)).start();
      expect(provider.tokenRequests.map(sentSecret)).toEqual([null, 'a+b/c=%']);
    },
  );

  it('does not send it where only public clients are taken', async () => {
    const provider = closeLater(
      await startOddProvider({
        token: () => ({ error: 'invalid_client' }),
        metadata: () => ({ token_endpoint_auth_methods_supported: ['none'] }),
      }),
    );
    const options = { openAuthorizationUrl: browse, onUnusualSignIn: () => Promise.resolve(true) };
    const server = openHeadless({ server: provider } as never, options, configured(provider.origin));
    await expect(server.start()).rejects.toThrow(/invalid_client/);
    expect(provider.tokenRequests.map(sentSecret)).toEqual([null]);
  });

  it('is a public client where it has none, whatever is registered', async () => {
    const { provider } = await signIn({
      register: () => ({ status: 201, value: { client_id: 'c', token_endpoint_auth_method: 'client_secret_basic' } }),
    });
    expect(provider.tokenRequests.map((request) => request.get('client_id'))).toEqual(['c']);
  });
});

describe('a server that answers 403 where 401 is meant', () => {
  it.each(['Bearer resource_metadata="/.well-known/oauth-protected-resource/mcp"', 'Bearer error="invalid_token"'])(
    'is signed in to: %s',
    async (challenge) => {
      await signIn({ refusal: 403, challenge });
    },
  );
});

describe('an answer with a token', () => {
  it('is missed with the words that came in its place', async () => {
    const { server } = await open({ tokenStatus: 400, token: () => ({ message: 'Ask your admin' }) });
    await expect(server.start()).rejects.toThrow(/status 400.*Ask your admin/);
  });

  it.each<[string, ReturnType<NonNullable<Oddities['token']>>]>([
    ['another type', { access_token: 'token', token_type: 'user', scope: 'chat:write,search:read' }],
    ['scopes as a list', { access_token: 'token', scope: ['a', 'b'], refresh_token: '' }],
    ['a lifetime as a text', { access_token: 'token', token_type: 'bearer', expires_in: '3600' }],
    ['empty members', { access_token: 'token', token_type: '', scope: '', refresh_token: '', id_token: null }],
    ['the form of a form', 'access_token=token&scope=repo%2Cuser&token_type=bearer'],
  ])('is used with %s', async (_, token) => {
    await signIn({ token: () => token });
  });
});
