import { describe, expect, it } from 'vitest';
import { problem } from '../../fixtures/problem.ts';
import { expectNoSecrets, startScene } from './signInHarness.ts';

const never = new AbortController().signal;

describe('an authorization server that is out of order for a while', () => {
  it.each([
    ['the token endpoint', '/token', { status: 502, body: '<html>Bad Gateway</html>' }],
    ['the token endpoint', '/token', { status: 500, body: '{"error":"Internal Server Error"}' }],
    ['the token endpoint', '/token', { status: 429, body: 'slow down' }],
    ['the registration', '/reg', { status: 503, body: 'busy' }],
  ])('is asked again after a failure of %s (%s, %j)', async (_what, place, answer) => {
    const { as, openWindow } = await startScene();
    const { call } = openWindow();
    as.intercept = (_method, path) => (path === place ? answer : undefined);
    await expect(call()).rejects.toEqual(problem('unreachable', / again|later/));
    as.intercept = undefined;
    expect(await call()).toBe(200);
  });

  it('keeps its word where it says no with a status of its own', async () => {
    const { as, person, openWindow } = await startScene();
    const { call } = openWindow();
    await call();
    as.forget((model) => model === 'AccessToken');
    as.intercept = (_method, path, body) =>
      path === '/token' && body.get('grant_type') === 'refresh_token'
        ? { status: 500, body: '{"error":"invalid_grant"}' }
        : undefined;
    expect(await call()).toBe(200);
    expect(person.asked).toHaveLength(2);
  });

  it('is asked again however often it failed', async () => {
    const { as, openWindow } = await startScene();
    const { call } = openWindow();
    as.intercept = () => ({ status: 503, body: 'busy' });
    for (let round = 0; round < 4; round += 1) await expect(call()).rejects.toMatchObject({ code: 'unreachable' });
    as.intercept = undefined;
    expect(await call()).toBe(200);
  });
});

describe('requests at once', () => {
  it('leads to a sign-in where another request fails to renew the same token ahead of its end', async () => {
    const { as, server, clock, person, openWindow } = await startScene({ accessTokenSeconds: 600 });
    const { authorizer, call } = openWindow();
    await call();
    const refused = { method: 'POST', url: server.url } as const;
    await authorizer.headers(refused, never);
    await clock.advance(550_000);
    as.forget((model) => model === 'AccessToken' || model === 'RefreshToken');
    const ahead = authorizer.headers({ method: 'POST', url: server.url }, never);
    const challenge = {
      request: refused,
      status: 401,
      wwwAuthenticate: undefined,
      dpopNonce: undefined,
      attempt: 0,
    } as const;
    expect(await authorizer.handleChallenge(challenge, never)).toBe(true);
    await ahead;
    expect(person.asked).toHaveLength(2);
  });
});

describe('a no', () => {
  it('does not outlive a sign-in in another window', async () => {
    const scene = await startScene();
    const { as, person } = scene;
    const [here, elsewhere] = [scene.openWindow(), scene.openWindow()];
    person.answer = 'no';
    await expect(here.call()).rejects.toMatchObject({ code: 'needsSignIn' });
    person.answer = 'yes';
    expect(await elsewhere.call()).toBe(200);
    expect(await here.call()).toBe(200);
    as.forget((model) => model === 'AccessToken' || model === 'RefreshToken');
    expect(await here.call()).toBe(200);
    expect(person.asked).toHaveLength(3);
  });
});

describe('a token for ever', () => {
  it('has no end that could be shown', async () => {
    const { as, openWindow } = await startScene();
    const { authorizer } = openWindow();
    const issued = '{"access_token":"t","token_type":"Bearer","expires_in":9223372036854775807}';
    as.intercept = (_method, path) => (path === '/token' ? { status: 200, body: issued } : undefined);
    await authorizer.signIn(never);
    expect(await authorizer.describe()).toMatchObject({ issuer: as.issuer, expiresAt: undefined });
  });
});

describe('a token that no header can hold', () => {
  it('is not sent, and not shown', async () => {
    const scene = await startScene();
    const token = 'a-token-of-two\nlines';
    scene.as.secrets.add(token).add('a-token-of-two');
    scene.as.intercept = (_method, path) =>
      path === '/token'
        ? { status: 200, body: JSON.stringify({ access_token: token, token_type: 'Bearer' }) }
        : undefined;
    const error: unknown = await scene
      .openWindow()
      .call()
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'needsSignIn', message: expect.stringContaining(scene.as.issuer) as string });
    expectNoSecrets(scene);
  });
});
