import { describe, expect, it } from 'vitest';
import { AddressPolicy } from '../../../src/auth/addressPolicy.ts';
import type { AuthFetch } from '../../../src/auth/authFetch.ts';
import { Discovery } from '../../../src/auth/discovery.ts';
import type { AuthSettings } from '../../../src/base/authSettings.ts';

const server = new URL('https://host.example/tenant/mcp');
const atPath = 'https://host.example/tenant/mcp/.well-known/openid-configuration';

function metadataOf(issuer: string) {
  return { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
}

/** @param documents by their addresses; there is nothing elsewhere */
function discover(documents: Readonly<Record<string, object>>, settings: AuthSettings = {}): Discovery {
  const authFetch = {
    policy: new AddressPolicy(server, false),
    getMetadata: (address: URL) => Promise.resolve(documents[address.href]),
  };
  return new Discovery(server, settings, authFetch as unknown as AuthFetch);
}

/** Where a refresh token of an issuer would go. */
async function tokenEndpoint(discovery: Discovery, issuer: string): Promise<string | undefined> {
  return (await discovery.serverOf(issuer, new AbortController().signal)).token_endpoint;
}

describe('the authorization server of an earlier sign-in', () => {
  const own = `${server.origin}/tenant/mcp`;
  const other = 'https://other.example';

  it.each<[string, string, Readonly<Record<string, object>>, AuthSettings, string | undefined]>([
    ['by its own metadata', own, { [atPath]: metadataOf(own) }, {}, `${own}/token`],
    ['not by metadata of a path', server.origin, { [atPath]: metadataOf(own) }, {}, undefined],
    ['not by a path that takes its name', server.origin, { [atPath]: metadataOf(server.origin) }, {}, undefined],
    ['without metadata, at the root only', server.origin, {}, {}, `${server.origin}/token`],
    ['not at the root, when it was at a path', own, {}, {}, undefined],
    [
      'not at the host after two slashes',
      'https://one.example//two.example',
      { 'https://two.example/.well-known/openid-configuration': metadataOf('https://one.example//two.example') },
      {},
      undefined,
    ],
    [
      'not at the address of later settings',
      'https://one.example',
      { [`${other}/m`]: metadataOf(other) },
      { metadataUrl: `${other}/m` },
      undefined,
    ],
    [
      'at its usual address in spite of later settings',
      'https://one.example',
      {
        [`${other}/m`]: metadataOf(other),
        'https://one.example/.well-known/oauth-authorization-server': metadataOf('https://one.example'),
      },
      { metadataUrl: `${other}/m` },
      'https://one.example/token',
    ],
    [
      'where OpenID metadata are whole and those of OAuth are not',
      'https://one.example',
      {
        'https://one.example/.well-known/oauth-authorization-server': { issuer: 'https://one.example' },
        'https://one.example/.well-known/openid-configuration': metadataOf('https://one.example'),
      },
      {},
      'https://one.example/token',
    ],
    [
      'by OAuth metadata below its path',
      'https://one.example/t',
      { 'https://one.example/t/.well-known/oauth-authorization-server': metadataOf('https://one.example/t') },
      {},
      'https://one.example/t/token',
    ],
    [
      'with an address for registering that is no good',
      'https://one.example',
      {
        'https://one.example/.well-known/oauth-authorization-server': {
          ...metadataOf('https://one.example'),
          registration_endpoint: 'http://elsewhere.example/register',
        },
      },
      {},
      'https://one.example/token',
    ],
  ])('is found %s', async (_, issuer, documents, settings, expected) => {
    const found = tokenEndpoint(discover(documents, settings), issuer);
    if (expected === undefined) await expect(found).rejects.toMatchObject({ code: 'needsSignIn' });
    else await expect(found).resolves.toBe(expected);
  });
});
