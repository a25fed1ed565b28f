import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { problem } from '../../fixtures/problem.ts';
import { claimsOf } from './protectedServer.ts';
import { expectNoSecrets, startScene, tokenRequests } from './signInHarness.ts';

describe('DPoP', () => {
  it('is used where the server asks for it, with a fresh proof for each request', async () => {
    const scene = await startScene();
    const { server } = scene;
    server.behaviour.wantsDpop = true;
    const { authorizer, call } = scene.openWindow();
    expect([await call(), await call(), await call('?q=1#f')]).toEqual([200, 200, 200]);
    expect((await authorizer.describe())?.isDpop).toBe(true);
    const claims = server.behaviour.proofs.map(claimsOf);
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(3);
    const [token = ''] = [...scene.as.secrets].filter((secret) =>
      claims.every(({ ath }) => ath === createHash('sha256').update(secret).digest('base64url')),
    );
    expect(token).not.toBe('');
    expect(claims).toMatchObject(claims.map(() => ({ htm: 'POST', htu: server.url.href })));
    expect(claims).toHaveLength(3);
    expectNoSecrets(scene);
  });

  it('follows the nonces of both servers, and keeps its key over windows and refreshes', async () => {
    const scene = await startScene({ requiresDpopNonce: true });
    const { as, server, openWindow } = scene;
    server.behaviour.wantsDpop = true;
    server.behaviour.nonce = 'first';
    expect(await openWindow().call()).toBe(200);
    expect(tokenRequests(as.requests)).toEqual(['authorization_code', 'authorization_code']);
    const { call } = openWindow();
    expect(await call()).toBe(200);
    server.behaviour.nonce = 'second';
    expect(await call()).toBe(200);
    as.forget((model) => model === 'AccessToken');
    expect(await call()).toBe(200);
    expect(tokenRequests(as.requests)).toContain('refresh_token');
    const keys = server.behaviour.proofs.map((proof) => Buffer.from(proof.split('.')[0] ?? '', 'base64url').toString());
    expect(new Set(keys).size).toBe(1);
    expectNoSecrets(scene);
  });

  it('is used from the start when the settings say so, and never when they say no', async () => {
    const scene = await startScene();
    expect(await scene.openWindow({ dpop: true }).call()).toBe(200);
    expect(scene.server.behaviour.proofs).toHaveLength(1);
    const other = await startScene();
    other.server.behaviour.wantsDpop = true;
    await expect(other.openWindow({ dpop: false }).call()).rejects.toMatchObject({ code: 'needsSignIn' });
    expect(other.server.behaviour.proofs).toEqual([]);
  });

  it('is not used only because the authorization server could', async () => {
    const { server, openWindow } = await startScene();
    expect(await openWindow().call()).toBe(200);
    expect(server.behaviour.proofs).toEqual([]);
  });
});

