import { execFile } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { createServer, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { HttpClient, HttpRequest } from '../../src/base/httpClient.ts';
import { networkError } from '../../src/transport/http/httpProblems.ts';
import { createEnvironmentProxies } from '../../src/transport/network/environmentProxies.ts';
import { createExtraAuthorities } from '../../src/transport/network/extraAuthorities.ts';
import { NodeHttpClient, type NodeHttpOptions } from '../../src/transport/network/nodeHttpClient.ts';
import { watchProxy } from '../../src/transport/network/proxyWatch.ts';
import { closeLater } from '../fixtures/closeLater.ts';
import { listen } from '../fixtures/listen.ts';
import {
  readCertificate,
  signInRoute,
  startProxy,
  startSecureFront,
  type TestProxyOptions,
} from '../fixtures/network.ts';
import { serveRawOverHttp } from '../fixtures/servers/partner/raw.mjs';
import { serveSdk1OverSse } from '../fixtures/servers/partner/sdk1.mjs';

const certificates = fileURLToPath(new URL('../fixtures/certificates/', import.meta.url));

/** @returns its port, and the headers of each request */
async function serve(): Promise<{ readonly port: number; readonly headers: readonly IncomingHttpHeaders[] }> {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    response.end('fine');
  });
  return { port: closeLater(await listen(server)).port, headers };
}

/** Names that only a proxy knows, in front of one server. */
async function scene(options: TestProxyOptions = {}, credentials = '') {
  const { port, headers } = await serve();
  const certificate = readCertificate('server', certificates);
  const front = closeLater(await startSecureFront(new URL(`http://127.0.0.1:${port}`), certificate));
  const proxy = closeLater(await startProxy(options));
  return {
    proxy,
    headers,
    front,
    plain: new URL(`http://plain.mcp.test:${port}/mcp?a=1`),
    secure: new URL(`https://secure.mcp.test:${front.port}/mcp`),
    client: createClient(`http://${credentials}${proxy.host}`),
  };
}

function createClient(proxy: string, options: Partial<NodeHttpOptions> = {}): HttpClient {
  const proxies = createEnvironmentProxies({ ALL_PROXY: proxy });
  const otherAuthorities = createExtraAuthorities(`${certificates}authority.pem`);
  const client = new NodeHttpClient({ userAgent: 'patchbay/test', proxies, otherAuthorities, ...options });
  closeLater({ close: () => client.dispose() });
  return client;
}

/** @returns the status and the text */
async function send(client: HttpClient, url: URL, more: Partial<HttpRequest> = {}): Promise<string> {
  const { signal } = new AbortController();
  const { status, body } = await client.send({ method: 'POST', url, headers: {}, body: '{}', signal, ...more });
  const chunks: Uint8Array[] = [];
  for (let chunk = await body.read(); chunk !== undefined; chunk = await body.read()) chunks.push(chunk);
  return `${status} ${Buffer.concat(chunks).toString()}`;
}

/** @returns what a person reads */
async function problem(client: HttpClient, url: URL): Promise<string> {
  try {
    return await send(client, url);
  } catch (error) {
    const { message, code } = networkError(error, { url });
    expect([code, JSON.stringify(error), String(error)]).not.toContain('secret');
    return `${code}: ${message}`;
  }
}

