import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AuthSettings } from '../../../src/base/authSettings.ts';
import { closeLater } from '../../fixtures/closeLater.ts';
import { problem } from '../../fixtures/problem.ts';
import { type HostileServer, startHostileServer } from './hostileServer.ts';
import { openHeadless, type SignInScene, startScene } from './signInHarness.ts';

/** An MCP server that names an authorization server of its choice. */
async function startHostileScene(): Promise<{ readonly scene: SignInScene; readonly hostile: HostileServer }> {
  const scene = await startScene();
  const hostile = closeLater(await startHostileServer({ authorization_response_iss_parameter_supported: true }));
  scene.server.behaviour.issuer = hostile.issuer;
  return { scene, hostile };
}

/** A browser that returns with parameters chosen by the hostile server. */
function browseTo(hostile: HostileServer): (url: URL) => Promise<URL> {
  return async ({ searchParams }) => {
    const callback = new URL(searchParams.get('redirect_uri') ?? '');
    const answer = { code: 'made-up', state: searchParams.get('state') ?? '', iss: hostile.issuer };
    for (const [name, value] of Object.entries(answer)) callback.searchParams.set(name, value);
    return callback;
  };
}

/** @returns why the server did not start */
function start(scene: SignInScene, hostile: HostileServer, auth: AuthSettings): Promise<unknown> {
  return openHeadless(scene, { openAuthorizationUrl: browseTo(hostile) }, auth)
    .start()
    .catch((error: unknown) => error);
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const secret = 'the-secret-of-the-person';

const cases: readonly (readonly [string, AuthSettings, string])[] = [
  ['a client secret', { flow: 'clientCredentials', clientId: 'ci', clientSecret: secret }, 'clientSecret'],
  ['a private key', { flow: 'clientCredentials', clientId: 'ci', privateKey: key }, 'privateKey'],
  ['the JWT of a workload', { flow: 'workloadIdentity', assertion: secret }, 'assertion'],
  ['the secret of a client with a person', { clientId: 'ci', clientSecret: secret }, 'clientSecret'],
];

describe('secrets whose authorization server the settings do not name', () => {
  it.each(cases)('are not sent: %s [secrets-issuer]', async (_what, auth, member) => {
    const { scene, hostile } = await startHostileScene();
    expect(await start(scene, hostile, auth)).toMatchObject({
      code: 'needsIssuer',
      message: expect.stringContaining(`"auth" holds "${member}", and no "issuer"`) as string,
      issuer: hostile.issuer,
    });
    expect(hostile.tokenRequests).toEqual([]);
    expect(hostile.received()).not.toContain(secret);
    expect(hostile.received()).not.toContain('client_assertion');
  });

  it('are not asked for at the identity provider, whose word would go to a stranger', async () => {
    const { scene, hostile } = await startHostileScene();
    const provider = closeLater(await startHostileServer());
    const idp = { tokenEndpoint: `${provider.issuer}/token`, clientId: 'ci', idToken: secret };
    expect(await start(scene, hostile, { flow: 'enterprise', clientId: 'ci', idp })).toEqual(
      problem('needsIssuer', '"idp.idToken"'),
    );
    expect(hostile.tokenRequests).toEqual([]);
    expect(provider.tokenRequests).toEqual([]);
  });

  it.each(cases)('are not sent to another one than the settings name: %s', async (_what, auth) => {
    const { scene, hostile } = await startHostileScene();
    const error = await start(scene, hostile, { ...auth, issuer: scene.as.issuer });
    expect(String(error)).toContain(hostile.issuer);
    expect(String(error)).toContain(scene.as.issuer);
    expect(hostile.tokenRequests).toEqual([]);
    expect(hostile.received()).not.toContain(secret);
  });
});

describe('a sign-in from before the settings held a secret', () => {
  it('is not renewed, and not revoked, with that secret', async () => {
    const { scene, hostile } = await startHostileScene();
    const grant = {
      issuer: hostile.issuer,
      resource: scene.server.url.href,
      client: { kind: 'configured', clientId: 'ci' },
      accessToken: 'old',
      isDpop: false,
      refreshToken: 'old-refresh',
      issuedAt: scene.clock.now(),
      expiresAt: scene.clock.now(),
      requestedScopes: [],
    };
    await scene.store.set(
      `grant:${JSON.stringify([scene.server.url.href, 'authorizationCode', 'ci'])}`,
      JSON.stringify(grant),
    );
    hostile.metadata = { revocation_endpoint: `${hostile.issuer}/token` };
    const { authorizer, call } = scene.openWindow({ clientId: 'ci', clientSecret: secret });
    await expect(call()).rejects.toMatchObject({ code: 'needsIssuer' });
    await authorizer.signOut(AbortSignal.timeout(30_000));
    expect(hostile.tokenRequests).toEqual([]);
    expect(hostile.received()).not.toContain(secret);
  });
});
