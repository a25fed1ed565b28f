import { createServer } from 'node:http';
import * as https from 'node:https';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../src/base/event.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '../../src/base/httpClient.ts';
import { NodeHttpClient, type NodeHttpOptions } from '../../src/transport/network/nodeHttpClient.ts';
import { closeLater } from '../fixtures/closeLater.ts';
import { listen } from '../fixtures/listen.ts';
import { readCertificate, type Route, startProxy, startSecureFront, type TestProxy } from '../fixtures/network.ts';

const certificates = fileURLToPath(new URL('../fixtures/certificates/', import.meta.url));
/** What VS Code patches; `import` takes over the changes with `syncBuiltinESMExports`. */
const patched = createRequire(import.meta.url)('node:https') as { request: typeof https.request };
const { request: original } = patched;

afterEach(() => {
  patched.request = original;
  syncBuiltinESMExports();
});

/** @returns the proxy for a host, `undefined` for a direct connection */
type Resolve = (host: string) => TestProxy | undefined;

/**
 * The agent that VS Code puts in place of the agent of a request, as of `@vscode/proxy-agent` 0.32 and 0.45. It keeps the settings
 * of the time when it was made, but asks for each connection.
 */
class EditorAgent extends HttpsProxyAgent<string> {
  readonly #resolve: Resolve;

  constructor(resolve: Resolve) {
    super('http://127.0.0.1');
    this.#resolve = resolve;
  }

  override async connect(
    ...[request, options]: Parameters<HttpsProxyAgent<string>['connect']>
  ): ReturnType<HttpsProxyAgent<string>['connect']> {
    // Certificates are read before.
    await new Promise((resolve) => setImmediate(resolve));
    const proxy = this.#resolve(options.host ?? '');
    if (proxy === undefined) {
      request.emit('proxy', { proxy: 'DIRECT', socket: https.globalAgent });
      return https.globalAgent as never;
    }
    const socket = await new HttpsProxyAgent(`http://${proxy.host}`).connect(request, options);
    request.emit('proxy', { proxy: `PROXY ${proxy.host}`, socket });
    return socket;
  }
}

/** Patches `https.request` as VS Code does. @param replacesAll true for one that replaces its own agents too */
function patchRequests(current: () => Resolve, replacesAll = false): void {
  patched.request = ((options: https.RequestOptions) => {
    const isPatched = options.agent instanceof EditorAgent && !replacesAll;
    return original(isPatched ? options : { ...options, agent: new EditorAgent(current()) });
  }) as typeof https.request;
  syncBuiltinESMExports();
}

/** A server behind proxies: `a.mcp.test` and `b.mcp.test`. */
async function scene({ route, ...options }: Partial<NodeHttpOptions> & { readonly route?: Route } = {}) {
  const target = closeLater(await listen(createServer((_request, response) => response.end('fine'))));
  const hosts: string[] = [];
  const front = closeLater(
    await startSecureFront(
      new URL(target.origin),
      readCertificate('selfSigned', certificates),
      (incoming, outgoing) => {
        hosts.push(incoming.headers.host ?? '');
        return route?.(incoming, outgoing) ?? false;
      },
    ),
  );
  const changes = new Emitter<void>();
  const client = new NodeHttpClient({
    userAgent: 'patchbay/test',
    verifiesCertificates: () => false,
    onDidChangeProxies: changes.event,
    ...options,
  });
  closeLater({ close: () => client.dispose() });
  return {
    front,
    hosts,
    changes,
    client,
    first: closeLater(await startProxy()),
    second: closeLater(await startProxy()),
  };
}

const never = new AbortController().signal;

function start(client: HttpClient, url: string, more: Partial<HttpRequest> = {}): Promise<HttpResponse> {
  return client.send({ method: 'POST', url: new URL(url), headers: {}, body: '{}', signal: never, ...more });
}

/** @returns the status */
async function send(...parameters: Parameters<typeof start>): Promise<number> {
  const { status, body } = await start(...parameters);
  while ((await body.read()) !== undefined);
  return status;
}

