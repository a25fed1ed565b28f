import type { AuthorizationServer, ClientAuth, PrivateKey } from 'oauth4webapi';
import { PatchbayError } from '../base/errors.ts';
import { isOptional, isRecord, isString, parseJson } from '../base/json.ts';
import { bytesOfBase64 } from '../base/truncate.ts';
import type { RegisteredClient } from './clients.ts';

/**
 * Chooses how the client authenticates at the token endpoint: as registered, otherwise the best method that the server
 * supports (RFC 6749, section 2.3; RFC 7523).
 * @throws {PatchbayError} `configuration` for a key that cannot be used
 */
export async function clientAuthentication(client: RegisteredClient, server: AuthorizationServer): Promise<ClientAuth> {
  const { clientSecret, privateKey } = client;
  const offered = server.token_endpoint_auth_methods_supported;
  if (privateKey !== undefined) {
    const { PrivateKeyJwt } = await import('oauth4webapi');
    return PrivateKeyJwt(await readSigningKey(privateKey, client.signingAlgorithm));
  }
  if (client.clientId === '') return () => {};
  const method = methodOf(client, offered);
  switch (method) {
    case 'none':
      return (_server, { client_id: id }, body) => body.set('client_id', id);
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
        `The authorization server ${server.issuer} requires the client authentication "${method}", which needs a client that you register yourself: set "clientId" with "clientSecret" or "privateKey".`,
      );
  }
}

function methodOf({ method, clientSecret }: RegisteredClient, offered: readonly string[] | undefined): string {
  // Some servers register the default method for a public client too, and give it no secret.
  if (clientSecret === undefined) return method === undefined || secretMethods.includes(method) ? 'none' : method;
  return method ?? methodForSecret(offered);
}

const secretMethods = ['client_secret_basic', 'client_secret_post'];

/** @returns another way to send the secret of a client, for a server that refuses it in the first; nothing where there is none */
export function otherSecretMethod(
  client: RegisteredClient,
  { token_endpoint_auth_methods_supported: offered = secretMethods }: AuthorizationServer,
): string | undefined {
  if (client.clientSecret === undefined || client.privateKey !== undefined) return undefined;
  const used = methodOf(client, offered);
  return secretMethods.toReversed().find((method) => method !== used && offered.includes(method));
}

/** The default is Basic (RFC 7591, section 2). A server that supports only public clients gets no secret. */
function methodForSecret(offered: readonly string[] | undefined): string {
  if (offered === undefined || offered.includes('client_secret_basic')) return 'client_secret_basic';
  if (offered.includes('client_secret_post')) return 'client_secret_post';
  return offered.includes('none') ? 'none' : 'client_secret_basic';
}

/** RFC 6749, section 2.3.1. Most client ids are the same when form encoded, for servers that do not decode them. */
function basic(secret: string): ClientAuth {
  return (_server, { client_id: id }, _body, headers) => {
    headers.set('authorization', `Basic ${btoa(`${formEncoded(id)}:${formEncoded(secret)}`)}`);
  };
}

function formEncoded(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}

const curves: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

/**
 * Imports the private key of a client, PKCS #8 in PEM or a JWK as JSON.
 * @param algorithm JWS name; by default that of the JWK, otherwise ES256
 * @throws {PatchbayError} `configuration`, without the key in its message
 */
async function readSigningKey(text: string, algorithm: string | undefined): Promise<PrivateKey> {
  const jwk = text.trimStart().startsWith('{') ? parseJwk(text) : undefined;
  const name = algorithm ?? (isString(jwk?.alg) ? jwk.alg : 'ES256');
  const parameters = keyParameters(name);
  if (parameters === undefined) {
    throw invalid(
      `"signingAlgorithm" ${name} is not supported. Use ES256, ES384, ES512, RS256, RS384, RS512, PS256, PS384, PS512 or EdDSA`,
    );
  }
  try {
    const key =
      jwk === undefined
        ? await crypto.subtle.importKey('pkcs8', decodePem(text), parameters, false, ['sign'])
        : await crypto.subtle.importKey('jwk', { ...jwk, key_ops: ['sign'] }, parameters, false, ['sign']);
    return jwk?.kid === undefined ? { key } : { key, kid: jwk.kid };
  } catch (error) {
    if (error instanceof PatchbayError) throw error;
    // The message of the platform may quote the key.
    throw invalid(
      `"privateKey" is not a private key for ${name}. It must be PKCS #8 in PEM ("BEGIN PRIVATE KEY") or a JWK`,
    );
  }
}

function keyParameters(algorithm: string): EcKeyImportParams | RsaHashedImportParams | { name: string } | undefined {
  const namedCurve = curves[algorithm];
  if (namedCurve !== undefined) return { name: 'ECDSA', namedCurve };
  const rsa = /^([RP])S(256|384|512)$/.exec(algorithm);
  if (rsa !== null) return { name: rsa[1] === 'R' ? 'RSASSA-PKCS1-v1_5' : 'RSA-PSS', hash: `SHA-${rsa[2]}` };
  return algorithm === 'EdDSA' || algorithm === 'Ed25519' ? { name: 'Ed25519' } : undefined;
}

function parseJwk(text: string): JsonWebKey & { readonly kid?: string } {
  const value = parseJson(text);
  if (isRecord(value) && isString(value['kty']) && isOptional(value['kid'], isString)) return value;
  throw invalid('"privateKey" looks like JSON but is not a JWK');
}

function decodePem(text: string): Uint8Array<ArrayBuffer> {
  const body = /-----BEGIN PRIVATE KEY-----([\s\S]*?)-----END PRIVATE KEY-----/.exec(text)?.[1];
  if (body === undefined) throw invalid('"privateKey" must be PKCS #8 in PEM ("BEGIN PRIVATE KEY") or a JWK');
  // In settings and environment variables, line breaks are often written as \n.
  const bytes = bytesOfBase64(body.replaceAll(/\\n|\s/g, ''));
  if (bytes === undefined) throw invalid('"privateKey" is not PEM: its content is not Base64');
  return bytes;
}

function invalid(what: string): PatchbayError {
  return new PatchbayError('configuration', `The settings for signing in cannot be used: ${what}.`);
}
