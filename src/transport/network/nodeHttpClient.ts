import { lookup } from 'node:dns';
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type RequestOptions,
} from 'node:http';
import { Agent as SecureAgent, request as requestHttps, type RequestOptions as SecureRequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { type HttpClient, type HttpRequest, type HttpResponse, networkCode } from '../../base/httpClient.ts';
import { isThisComputer } from '../../base/hostKind.ts';
import { acceptedEncodings, decodedBody } from './contentEncoding.ts';
import type { ProxyRoutes } from './environmentProxies.ts';
import { NodeByteStream } from './nodeByteStream.ts';
import { ProxyTunnels } from './proxyTunnels.ts';
import { type ProxyWatch, watchProxy } from './proxyWatch.ts';

export interface NodeHttpOptions {
  /** The `User-Agent` of requests without one. */
  readonly userAgent: string;
  /** False: certificates of servers are not verified. Called for each request; absent: they are. */
  readonly verifiesCertificates?: (() => boolean) | undefined;
  /** Idle connections are closed after these milliseconds, or earlier where the server says so (`Keep-Alive: timeout`). */
  readonly idleMs?: number | undefined;
  /** The proxies to use where the platform adds none; disposed with the client. */
  readonly proxies?: ProxyRoutes | undefined;
  /**
   * True: other machines are reached with Node's global agent, because VS Code adds no proxy to a request with an agent of its
   * own (`http.proxySupport` is `on`). Called for each such request.
   */
  readonly usesGlobalAgent?: (() => boolean) | undefined;
  /** Fires when requests may need other proxies or authorities of the platform than before. */
  readonly onDidChangeProxies?: Event<unknown> | undefined;
  /** Authorities for a server whose certificate has an unknown one: the request is sent once more with them. */
  readonly otherAuthorities?: (() => SecureContext | undefined) | undefined;
}

/** Proxies and NATs forget idle connections without a word, and what was sent on such a one cannot be sent again. Servers keep them for 5 s. */
const defaultIdleMs = 4_000;
const loopback = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
/** How often a request is sent again after the server has closed an idle connection. */
const maximumResends = 3;
/** Codes of OpenSSL for certificates whose authority is not known. */
const unknownAuthority =
  /^(?:UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT)/;

interface KnownAddress {
  readonly href: string;
  readonly isSecure: boolean;
  /** True for this machine, which needs no proxy. */
  readonly isLocal: boolean;
  readonly options: RequestOptions;
}

/**
 * Creates an {@link HttpClient} on Node's `http` and `https`. Connections are kept and never shared by two requests at a
 * time. Compressed bodies are decompressed as far as they are read.
 */
export class NodeHttpClient implements HttpClient {
  readonly #options: NodeHttpOptions;
  readonly #agents: Readonly<Record<string, Agent>>;
  readonly #tunnels: ProxyTunnels;
  readonly #proxyChanges: Disposable | undefined;
  readonly #defaultHeaders: Readonly<Record<string, string>>;
  /** What requests need of each URL: taking it apart is slow, and a server has few. */
  readonly #addresses = new WeakMap<URL, KnownAddress>();
  /** Hosts whose certificates need {@link NodeHttpOptions.otherAuthorities}. */
  readonly #otherAuthorities = new Map<string, SecureContext>();

  #isDisposed = false;

  constructor(options: NodeHttpOptions) {
    this.#options = options;
    this.#defaultHeaders = {
      // VS Code replaces the agent by one that keeps no connections, and Node asks the server to close them then.
      connection: 'keep-alive',
      'user-agent': options.userAgent,
      'accept-encoding': acceptedEncodings,
    };
    const { idleMs = defaultIdleMs } = options;
    const agentOptions = { keepAlive: true, scheduling: 'lifo', timeout: idleMs } as const;
    this.#agents = { 'http:': new Agent(agentOptions), 'https:': new SecureAgent(agentOptions) };
    const tunnels = new ProxyTunnels(idleMs);
    this.#tunnels = tunnels;
    this.#proxyChanges = options.onDidChangeProxies?.(() => tunnels.reset());
  }

  send(request: HttpRequest): Promise<HttpResponse> {
    if (this.#isDisposed) return Promise.reject(new Error('The HTTP client was disposed.'));
    return new Promise((resolve, reject) => this.#send(request, maximumResends, resolve, reject));
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const agent of Object.values(this.#agents)) agent.destroy();
    this.#proxyChanges?.dispose();
    this.#tunnels.dispose();
    this.#options.proxies?.dispose();
  }

  #send(
    request: HttpRequest,
    resends: number,
    resolve: (response: HttpResponse) => void,
    reject: (reason: unknown) => void,
  ): void {
    const { signal } = request;
    if (signal.aborted) return reject(signal.reason);
    const { outgoing, watch } = this.#open(request);
    let body: NodeByteStream | undefined;
    let hasFailed = false;
    const release = (): void => signal.removeEventListener('abort', onAbort);
    const onAbort = (): void => {
      release();
      body?.fail(signal.reason);
      outgoing.destroy();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort);
    outgoing.on('error', (error) => {
      // The body reports the errors after that.
      if (body !== undefined || signal.aborted) return;
      hasFailed = true;
      release();
      const mayRepeat = mayResend(request, outgoing, error) || this.#findsOtherAuthorities(request, error);
      if (resends > 0 && mayRepeat && !this.#isDisposed) this.#send(request, resends - 1, resolve, reject);
      else reject(watch.faultOf(error));
    });
    outgoing.on('response', (incoming) => {
      const decoded = decodedBody(incoming, incoming.headers['content-encoding']);
      const ended = (): void => {
        release();
        // What follows a compressed body may be about to be read.
        if (!isOver(outgoing, incoming)) setImmediate(() => closeUnlessOver(outgoing, incoming));
      };
      body = new NodeByteStream(decoded, ended, () => outgoing.destroy());
      const refusal = watch.refusalIn(incoming);
      if (refusal === undefined) return resolve(createResponse(request.url, incoming, body));
      body.cancel();
      reject(refusal);
    });
    // A server that wants to switch protocols causes neither of both events.
    outgoing.on('close', () => {
      if (body !== undefined || hasFailed) return;
      release();
      reject(new Error('The connection was closed before the response.'));
    });
    outgoing.end(bodyOf(request));
  }

  /** @throws {TypeError} for a header that HTTP does not allow */
  #open({ method, url, headers, socketPath }: HttpRequest): { outgoing: ClientRequest; watch: ProxyWatch } {
    const { proxies, verifiesCertificates } = this.#options;
    const address = this.#addressOf(url);
    const isLocal = socketPath !== undefined || address.isLocal;
    const route = isLocal ? undefined : proxies?.routeTo(url);
    const options: RequestOptions = {
      method,
      agent: isLocal ? this.#agents[url.protocol] : (route?.agent ?? this.#platformAgent(url)),
      // On Node 20, an object that starts with a spread takes 5 µs.
      headers: Object.assign({}, this.#defaultHeaders, headers),
      ...address.options,
      ...(socketPath !== undefined && { socketPath }),
    };
    const outgoing = address.isSecure ? this.#openSecurely(url, options, verifiesCertificates) : requestHttp(options);
    if (address.isSecure && !isLocal && route === undefined) this.#tunnels.keepAgentOf(outgoing);
    return { outgoing, watch: watchProxy(outgoing, route?.proxy) };
  }

  /** The agent for a request to another machine, to which the platform may add a proxy. */
  #platformAgent({ protocol }: URL): Agent | undefined {
    const tunnels = protocol === 'https:' ? this.#tunnels.agent : undefined;
    if (tunnels !== undefined) return tunnels;
    return this.#options.usesGlobalAgent?.() === true ? undefined : this.#agents[protocol];
  }

  #openSecurely(url: URL, options: RequestOptions, verifiesCertificates = () => true): ClientRequest {
    const secureContext = this.#otherAuthorities.get(url.host);
    const secureOptions: SecureRequestOptions & { readonly secureContext?: SecureContext } = {
      ...options,
      // Otherwise Node decides, by `NODE_TLS_REJECT_UNAUTHORIZED`.
      ...(!verifiesCertificates() && { rejectUnauthorized: false }),
      ...(secureContext !== undefined && { secureContext }),
    };
    return requestHttps(secureOptions);
  }

  /** @returns true if the request failed for an unknown authority, and there are others to try: nothing was sent then */
  #findsOtherAuthorities({ url }: HttpRequest, error: Error): boolean {
    if (!unknownAuthority.test(networkCode(error) ?? '') || this.#otherAuthorities.has(url.host)) return false;
    const authorities = this.#options.otherAuthorities?.();
    if (authorities === undefined) return false;
    this.#otherAuthorities.set(url.host, authorities);
    return true;
  }

  #addressOf(url: URL): KnownAddress {
    const { href } = url;
    const known = this.#addresses.get(url);
    if (known?.href === href) return known;
    const { protocol, hostname, port, pathname, search } = url;
    const options: RequestOptions = {
      protocol,
      // URLs have IPv6 addresses in brackets.
      hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
      port,
      ...(/(?:^|\.)localhost\.?$/.test(hostname) && { lookup: lookupBoth }),
      path: `${pathname}${search}`,
    };
    const address = { href, isSecure: protocol === 'https:', isLocal: isThisComputer(hostname), options };
    this.#addresses.set(url, address);
    return address;
  }
}