describe('tunnels through the proxies of VS Code', () => {
  it('are kept, for one server each', async () => {
    const { client, first, front, hosts } = await scene();
    patchRequests(() => () => first);
    const [a, b] = [`a.mcp.test:${front.port}`, `b.mcp.test:${front.port}`];
    for (let count = 0; count < 25; count += 1)
      for (const host of [a, b]) expect(await send(client, `https://${host}/mcp`)).toBe(200);
    expect(first.requests).toEqual([`CONNECT ${a}`, `CONNECT ${b}`]);
    expect(hosts.filter((host) => host === a)).toHaveLength(25);
    client.dispose();
    await vi.waitUntil(() => first.openConnectionsTo(a) + first.openConnectionsTo(b) === 0);
  });

  it('are opened where VS Code wants them for that server, and nowhere else', async () => {
    const { client, first, second, front } = await scene();
    patchRequests(() => (host) => ({ 'a.mcp.test': first, 'b.mcp.test': second })[host]);
    for (let count = 0; count < 3; count += 1)
      for (const host of ['a.mcp.test', 'b.mcp.test', '0.0.0.0'])
        expect(await send(client, `https://${host}:${front.port}/mcp`)).toBe(200);
    expect([first.requests, second.requests]).toEqual([
      [`CONNECT a.mcp.test:${front.port}`],
      [`CONNECT b.mcp.test:${front.port}`],
    ]);
    expect(front.connections()).toBe(3);
  });

  it('are not kept for a certificate that was not verified', async () => {
    let verifies = false;
    const { client, first, front } = await scene({ verifiesCertificates: () => verifies });
    patchRequests(() => () => first);
    const url = `https://a.mcp.test:${front.port}/mcp`;
    expect(await send(client, url)).toBe(200);
    verifies = true;
    await expect(send(client, url)).rejects.toThrow('self-signed certificate');
  });

  it('end with a change of the proxies, those in use after their response', async () => {
    let finish = (): void => {};
    const { client, first, second, front, changes } = await scene({
      route({ url }, outgoing) {
        if (url !== '/slow') return false;
        outgoing.write('slow');
        finish = () => outgoing.end();
        return true;
      },
    });
    let proxy = first;
    patchRequests(() => {
      const current = proxy;
      return () => current;
    });
    const host = `a.mcp.test:${front.port}`;
    const url = `https://${host}/mcp`;
    await send(client, url);
    const slow = await start(client, `https://${host}/slow`);
    await send(client, url);
    expect(first.openConnectionsTo(host)).toBe(2);
    proxy = second;
    changes.fire();
    await vi.waitUntil(() => first.openConnectionsTo(host) === 1);
    await send(client, url);
    expect(second.connectionsTo(host)).toBe(1);
    await slow.body.read();
    finish();
    expect(await slow.body.read()).toBeUndefined();
    await vi.waitUntil(() => first.openConnectionsTo(host) === 0);
  });

  it('are not kept by a request that was on its way when the proxies changed', async () => {
    const { client, first, second, front, changes } = await scene();
    let proxy = first;
    patchRequests(() => {
      const current = proxy;
      return () => current;
    });
    const host = `a.mcp.test:${front.port}`;
    const early = send(client, `https://${host}/mcp`);
    proxy = second;
    changes.fire();
    await early;
    for (let count = 0; count < 3; count += 1) await send(client, `https://${host}/mcp`);
    expect([first.connectionsTo(host), second.connectionsTo(host)]).toEqual([1, 1]);
  });

  it('are closed when they are idle for long', async () => {
    const { client, first, front } = await scene({ idleMs: 20 });
    patchRequests(() => () => first);
    await send(client, `https://a.mcp.test:${front.port}/mcp`);
    await vi.waitUntil(() => first.openConnectionsTo(`a.mcp.test:${front.port}`) === 0);
  });

  it('that the other end closes just then: only what may be repeated is sent again', async () => {
    const used = new Set<unknown>();
    const { client, first, front, hosts } = await scene({
      route({ socket }) {
        if (!used.has(socket)) return !used.add(socket);
        socket.destroy();
        return true;
      },
    });
    patchRequests(() => () => first);
    const url = `https://a.mcp.test:${front.port}/mcp`;
    await send(client, url);
    expect(await send(client, url, { isRepeatable: true })).toBe(200);
    expect(hosts).toHaveLength(3);
    await expect(send(client, url)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(hosts).toHaveLength(4);
    expect(await send(client, url)).toBe(200);
  });

  it('serve one request each where VS Code replaces its own agents too', async () => {
    const { client, first, front } = await scene();
    patchRequests(() => () => first, true);
    const host = `a.mcp.test:${front.port}`;
    for (let count = 0; count < 5; count += 1) expect(await send(client, `https://${host}/mcp`)).toBe(200);
    expect(first.connectionsTo(host)).toBe(5);
  });
});
