import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';
import { listen } from '../../fixtures/listen.ts';

/** A real authorization server on loopback: `oidc-provider`, configured as MCP requires. */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly provider: Provider;
  /** Every request so far, as "POST /token refresh_token". */
  readonly requests: readonly string[];
  /** Every secret received or sent: tokens, codes, client secrets, verifiers. */
  readonly secrets: Set<string>;
  /** Deletes the stored entries for which the predicate is true. @returns how many */
  forget(predicate: (model: string, id: string, payload: Readonly<Record<string, unknown>>) => boolean): number;
  /** Its answer, if any, is sent instead of the server's. */
  intercept: ((method: string, path: string, body: URLSearchParams) => Interception | undefined) | undefined;
  close(): Promise<void>;
}

export interface Interception {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface AuthorizationServerOptions {
  readonly clients?: readonly object[];
  readonly accessTokenSeconds?: number;
  readonly requiresDpopNonce?: boolean;
  readonly hasRegistration?: boolean;
  readonly hasRevocation?: boolean;
  readonly configuration?: object;
  /** A loopback address; 127.0.0.1 unless given. */
  readonly host?: string;
}

const scopes = ['mcp:read', 'mcp:write'];

export async function startAuthorizationServer(options: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  const storage = new Map<string, Readonly<Record<string, unknown>>>();
  const requests: string[] = [];
  const secrets = new Set<string>();
  const server = createServer();
  const { origin: issuer, close } = await listen(server, options.host);
  const provider = new Provider(issuer, configurationOf(options, storage));
  const serve = provider.callback();
  const result: AuthorizationServer = {
    issuer,
    provider,
    requests,
    secrets,
    intercept: undefined,
    forget(predicate) {
      const picked = [...storage].filter(([key, payload]) => {
        const [model = '', id = ''] = key.split(/:(.*)/s);
        return predicate(model, id, payload);
      });
      for (const [key] of picked) storage.delete(key);
      return picked.length;
    },
    close,
  };
  server.on('request', (request: IncomingMessage & { body?: unknown }, response) => {
    void text(request).then((sent) => {
      const path = new URL(request.url ?? '/', issuer).pathname;
      const form = new URLSearchParams(request.headers['content-type']?.includes('form') === true ? sent : '');
      const method = request.method ?? 'GET';
      requests.push([method, path, form.get('grant_type')].filter((part) => part !== null).join(' '));
      for (const [name, value] of form) if (secretParameters.includes(name)) secrets.add(value);
      const interception = result.intercept?.(method, path, form);
      if (interception !== undefined) {
        response.writeHead(interception.status, { 'Content-Type': 'application/json', ...interception.headers });
        response.end(interception.body);
        return;
      }
      rememberSecrets(response, secrets);
      // The provider takes a body that was read already.
      request.body = sent;
      serve(request, response);
    });
  });
  return result;
}

const secretParameters = 'code code_verifier refresh_token client_secret assertion client_assertion token'.split(' ');

/** The members of an answer that are tokens or secrets. */
function rememberSecrets(response: { end: (...values: never[]) => unknown }, secrets: Set<string>): void {
  const end = response.end.bind(response) as (...values: unknown[]) => unknown;
  response.end = (...values: unknown[]) => {
    const [body] = values;
    if (typeof body === 'string' || Buffer.isBuffer(body)) {
      for (const [, value] of body
        .toString()
        .matchAll(/"(?:access_token|refresh_token|id_token|client_secret)":"([^"]+)"/g)) {
        if (value !== undefined) secrets.add(value);
      }
    }
    return end(...values);
  };
}

function configurationOf(
  options: AuthorizationServerOptions,
  storage: Map<string, Readonly<Record<string, unknown>>>,
): object {
  const { accessTokenSeconds = 3600 } = options;
  return {
    adapter: (model: string) => createAdapter(model, storage),
    clients: options.clients ?? [],
    jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] },
    cookies: { keys: ['only for tests'] },
    scopes: ['openid', 'offline_access', ...scopes],
    rotateRefreshToken: true,
    pkce: { required: () => true },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    issueRefreshToken: (_context: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    ttl: {
      AccessToken: accessTokenSeconds,
      ClientCredentials: accessTokenSeconds,
      RefreshToken: 86_400,
      Grant: 86_400,
      Session: 86_400,
      Interaction: 3600,
    },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: options.hasRegistration ?? true },
      revocation: { enabled: options.hasRevocation ?? true, allowedPolicy: () => true },
      clientCredentials: { enabled: true },
      dPoP: {
        enabled: true,
        nonceSecret: Buffer.alloc(32, 'nonce'),
        requireNonce: () => options.requiresDpopNonce === true,
      },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          scope: scopes.join(' '),
          audience: resource,
          accessTokenFormat: 'opaque',
          accessTokenTTL: accessTokenSeconds,
        }),
      },
    },
    ...options.configuration,
  };
}

function createAdapter(model: string, storage: Map<string, Readonly<Record<string, unknown>>>): object {
  const keyOf = (id: string): string => `${model}:${id}`;
  const findBy = (name: string, value: string): Promise<unknown> =>
    Promise.resolve([...storage].find(([key, payload]) => key.startsWith(`${model}:`) && payload[name] === value)?.[1]);
  return {
    upsert: async (id: string, payload: Record<string, unknown>) => void storage.set(keyOf(id), payload),
    find: (id: string) => Promise.resolve(storage.get(keyOf(id))),
    findByUid: (uid: string) => findBy('uid', uid),
    findByUserCode: (code: string) => findBy('userCode', code),
    consume: async (id: string) => {
      const payload = storage.get(keyOf(id));
      if (payload !== undefined) storage.set(keyOf(id), { ...payload, consumed: Math.floor(Date.now() / 1000) });
    },
    destroy: async (id: string) => void storage.delete(keyOf(id)),
    revokeByGrantId: async (grantId: string) => {
      for (const [key, payload] of storage) if (payload['grantId'] === grantId) storage.delete(key);
    },
  };
}
