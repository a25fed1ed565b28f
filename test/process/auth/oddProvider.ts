import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { isRecord, parseJson } from '../../../src/base/json.ts';
import { listen } from '../../fixtures/listen.ts';

type Values = Readonly<Record<string, unknown>>;

/** The oddities of a provider. `origin` is that of its one server. */
export interface Oddities {
  /** The resource metadata; their address has the path `/mcp`. */
  readonly resource?: (origin: string) => Values;
  /** Replaces members of its metadata. */
  readonly metadata?: (origin: string) => Values;
  readonly metadataPath?: string;
  readonly challenge?: string;
  /** Answers of the registration endpoint. */
  readonly register?: (wanted: Values) => { readonly status: number; readonly value: Values };
  /** The answer of the token endpoint to valid requests: JSON, or a text as it is. */
  readonly token?: (parameters: URLSearchParams) => Values | string;
  readonly tokenStatus?: number;
  /** The status of the MCP server without a token; otherwise 401. */
  readonly refusal?: number;
  /** The parameters of the error that the browser brings back. */
  readonly refuse?: (request: URLSearchParams) => Readonly<Record<string, string>> | undefined;
  /** Statuses of addresses that it answers before all else. */
  readonly statuses?: Readonly<Record<string, number>>;
}

export interface OddProvider {
  readonly url: URL;
  readonly origin: string;
  /** Queries that browsers came with. */
  readonly visits: URLSearchParams[];
  /** What token endpoints received. */
  readonly tokenRequests: URLSearchParams[];
  close(): Promise<void>;
}

const metadataPath = '/.well-known/oauth-authorization-server';

/** Starts an MCP server that is its own authorization server, as public reports describe such. */
export async function startOddProvider(oddities: Oddities): Promise<OddProvider> {
  const server = createServer();
  const { origin, close } = await listen(server);
  const result: OddProvider = { url: new URL(`${origin}/mcp`), origin, visits: [], tokenRequests: [], close };
  const challenges = new Map<string, string>();
  server.on('request', (request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '/', origin);
      const answer = (
        status: number,
        value: Values | string = {},
        headers: Readonly<Record<string, string>> = {},
      ): void => {
        response.writeHead(status, {
          'Content-Type': typeof value === 'string' ? 'text/html' : 'application/json',
          ...headers,
        });
        response.end(typeof value === 'string' ? value : JSON.stringify(value));
      };
      const status = oddities.statuses?.[url.pathname];
      if (status !== undefined) return answer(status, '<h1>Not here</h1>');
      switch (url.pathname) {
        case '/.well-known/oauth-protected-resource/mcp':
          return answer(200, (oddities.resource ?? resourceOf)(origin));
        case oddities.metadataPath ?? metadataPath:
          return answer(200, { ...metadataOf(origin), ...oddities.metadata?.(origin) });
        case '/oauth/register': {
          const wanted = JSON.parse(body) as Values;
          const { status: code, value } = oddities.register?.(wanted) ?? { status: 201, value: {} };
          return answer(code, code < 300 ? { client_id: randomBytes(4).toString('hex'), ...value } : value);
        }
        case '/oauth/authorize': {
          result.visits.push(url.searchParams);
          const back = new URL(url.searchParams.get('redirect_uri') ?? '');
          const error = oddities.refuse?.(url.searchParams);
          const code = randomBytes(8).toString('hex');
          challenges.set(code, url.searchParams.get('code_challenge') ?? '');
          for (const [name, value] of Object.entries(error ?? { code })) back.searchParams.set(name, value);
          back.searchParams.set('state', url.searchParams.get('state') ?? '');
          return answer(302, {}, { Location: back.href });
        }
        case '/oauth/token': {
          const parameters = new URLSearchParams(body);
          result.tokenRequests.push(parameters);
          const verifier = createHash('sha256')
            .update(parameters.get('code_verifier') ?? '')
            .digest('base64url');
          const isProved = challenges.get(parameters.get('code') ?? '') === verifier;
          if (!isProved && parameters.has('code')) return answer(400, { error: 'invalid_grant' });
          const given = oddities.token?.(parameters);
          return answer(
            given === undefined ? 200 : (oddities.tokenStatus ?? 200),
            given ?? { access_token: 'token', token_type: 'Bearer' },
          );
        }
        case '/mcp':
          if (request.headers.authorization?.startsWith('Bearer token') !== true)
            return answer(oddities.refusal ?? 401, {}, { 'WWW-Authenticate': oddities.challenge ?? 'Bearer' });
          return answerMcp(body, answer);
        default:
          return answer(404);
      }
    });
  });
  return result;
}

function resourceOf(origin: string): Values {
  return { resource: `${origin}/mcp`, authorization_servers: [origin] };
}

/** Not the default addresses of 2025-03-26: only its metadata tell them. */
function metadataOf(origin: string): Values {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    registration_endpoint: `${origin}/oauth/register`,
    code_challenge_methods_supported: ['S256'],
  };
}

function answerMcp(body: string, answer: (status: number, value?: Values) => void): void {
  const message = parseJson(body);
  if (!isRecord(message) || message['id'] === undefined) return answer(202);
  const results: Readonly<Record<string, Values>> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'odd', version: '1' },
    },
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
  };
  const result = results[String(message['method'])];
  const outcome = result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result };
  answer(200, { jsonrpc: '2.0', id: message['id'], ...outcome });
}
