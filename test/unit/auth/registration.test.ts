import { describe, expect, it } from 'vitest';
import type { AuthFetch, PostAnswer } from '../../../src/auth/authFetch.ts';
import { registerClient } from '../../../src/auth/registration.ts';
import type { UnknownRecord } from '../../../src/base/json.ts';

const server = { issuer: 'https://as.example', registration_endpoint: 'https://as.example/register' };
const redirectUri = 'http://127.0.0.1:1/callback';

function register(status: number, body: UnknownRecord | undefined) {
  const authFetch: Pick<AuthFetch, 'post'> = {
    post: () => Promise.resolve({ status, headers: { get: () => undefined }, body }),
  };
  return registerClient(server, 'Patchbay', redirectUri, [], authFetch, new AbortController().signal);
}

describe('dynamic registration', () => {
  it.each<[string, UnknownRecord, UnknownRecord]>([
    ['no secret', {}, {}],
    ['an empty secret', { client_secret: '' }, {}],
    ['a secret that is null', { client_secret: null, client_secret_expires_at: null }, {}],
    ['a secret without expiry', { client_secret: 's' }, { clientSecret: 's' }],
    ['a secret that never expires', { client_secret: 's', client_secret_expires_at: 0 }, { clientSecret: 's' }],
    ['an expiry', { client_secret: 's', client_secret_expires_at: 2 }, { clientSecret: 's', secretExpiresAt: 2_000 }],
    ['a negative expiry', { client_secret: 's', client_secret_expires_at: -1 }, { clientSecret: 's' }],
    ['an expiry as text', { client_secret: 's', client_secret_expires_at: '2' }, { clientSecret: 's' }],
    ['an expiry beyond all numbers', { client_secret: 's', client_secret_expires_at: Infinity }, { clientSecret: 's' }],
    ['an expiry that no clock reaches', { client_secret: 's', client_secret_expires_at: 1e306 }, { clientSecret: 's' }],
  ])('accepts an answer with %s, with status 200 too', async (_, answer, stored) => {
    const expected = { kind: 'dynamic', clientId: 'c', redirectUris: [redirectUri], scopes: [], ...stored };
    await expect(register(201, { client_id: 'c', ...answer })).resolves.toEqual(expected);
    await expect(register(200, { client_id: 'c', ...answer })).resolves.toEqual(expected);
  });

  it.each([
    [201, {}],
    [201, undefined],
    [202, { client_id: 'c' }],
    [204, undefined],
    [400, { error: 'invalid_client_metadata' }],
  ])('is refused by status %d with %j', async (status, body) => {
    await expect(register(status, body)).rejects.toMatchObject({ code: 'needsSignIn' });
  });

  it.each<[string, number, UnknownRecord, UnknownRecord]>([
    [
      'the grant',
      400,
      { error: 'invalid_client_metadata', error_description: 'unsupported grant_type refresh_token' },
      { scope: 'a', grant_types: ['authorization_code'] },
    ],
    [
      'the scopes, as Keycloak does',
      403,
      { error: 'insufficient_scope', error_description: 'Not permitted to use specified clientScope' },
      { grant_types: ['authorization_code', 'refresh_token'] },
    ],
    [
      'a member that it does not know',
      422,
      { error: 'invalid_request', error_description: 'application_type: unknown' },
      { scope: 'a' },
    ],
  ])('leaves out what is refused: %s', async (_, status, body, second) => {
    const sent: UnknownRecord[] = [];
    const post = (_url: URL, text: string) => {
      sent.push(JSON.parse(text) as UnknownRecord);
      const isFirst = sent.length === 1;
      return Promise.resolve({
        status: isFirst ? status : 201,
        headers: { get: () => undefined },
        body: isFirst ? body : { client_id: 7, scope: 'b' },
      });
    };
    const signal = new AbortController().signal;
    const client = await registerClient(server, 'Patchbay', redirectUri, ['a'], { post }, signal);
    expect(client).toMatchObject({ clientId: '7', scopes: ['a'], registeredScopes: ['b'] });
    expect(sent).toEqual([expect.objectContaining({ scope: 'a' }), expect.objectContaining(second)]);
    expect('scope' in (sent[1] ?? {})).toBe('scope' in second);
  });

  it.each<[string, Partial<PostAnswer>]>([
    ['a text', { body: undefined, text: 'The host is not on the list' }],
    ['JSON of its own', { body: { message: 'The host is not on the list' } }],
  ])('tells what it is refused with: %s', async (_, answer) => {
    const post = () => Promise.resolve({ status: 400, headers: { get: () => undefined }, body: undefined, ...answer });
    const signal = new AbortController().signal;
    await expect(registerClient(server, 'Patchbay', redirectUri, [], { post }, signal)).rejects.toThrow(/on the list/);
  });
});