describe('requests through the proxy of the environment', () => {
  it('use one connection for each server, with the credentials of the proxy', async () => {
    const { proxy, headers, front, plain, secure, client } = await scene({ credentials: 'ann:p@ss' }, 'ann:p%40ss@');
    for (let count = 0; count < 10; count += 1) {
      expect(await send(client, plain)).toBe('200 fine');
      expect(await send(client, secure)).toBe('200 fine');
    }
    expect(proxy.requests.filter((request) => request === `POST ${plain.href}`)).toHaveLength(10);
    // The first tunnel ended with a certificate of an unknown authority.
    expect(proxy.requests.filter((request) => request === `CONNECT ${secure.host}`)).toHaveLength(2);
    expect([proxy.connectionsTo(plain.host), proxy.connectionsTo(secure.host)]).toEqual([1, 2]);
    expect(front.connections()).toBe(1);
    expect(headers).toHaveLength(20);
    expect(headers.flatMap((seen) => Object.keys(seen)).filter((name) => name.startsWith('proxy-'))).toEqual([]);
  });

  it('say that the certificate of a proxy is not accepted', async () => {
    const { secure } = await scene();
    const proxy = closeLater(await startProxy({ certificate: readCertificate('server', certificates) }));
    expect(await problem(createClient(`https://ann:secret@${proxy.host}`), secure)).toMatch(
      /^unreachable: .*: the proxy 127\.0\.0\.1:\d+ cannot be used \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)\. Its certificate is not accepted/,
    );
  });

  it.each(['plain', 'secure'] as const)('say that the proxy wants credentials: %s', async (which) => {
    const { client, headers, ...urls } = await scene({ credentials: 'ann:other' }, 'ann:secret@');
    expect(await problem(client, urls[which])).toMatch(
      /^unreachable: The server at https?:\S+ cannot be reached: the proxy 127\.0\.0\.1:\d+ refuses the request with HTTP status 407\. It needs a user and a password/,
    );
    expect(headers).toEqual([]);
  });

  it('say that the proxy refuses the tunnel: its answer is not that of the server', async () => {
    const { client, proxy, secure, headers } = await scene();
    proxy.refusal = 503;
    expect(await problem(client, secure)).toMatch(
      /^unreachable: .*: the proxy 127\.0\.0\.1:\d+ refuses the request with HTTP status 503\. Ask the operator of the proxy/,
    );
    expect(headers).toEqual([]);
  });

  it('say that the proxy cannot be reached', async () => {
    const { plain, secure } = await scene();
    const client = createClient('http://ann:secret@127.0.0.1:1');
    for (const url of [plain, secure]) {
      expect(await problem(client, url)).toMatch(
        /^unreachable: .*: the proxy 127\.0\.0\.1:1 cannot be used \(ECONNREFUSED\)\. Check its address \(the setting "http\.proxy", or HTTP_PROXY/,
      );
    }
  });

  it('report errors of the server behind the proxy as its own', async () => {
    const { client, secure, proxy } = await scene();
    const untrusting = createClient(`http://${proxy.host}`, { otherAuthorities: undefined });
    expect(await problem(untrusting, secure)).toMatch(
      /^unreachable: .* its certificate is not accepted \(UNABLE_TO_VERIFY/,
    );
    expect(await send(client, secure)).toBe('200 fine');
    const { plain, ...other } = await scene();
    await send(other.client, plain);
    other.proxy.refusal = 502;
    // In plain HTTP, nothing shows who answers.
    expect(await send(other.client, plain)).toBe('502 the page of the proxy');
  });

  it('are sent again when the proxy has closed an idle connection, if they may be', async () => {
    const { client, proxy, plain, headers } = await scene();
    await send(client, plain);
    await proxy.dropConnections();
    expect(await send(client, plain, { isRepeatable: true })).toBe('200 fine');
    expect(headers).toHaveLength(2);
  });
});

describe('the proxy of VS Code', () => {
  const secret = 'PROXY ann:secret@proxy.example:3128';

  function watched(isSecure = true, reusedSocket = false) {
    const request = Object.assign(new EventEmitter(), { protocol: isSecure ? 'https:' : 'http:', reusedSocket });
    return { request, watch: watchProxy(request as unknown as ClientRequest, undefined) };
  }

  it('is named by the error, without its password', () => {
    const { request, watch } = watched();
    request.emit('proxy', { proxy: secret, error: Object.assign(new Error(secret), { code: 'ECONNREFUSED' }) });
    const fault = watch.faultOf(new Error(`Failed to establish a socket connection to proxies: ${secret}`));
    expect(fault).toMatchObject({ name: 'ProxyError', proxy: 'proxy.example:3128', code: 'ECONNREFUSED' });
    expect([fault.message, fault.stack, JSON.stringify(fault), String(fault.cause)].join()).not.toContain('secret');
  });

  it.each(['DIRECT', secret])('is not to blame once it is passed: %s', (proxy) => {
    const { request, watch } = watched();
    request.emit('proxy', { proxy, socket: {} });
    const error = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    expect(watch.faultOf(error)).toBe(error);
    expect(watch.refusalIn({ statusCode: 502, socket: { encrypted: true } } as never)).toBeUndefined();
  });

  it.each([
    [true, 502, {}, 502],
    [true, 407, {}, 407],
    [true, 407, { encrypted: true }, undefined],
    [false, 407, {}, 407],
    [false, 502, {}, undefined],
  ])('answers in place of the server: encrypted %s, status %s', (isSecure, statusCode, socket, status) => {
    const { request, watch } = watched(isSecure);
    request.emit('proxy', { proxy: secret, socket: {} });
    expect(watch.refusalIn({ statusCode, socket } as never)?.status).toBe(status);
  });
});

describe('a headless host takes from its environment', () => {
  const program = fileURLToPath(new URL('../fixtures/headlessCalls.mjs', import.meta.url));
  const authority = `${certificates}authority.pem`;

  /** @returns what each server answered, or its error */
  async function callAll(servers: Record<string, object>, env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
    const path = { PATH: process.env['PATH'] };
    const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(servers)], {
      env: { ...path, ...env },
    });
    return JSON.parse(stdout) as Record<string, string>;
  }

  async function mcpScene() {
    const raw = closeLater(await serveRawOverHttp({ revision: '2025-06-18' }));
    const sse = closeLater(await serveSdk1OverSse('2024-11-05'));
    const target = new URL(raw.url);
    const certificate = readCertificate('server', certificates);
    const secure = closeLater(await startSecureFront(target, certificate));
    const events = closeLater(await startSecureFront(new URL(sse.url), certificate));
    const guarded = closeLater(await startSecureFront(target, certificate, signInRoute));
    const auth = {
      flow: 'clientCredentials',
      issuer: `https://auth.mcp.test:${guarded.port}`,
      clientId: 'patchbay',
      clientSecret: 'of-the-test',
    };
    return {
      proxy: closeLater(await startProxy({ credentials: 'ann:p@ss' })),
      secure,
      servers: {
        plain: { url: `http://plain.mcp.test:${target.port}/mcp` },
        secure: { url: `https://secure.mcp.test:${secure.port}/mcp` },
        events: { type: 'sse', url: `https://events.mcp.test:${events.port}/sse` },
        guarded: { url: `https://mcp.test:${guarded.port}/mcp`, patchbay: { auth } },
      },
    };
  }

  it.each<(name: string) => string>([(name) => name, (name) => name.toLowerCase()])(
    'proxies, for every transport and for sign-ins, and authorities (%#)',
    async (spelled) => {
      const { proxy, servers } = await mcpScene();
      const address = `http://ann:p%40ss@${proxy.host}`;
      const env = { [spelled('HTTP_PROXY')]: address, [spelled('HTTPS_PROXY')]: address };
      const answers = await callAll(servers, { ...env, NODE_EXTRA_CA_CERTS: authority });
      expect(answers).toEqual({ plain: 'plain', secure: 'secure', events: 'events', guarded: 'guarded' });
      const hosts = proxy.requests.map((line) => /(\w+\.)?mcp\.test/.exec(line)?.[0]);
      expect(new Set(hosts)).toEqual(
        new Set(['plain.mcp.test', 'secure.mcp.test', 'events.mcp.test', 'mcp.test', 'auth.mcp.test']),
      );
    },
  );

  it.each(['NO_PROXY', 'no_proxy'])('%s, which exempts a host', async (name) => {
    const { proxy, secure } = await mcpScene();
    const servers = { direct: { url: `https://0.0.0.0:${secure.port}/mcp` } };
    const env = { HTTPS_PROXY: 'http://127.0.0.1:1', NODE_EXTRA_CA_CERTS: authority };
    expect(await callAll(servers, { ...env, [name]: `other, 0.0.0.0:${secure.port}` })).toEqual({ direct: 'direct' });
    expect((await callAll(servers, { ...env, [name]: '0.0.0.0:1' }))['direct']).toMatch(
      /the proxy 127\.0\.0\.1:1 cannot be used \(ECONNREFUSED\)/,
    );
    expect(proxy.requests).toEqual([]);
  });

  it('no authorities that it does not name', async () => {
    const { secure } = await mcpScene();
    const answers = await callAll({ it: { url: `https://localhost:${secure.port}/mcp` } }, {});
    expect(answers['it']).toMatch(/its certificate is not accepted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/);
  });
});