/**
 * Closes the connection where the server ends the body of a response, but not the response: bytes may follow those of a
 * compressed body, and a response may come before the request was read.
 */
function closeUnlessOver(outgoing: ClientRequest, incoming: IncomingMessage): void {
  if (!isOver(outgoing, incoming)) outgoing.destroy();
}

function isOver(outgoing: ClientRequest, incoming: IncomingMessage): boolean {
  return incoming.complete && outgoing.writableFinished;
}

/** Node writes headers and a short text in one piece, all as UTF-8: headers that are not ASCII would become others. */
function bodyOf({ headers, body }: HttpRequest): string | Buffer | undefined {
  if (body === undefined || Object.values(headers).every((value) => /^[\0-\x7f]*$/.test(value))) return body;
  return Buffer.from(body);
}

/**
 * Both loopback addresses are tried for `localhost`, also where the system knows only one. Names below it are the same (RFC
 * 6761, section 6.3): some systems would ask a server for them.
 */
const lookupBoth: LookupFunction = (_hostname, options, callback) => {
  lookup('localhost', { ...options, all: true }, (error, found) => {
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

function createResponse(url: URL, incoming: IncomingMessage, body: NodeByteStream): HttpResponse {
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
      getSetCookie: () => incoming.headers['set-cookie'] ?? [],
    },
    body,
  };
}