describe('client credentials', () => {
  const grants = {
    redirect_uris: [],
    response_types: [],
    grant_types: ['client_credentials'],
    scope: 'mcp:read mcp:write',
  };

  it.each(['client_secret_basic', 'client_secret_post'])(
    'signs in with a secret by %s, and renews by itself',
    async (method) => {
      const [client_id, client_secret] = ['machine', 'its~secret+%/'];
      const scene = await startScene({
        clients: [{ client_id, client_secret, token_endpoint_auth_method: method, ...grants }],
        accessTokenSeconds: 600,
        configuration: { clientAuthMethods: [method, 'none'] },
      });
      const { secrets, issuer } = scene.as;
      secrets.add(client_secret);
      const settings = { flow: 'clientCredentials', issuer, clientId: client_id, clientSecret: client_secret } as const;
      const { call } = scene.openWindow(settings);
      expect(await call()).toBe(200);
      await scene.clock.advance(580_000);
      expect(await call()).toBe(200);
      scene.as.forget((model) => model === 'ClientCredentials');
      expect(await call()).toBe(200);
      expect(tokenRequests(scene.as.requests)).toEqual(Array(3).fill('client_credentials'));
      expect(scene.person.asked).toEqual([]);
      expectNoSecrets(scene);
    },
  );

  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const rsaJwk = rsa.privateKey.export({ format: 'jwk' });
  const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

  it.each([
    ['ES256 from PEM', ec, pem(ec.privateKey), undefined, 'ES256'],
    ['ES256 from PEM in one line', ec, pem(ec.privateKey).replaceAll('\n', '\\n'), 'ES256', 'ES256'],
    ['RS256 from a JWK', rsa, JSON.stringify({ ...rsaJwk, alg: 'RS256' }), undefined, 'RS256'],
    ['PS256 from PEM', rsa, pem(rsa.privateKey), 'PS256', 'PS256'],
  ])('signs in with %s', async (_what, { publicKey }, privateKey, signingAlgorithm, alg) => {
    const client = {
      client_id: 'machine',
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: alg,
      jwks: { keys: [publicKey.export({ format: 'jwk' })] },
      ...grants,
    };
    const scene = await startScene({ clients: [client] });
    const key = { issuer: scene.as.issuer, privateKey, ...(signingAlgorithm !== undefined && { signingAlgorithm }) };
    expect(await scene.openWindow({ flow: 'clientCredentials', clientId: 'machine', ...key }).call()).toBe(200);
    scene.as.secrets.add(privateKey);
    expectNoSecrets(scene);
  });

  it.each([
    [{}, /needs "clientId"/],
    [{ clientId: 'machine' }, /needs "clientSecret" or "privateKey"/],
    [{ clientId: 'machine', privateKey: 'not a key' }, /must be PKCS #8 in PEM/],
    [{ clientId: 'machine', privateKey: '{"kty": "EC"}' }, /is not a private key for ES256/],
    [{ clientId: 'machine', privateKey: pem(ec.privateKey), signingAlgorithm: 'HS256' }, /HS256 is not supported/],
  ])('says what is wrong with the settings %j', async (settings, message) => {
    const scene = await startScene();
    const auth = { flow: 'clientCredentials', issuer: scene.as.issuer, ...settings } as const;
    await expect(scene.openWindow(auth).call()).rejects.toEqual(problem('configuration', message));
    expect(tokenRequests(scene.as.requests)).toEqual([]);
  });

  it('asks once when it is refused, and does not try another way', async () => {
    const { as, person, openWindow } = await startScene();
    const client = { clientId: 'nobody', clientSecret: 'nothing at all' };
    const { call } = openWindow({ flow: 'clientCredentials', issuer: as.issuer, ...client });
    for (let round = 0; round < 2; round += 1) await expect(call()).rejects.toThrow(/“invalid_client”/);
    expect(tokenRequests(as.requests)).toEqual(['client_credentials']);
    expect(person.asked).toEqual([]);
  });
});

describe('workload identity and identity providers', () => {
  const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

  it('hands the JWT of the workload in, without a client id', async () => {
    const scene = await startScene();
    const bodies: URLSearchParams[] = [];
    scene.as.intercept = (_method, path, body) => {
      if (path !== '/token') return undefined;
      bodies.push(body);
      const error_description = `bad ${body.get('assertion')}`;
      return { status: 400, body: JSON.stringify({ error: 'invalid_grant', error_description }) };
    };
    const { call } = scene.openWindow({
      flow: 'workloadIdentity',
      issuer: scene.as.issuer,
      assertion: 'the.workload.jwt',
      scopes: ['mcp:write'],
    });
    for (let round = 0; round < 2; round += 1) await expect(call()).rejects.toThrow(/“invalid_grant”: “bad …”/);
    const parameters = { assertion: 'the.workload.jwt', scope: 'mcp:read mcp:write', resource: scene.server.url.href };
    expect(bodies.map((body) => Object.fromEntries(body))).toEqual([{ grant_type: jwtBearer, ...parameters }]);
    expectNoSecrets(scene);
  });

  it('lets the identity provider vouch for the person', async () => {
    const scene = await startScene();
    const bodies: Record<string, string>[] = [];
    scene.as.intercept = (_method, path, body) => {
      if (path !== '/token' && path !== '/idp/token') return undefined;
      bodies.push(Object.fromEntries(body));
      const isExchange = path === '/idp/token';
      return {
        status: 200,
        body: JSON.stringify({
          access_token: isExchange ? 'the.id.jag' : 'the-access-token',
          token_type: isExchange ? 'N_A' : 'Bearer',
          issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
          refresh_token: null,
          expires_in: 0,
        }),
      };
    };
    const { authorizer, call } = scene.openWindow({
      flow: 'enterprise',
      issuer: scene.as.issuer,
      clientId: 'at-the-server',
      idp: {
        tokenEndpoint: `${scene.as.issuer}/idp/token`,
        clientId: 'at-the-idp',
        clientSecret: 'idp-secret',
        idToken: 'the.id.token',
      },
    });
    // The token is invented: no real server knows it.
    await expect(call()).rejects.toThrow(/refuses the token/);
    expect(bodies).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
        audience: scene.as.issuer,
        resource: scene.server.url.href,
        subject_token: 'the.id.token',
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        scope: 'mcp:read',
      },
      {
        grant_type: jwtBearer,
        assertion: 'the.id.jag',
        client_id: 'at-the-server',
        resource: scene.server.url.href,
        scope: 'mcp:read',
      },
    ]);
    expect(await authorizer.describe()).toMatchObject({
      clientId: 'at-the-server',
      expiresAt: undefined,
      canRefresh: false,
    });
    for (const secret of ['the.id.jag', 'the.id.token', 'idp-secret', 'the-access-token']) scene.as.secrets.add(secret);
    expectNoSecrets(scene);
  });
});
