import type { AuthorizationServer, ClientAuth } from 'oauth4webapi';
import { PatchbayError } from '../base/errors.ts';
import type { RegistrationKind } from './ports.ts';
import { readSigningKey } from './signingKey.ts';

/** Who this client is to one authorization server. Holds secrets. */
export interface RegisteredClient {
  readonly kind: RegistrationKind;
  /** Empty for a workload that is no client (extension `auth/wif`). */
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly privateKey?: string;
  readonly signingAlgorithm?: string;
  /** `token_endpoint_auth_method`, where the authorization server has settled it. */
  readonly method?: string;
}

/**
 * How the client proves itself at the token endpoint: as it was registered, else the best of what the server offers
 * (RFC 6749, 2.3; RFC 7523).
 * @throws {PatchbayError} `configuration` for a key that cannot be used
 */
export async function clientAuthentication(client: RegisteredClient, server: AuthorizationServer): Promise<ClientAuth> {
  const { clientSecret, privateKey } = client;
  const offered = server.token_endpoint_auth_methods_supported;
  if (privateKey !== undefined) {
    const { PrivateKeyJwt } = await import('oauth4webapi');
    const { key, kid } = await readSigningKey(privateKey, client.signingAlgorithm);
    return PrivateKeyJwt(kid === undefined ? key : { key, kid });
  }
  if (client.clientId === '') return withoutClient;
  const method = client.method ?? (clientSecret === undefined ? 'none' : methodForSecret(offered));
  switch (method) {
    case 'none':
      return withoutSecret;
    case 'client_secret_basic':
      return basic(clientSecret ?? '');
    case 'client_secret_post':
      return (_server, { client_id: id }, body) => {
        body.set('client_id', id);
        body.set('client_secret', clientSecret ?? '');
      };
    default:
      throw new PatchbayError(
        'configuration',
        `The authorization server ${server.issuer} wants this client to authenticate by "${method}", which needs a client set up by hand: set "clientId" with "clientSecret" or "privateKey".`,
      );
  }
}

/** OAuth's default is Basic (RFC 7591, 2). A server that takes public clients only is not told a secret. */
function methodForSecret(offered: readonly string[] | undefined): string {
  if (offered === undefined || offered.includes('client_secret_basic')) return 'client_secret_basic';
  if (offered.includes('client_secret_post')) return 'client_secret_post';
  return offered.includes('none') ? 'none' : 'client_secret_basic';
}

const withoutSecret: ClientAuth = (_server, { client_id: id }, body) => {
  body.set('client_id', id);
};

const withoutClient: ClientAuth = () => {};

/**
 * RFC 6749, 2.3.1. Form encoding leaves letters, digits and `*-._` as they are: servers that forget to decode then
 * understand nearly every client id, which they do not with a stricter encoding.
 */
function basic(secret: string): ClientAuth {
  return (_server, { client_id: id }, _body, headers) => {
    headers.set('authorization', `Basic ${btoa(`${formEncoded(id)}:${formEncoded(secret)}`)}`);
  };
}

function formEncoded(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}
