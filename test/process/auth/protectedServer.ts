import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../fixtures/listen.ts';
import type { AuthorizationServer } from './authorizationServer.ts';

/** A server that accepts requests with a token of its authorization server. */
export interface ProtectedServer {
  readonly url: URL;
  /** The authorization server it trusts. May change while it runs. */
  authorizationServer: AuthorizationServer;
  /** The scope that a request needs, if any. */
  scopeOf: (request: IncomingMessage) => string | undefined;
  readonly behaviour: Behaviour;
  /** Answers an accepted request; `{}` by default. */
  serve: (request: IncomingMessage, response: ServerResponse) => void;
  /** Statuses of all answers but metadata. */
  readonly statuses: readonly number[];
  close(): Promise<void>;
}

export interface Behaviour {
  metadata: 'hinted' | 'wellKnown' | 'none';
  wantsDpop: boolean;
  /** Proofs must hold this nonce. */
  nonce: string | undefined;
  /** What was sent in `DPoP`. */
  readonly proofs: string[];
  /** The `resource` in its metadata; by default the correct one. */
  resource: string | undefined;
  /** The authorization server in its metadata; by default the correct one. */
  issuer: string | undefined;
}

const metadataPath = '/.well-known/oauth-protected-resource/mcp';

export async function startProtectedServer(authorizationServer: AuthorizationServer): Promise<ProtectedServer> {
  const server = createServer((request, response) => void answer(request, response));
  const { origin, close } = await listen(server);
  const url = new URL(`${origin}/mcp`);
  const statuses: number[] = [];
  const result: ProtectedServer = {
    url,
    authorizationServer,
    scopeOf: () => undefined,
    serve: (request, response) => {
      request.resume();
      send(response, 200, {});
    },
    behaviour: {
      metadata: 'hinted',
      wantsDpop: false,
      nonce: undefined,
      proofs: [],
      resource: undefined,
      issuer: undefined,
    },
    statuses,
    close,
  };
  return result;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { behaviour } = result;
    if (request.url === metadataPath && behaviour.metadata !== 'none') {
      const issuer = behaviour.issuer ?? result.authorizationServer.issuer;
      send(response, 200, {
        resource: behaviour.resource ?? url.href,
        authorization_servers: [issuer],
        scopes_supported: ['mcp:read'],
      });
      return;
    }
    if (request.url?.startsWith('/mcp') !== true) {
      send(response, 404, {});
      return;
    }
    const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
    const { provider } = result.authorizationServer;
    const known = (await provider.AccessToken.find(token)) ?? (await provider.ClientCredentials.find(token));
    const wanted = result.scopeOf(request);
    const proof = request.headers['dpop'];
    if (typeof proof === 'string') behaviour.proofs.push(proof);
    if (known !== undefined && behaviour.nonce !== undefined && claimsOf(proof)['nonce'] !== behaviour.nonce) {
      statuses.push(401);
      send(response, 401, {}, { 'WWW-Authenticate': 'DPoP error="use_dpop_nonce"', 'DPoP-Nonce': behaviour.nonce });
      return;
    }
    const isGood =
      known !== undefined &&
      !known.isExpired &&
      [known.aud].flat().includes(url.href) &&
      scheme === (known.jkt === undefined ? 'Bearer' : 'DPoP') &&
      (!behaviour.wantsDpop || (known.jkt !== undefined && typeof proof === 'string'));
    if (!isGood) refuse(response, 401, token === '' ? '' : 'invalid_token', 'mcp:read');
    else if (wanted !== undefined && known.scope?.split(' ').includes(wanted) !== true) {
      refuse(response, 403, 'insufficient_scope', wanted);
    } else {
      statuses.push(200);
      result.serve(request, response);
      return;
    }
    statuses.push(response.statusCode);
  }

  function refuse(response: ServerResponse, status: number, error: string, scope: string): void {
    const { metadata, wantsDpop } = result.behaviour;
    const parameters = [
      ...(error === '' ? [] : [`error="${error}"`]),
      ...(metadata === 'hinted' ? [`resource_metadata="${new URL(metadataPath, url).href}"`] : []),
      `scope="${scope}"`,
    ];
    send(response, status, {}, { 'WWW-Authenticate': `${wantsDpop ? 'DPoP' : 'Bearer'} ${parameters.join(', ')}` });
  }
}

/** The claims of a JWT, not verified. */
export function claimsOf(jwt: unknown): Record<string, unknown> {
  const [, payload = ''] = String(jwt).split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}') as Record<string, unknown>;
}

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
