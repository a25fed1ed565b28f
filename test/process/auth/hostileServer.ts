import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../fixtures/listen.ts';

/** An authorization server whose metadata a test decides, and which records every request. */
export interface HostileServer {
  readonly issuer: string;
  /** Metadata besides `issuer`; endpoints that are absent are at this server. */
  metadata: Readonly<Record<string, unknown>>;
  /** The client that a registration returns. */
  clientId: string;
  /** Where its authorization endpoint sends browsers. */
  sendBrowserTo: (request: URL) => URL;
  readonly registrations: Readonly<Record<string, unknown>>[];
  readonly tokenRequests: { readonly body: URLSearchParams; readonly headers: IncomingHttpHeaders }[];
  /** Everything received so far, headers included. */
  readonly received: () => string;
  close(): Promise<void>;
}

export async function startHostileServer(metadata: HostileServer['metadata'] = {}): Promise<HostileServer> {
  const received: string[] = [];
  const server = createServer();
  const { origin: issuer, close } = await listen(server);
  const result: HostileServer = {
    issuer,
    metadata,
    clientId: 'made-up',
    sendBrowserTo: () => new URL(issuer),
    registrations: [],
    tokenRequests: [],
    received: () => received.join('\n'),
    close,
  };
  server.on('request', (request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '/', issuer);
      const { headers } = request;
      received.push(`${request.method} ${url.href} ${JSON.stringify(headers)} ${decodeURIComponent(body)}`);
      const answer = (status: number, value: object, more: Readonly<Record<string, string>> = {}): void => {
        response.writeHead(status, { 'Content-Type': 'application/json', ...more });
        response.end(JSON.stringify(value));
      };
      switch (url.pathname) {
        case '/.well-known/oauth-authorization-server':
          return answer(200, { ...ownMetadata(issuer), ...result.metadata });
        case '/register':
          result.registrations.push(JSON.parse(body) as Record<string, unknown>);
          return answer(201, { client_id: result.clientId, token_endpoint_auth_method: 'none' });
        case '/authorize':
          return answer(302, {}, { Location: result.sendBrowserTo(url).href });
        case '/token':
          result.tokenRequests.push({ body: new URLSearchParams(body), headers });
          return answer(200, { access_token: 'made-up', token_type: 'Bearer' });
        default:
          return answer(404, {});
      }
    });
  });
  return result;
}

function ownMetadata(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    code_challenge_methods_supported: ['S256'],
  };
}
