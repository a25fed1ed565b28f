// Not `node:http`: VS Code adds its proxies and certificates to what an extension imports by exactly these names.
// oxlint-disable-next-line unicorn/prefer-node-protocol
import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp, type RequestOptions } from 'http';
// oxlint-disable-next-line unicorn/prefer-node-protocol
import { Agent as SecureAgent, request as requestHttps } from 'https';
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { HttpClient, HttpRequest, HttpResponse } from '../../base/httpClient.ts';
import { acceptedEncodings, decodedBody } from './contentEncoding.ts';
import { NodeByteStream } from './nodeByteStream.ts';

/** What {@link createNodeHttpClient} needs from its host. */
export interface NodeHttpOptions {
  /** The `User-Agent` of requests without one. */
  readonly userAgent: string;
  /** False: certificates of servers are not verified. Called for each request; absent: they are. */
  readonly verifiesCertificates?: (() => boolean) | undefined;
  /** Idle connections are closed after these milliseconds, or earlier where the server says so (`Keep-Alive: timeout`). */
  readonly idleMs?: number | undefined;
  /** @returns the agent that reaches a URL through a proxy; `undefined` where it is reached directly */
  readonly proxyAgentFor?: ((url: URL) => Agent | undefined) | undefined;
}

const defaultIdleMs = 30_000;
const loopback = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
/** How often a request is sent again after the server has closed an idle connection. */
const maximumResends = 3;

/**
 * Creates an {@link HttpClient} on Node's `http` and `https`. Connections are kept and never shared by two requests at a
 * time. Compressed bodies are decompressed as far as they are read.
 */
export function createNodeHttpClient(options: NodeHttpOptions): HttpClient {
  return new NodeHttpClient(options);
}

interface KnownAddress {
  readonly href: string;
  readonly options: RequestOptions;
}

class NodeHttpClient implements HttpClient {
  readonly #options: NodeHttpOptions;
  readonly #agents: Readonly<Record<string, Agent>>;
  readonly #defaultHeaders: Readonly<Record<string, string>>;
  /** What requests need of each URL: taking it apart is slow, and a server has few. */
  readonly #addresses = new WeakMap<URL, KnownAddress>();

  constructor(options: NodeHttpOptions) {
    this.#options = options;
    this.#defaultHeaders = { 'user-agent': options.userAgent, 'accept-encoding': acceptedEncodings() };
    const agentOptions = { keepAlive: true, scheduling: 'lifo', timeout: options.idleMs ?? defaultIdleMs } as const;
    this.#agents = { 'http:': new Agent(agentOptions), 'https:': new SecureAgent(agentOptions) };
  }

  send(request: HttpRequest): Promise<HttpResponse> {
    return new Promise((resolve, reject) => this.#send(request, maximumResends, resolve, reject));
  }

  dispose(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #send(
    request: HttpRequest,
    resends: number,
    resolve: (response: HttpResponse) => void,
    reject: (reason: unknown) => void,
  ): void {
    const { signal } = request;
    if (signal.aborted) return reject(signal.reason);
    const outgoing = this.#open(request);
    let hasResponse = false;
    const onAbort = (): void => {
      outgoing.destroy();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort);
    outgoing.on('error', (error) => {
      // The body reports the errors after that.
      if (hasResponse) return;
      signal.removeEventListener('abort', onAbort);
      if (signal.aborted) return;
      if (resends > 0 && mayResend(request, outgoing, error)) this.#send(request, resends - 1, resolve, reject);
      else reject(error);
    });
    outgoing.on('response', (incoming) => {
      hasResponse = true;
      signal.removeEventListener('abort', onAbort);
      resolve(createResponse(request, outgoing, incoming));
    });
    outgoing.end(bodyOf(request));
  }

  /** @throws {TypeError} for a header that HTTP does not allow */
  #open({ method, url, headers, socketPath }: HttpRequest): ClientRequest {
    const { proxyAgentFor, verifiesCertificates } = this.#options;
    const isSecure = url.protocol === 'https:';
    const proxyAgent = socketPath === undefined ? proxyAgentFor?.(url) : undefined;
    const options: RequestOptions = {
      ...this.#addressOf(url),
      ...(socketPath !== undefined && { socketPath }),
      method,
      headers: { ...this.#defaultHeaders, ...headers },
      agent: proxyAgent ?? this.#agents[url.protocol],
    };
    if (!isSecure) return requestHttp(options);
    return requestHttps({ ...options, rejectUnauthorized: verifiesCertificates?.() ?? true });
  }

  #addressOf(url: URL): RequestOptions {
    const { href } = url;
    const known = this.#addresses.get(url);
    if (known?.href === href) return known.options;
    const { protocol, hostname, port, pathname, search } = url;
    const options: RequestOptions = {
      protocol,
      // URLs have IPv6 addresses in brackets.
      hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
      port,
      ...(hostname === 'localhost' && { lookup: lookupBoth }),
      path: `${pathname}${search}`,
    };
    this.#addresses.set(url, { href, options });
    return options;
  }
}

/** Node writes headers and a short text in one piece, all as UTF-8: headers that are not ASCII would become others. */
function bodyOf({ headers, body }: HttpRequest): string | Buffer | undefined {
  if (body === undefined || Object.values(headers).every((value) => /^[\0-\x7f]*$/.test(value))) return body;
  return Buffer.from(body);
}

/** Both loopback addresses are tried for `localhost`, also where the system knows only one. */
const lookupBoth: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error !== null || options.all !== true) return callback(error, found[0]?.address ?? '', found[0]?.family);
    const missing = loopback.filter(({ family }) => found.every((address) => address.family !== family));
    callback(null, [...found, ...missing]);
  });
};

/**
 * Tells whether a request can be sent again after its connection broke. The usual cause is a server that closes an idle
 * connection just when a request is on its way to it (RFC 9112, section 9.3.1).
 */
function mayResend({ method, isRepeatable }: HttpRequest, outgoing: ClientRequest, error: Error): boolean {
  const code = 'code' in error ? error.code : undefined;
  return (
    (method !== 'POST' || isRepeatable === true) && outgoing.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')
  );
}

function createResponse(
  { url, signal }: HttpRequest,
  outgoing: ClientRequest,
  incoming: IncomingMessage,
): HttpResponse {
  const { statusCode: status = 0 } = incoming;
  return {
    status,
    ok: status >= 200 && status < 300,
    url,
    headers: {
      get(name) {
        const value = incoming.headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      },
    },
    body: new NodeByteStream(
      decodedBody(incoming, incoming.headers['content-encoding']),
      () => outgoing.destroy(),
      signal,
    ),
  };
}
