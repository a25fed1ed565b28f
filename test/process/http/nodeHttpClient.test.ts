import { getEventListeners } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { HttpClient, HttpRequest, HttpResponse } from '../../../src/base/httpClient.ts';
import { NodeHttpClient } from '../../../src/transport/network/nodeHttpClient.ts';
import { closeLater } from '../../fixtures/closeLater.ts';
import { withResolvers } from './httpHarness.ts';

interface TestServer {
  readonly url: URL;
  readonly requests: readonly IncomingMessage[];
  /** Every connection so far. */
  readonly sockets: readonly Socket[];
}

async function serve(answer: RequestListener, where: number | string = 0, host = '127.0.0.1'): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const sockets: Socket[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => {
    if (typeof where === 'string') server.listen(where, resolve);
    else server.listen(where, host, resolve);
  });
  closeLater({
    close() {
      server.close();
      server.closeAllConnections();
    },
  });
  const address = server.address() as AddressInfo | string;
  const authority = typeof address === 'string' ? 'localhost' : `127.0.0.1:${address.port}`;
  return { url: new URL(`http://${authority}/mcp?a=1`), requests, sockets };
}

function createClient(idleMs?: number): HttpClient {
  const client = new NodeHttpClient({ userAgent: 'patchbay/test', idleMs });
  closeLater({ close: () => client.dispose() });
  return client;
}

const never = new AbortController().signal;

function post(url: URL, more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'POST', url, headers: { 'content-type': 'application/json' }, body: '{}', signal: never, ...more };
}

function get(url: URL, more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', url, headers: {}, signal: never, ...more };
}

async function bytesOf({ body }: HttpResponse): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (let chunk = await body.read(); chunk !== undefined; chunk = await body.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const ok: RequestListener = (_request, response) => response.end('fine');
const answerWith =
  (headers: Record<string, string>, body?: string | Buffer): RequestListener =>
  (_request, response) =>
    response.writeHead(200, headers).end(body);

describe('requests', () => {
  it('have the headers that HTTP needs, and none of a browser', async () => {
    const { url, requests } = await serve(ok);
    await bytesOf(await createClient().send(post(url, { headers: { 'x-own': 'caf\xe9' }, body: 'né' })));
    const { host, connection, ...headers } = requests[0]?.headers ?? {};
    expect([host, connection, requests[0]?.url]).toEqual([url.host, 'keep-alive', '/mcp?a=1']);
    expect(headers).toEqual({
      'user-agent': 'patchbay/test',
      'accept-encoding': expect.stringMatching(/^gzip, deflate, br(?:, zstd)?$/),
      'x-own': 'caf\xe9',
      'content-length': '3',
    });
  });

  it.each([
    ['a value with a line end', { 'x-own': 'a\r\nx-other: b' }],
    ['a value beyond Latin-1', { 'x-own': '\u0130' }],
    ['a name with a line end', { 'x\r\nx-other': 'b' }],
  ])('are not sent with %s', async (_what, headers) => {
    const { url, requests } = await serve(ok);
    await expect(createClient().send(post(url, { headers }))).rejects.toThrow(TypeError);
    expect(requests).toEqual([]);
  });

  it.each(['127.0.0.1', '::1'])('find a server at localhost that listens on %s alone', async (host) => {
    const { url } = await serve(ok, 0, host);
    const response = await createClient().send(get(new URL(`http://localhost:${url.port}/`)));
    expect([response.status, String(await bytesOf(response))]).toEqual([200, 'fine']);
  });

  it('find a server by its IPv6 address', async () => {
    const { url, requests } = await serve(ok, 0, '::1');
    const response = await createClient().send(get(new URL(`http://[::1]:${url.port}/`)));
    expect([response.ok, requests[0]?.headers.host]).toEqual([true, `[::1]:${url.port}`]);
  });

  it('reach a socket, as far as one of these exists here', async () => {
    const name = `patchbay-${process.pid}-${Date.now()}`;
    const socketPath = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
    const { requests } = await serve(ok, socketPath);
    const response = await createClient().send(post(new URL('http://localhost/mcp'), { socketPath }));
    expect(String(await bytesOf(response))).toBe('fine');
    expect([requests[0]?.url, requests[0]?.headers.host]).toEqual(['/mcp', 'localhost']);
  });
});

describe('connections', () => {
  it('are kept for the next request', async () => {
    const { url, sockets } = await serve(ok);
    const client = createClient();
    for (let count = 0; count < 50; count += 1) await bytesOf(await client.send(post(url)));
    expect(sockets).toHaveLength(1);
  });

  it('are kept where nobody reads a short body', async () => {
    const { url, sockets } = await serve(ok);
    const client = createClient();
    for (let count = 0; count < 5; count += 1) (await client.send(post(url))).body.cancel();
    expect(sockets).toHaveLength(1);
  });

  it('serve one request at a time', async () => {
    const { url, sockets } = await serve(ok);
    const client = createClient();
    await Promise.all(Array.from({ length: 20 }, async () => bytesOf(await client.send(post(url)))));
    expect(sockets.length).toBeGreaterThan(1);
    expect(sockets.length).toBeLessThanOrEqual(20);
  });

  it('end with the client', async () => {
    const { url, sockets } = await serve(ok);
    const client = createClient();
    await bytesOf(await client.send(post(url)));
    const closed = new Promise((resolve) => sockets[0]?.on('close', resolve));
    client.dispose();
    await closed;
  });

  it('are closed after a while without a request, but not while one waits for a silent server [http-silence]', async () => {
    const { url, sockets } = await serve((_request, response) => {
      setTimeout(() => response.write('slow '), 100);
      setTimeout(() => response.end('but fine'), 200);
    });
    const response = await createClient(20).send(get(url));
    expect(String(await bytesOf(response))).toBe('slow but fine');
    const [socket] = sockets;
    await expect.poll(() => socket?.destroyed).toBe(true);
    expect(sockets).toHaveLength(1);
  });

  /** Answers the first request, and closes the connection at the next one on it. */
  function closingServer(): Promise<TestServer> {
    const known = new WeakSet<Socket>();
    return serve((request, response) => {
      if (known.has(request.socket)) request.socket.resetAndDestroy();
      else {
        known.add(request.socket);
        response.end('fine');
      }
    });
  }

  it.each([
    ['a GET', get],
    ['a POST that may arrive twice', (url: URL) => post(url, { isRepeatable: true })],
  ])('that the server closes when they are used again lose no request: %s', async (_what, make) => {
    const { url, requests } = await closingServer();
    const client = createClient();
    await bytesOf(await client.send(post(url)));
    expect(String(await bytesOf(await client.send(make(url))))).toBe('fine');
    expect(requests).toHaveLength(3);
  });

  it('that the server closes are no reason to send a request twice that must not arrive twice', async () => {
    const { url, requests } = await closingServer();
    const client = createClient();
    await bytesOf(await client.send(post(url)));
    await expect(client.send(post(url))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(requests).toHaveLength(2);
  });

  it('that end with the client are not opened again', async () => {
    const { url, requests } = await serve((_request, response) => {
      if (requests.length === 1) response.end('fine');
    });
    const client = createClient();
    await bytesOf(await client.send(get(url)));
    const waiting = client.send(get(url));
    await expect.poll(() => requests.length).toBe(2);
    client.dispose();
    await expect(waiting).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(requests).toHaveLength(2);
  });

  it('that the server closes at once are not opened again and again', async () => {
    const { url, requests } = await serve((request) => request.socket.resetAndDestroy());
    await expect(createClient().send(get(url))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(requests).toHaveLength(1);
  });
});

const text = 'A text with an ü in it. '.repeat(2_000);
const encoders: readonly (readonly [string, (content: Buffer) => Buffer])[] = [
  ['gzip', zlib.gzipSync],
  ['x-gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['br', zlib.brotliCompressSync],
  ['GZIP', zlib.gzipSync],
  ['deflate, gzip', (content) => zlib.gzipSync(zlib.deflateSync(content))],
];

describe('compressed bodies', () => {
  it.each(encoders)('are decompressed: %s', async (encoding, encode) => {
    const { url } = await serve(answerWith({ 'content-encoding': encoding }, encode(Buffer.from(text))));
    expect(String(await bytesOf(await createClient().send(get(url))))).toBe(text);
  });

  it('are decompressed where deflate comes without its frame', async () => {
    const { url } = await serve(answerWith({ 'content-encoding': 'deflate' }, zlib.deflateRawSync(Buffer.from(text))));
    expect(String(await bytesOf(await createClient().send(get(url))))).toBe(text);
  });

  const zstdCompress = Reflect.get(zlib, 'zstdCompressSync') as typeof zlib.gzipSync | undefined;
  it.runIf(zstdCompress !== undefined)('are decompressed where Node knows Zstandard', async () => {
    const { url, requests } = await serve(answerWith({ 'content-encoding': 'zstd' }, zstdCompress?.(text)));
    expect(String(await bytesOf(await createClient().send(get(url))))).toBe(text);
    expect(requests[0]?.headers['accept-encoding']).toContain('zstd');
  });

  it.each(['gzip', 'deflate', 'br'])('that are empty are empty: %s', async (encoding) => {
    const { url } = await serve(answerWith({ 'content-encoding': encoding }));
    expect(await bytesOf(await createClient().send(get(url)))).toHaveLength(0);
  });

  it('that are none are an error', async () => {
    const { url } = await serve(answerWith({ 'content-encoding': 'gzip' }, 'not compressed at all'));
    const response = await createClient().send(get(url));
    await expect(bytesOf(response)).rejects.toMatchObject({ code: 'Z_DATA_ERROR' });
  });

  it('in more encodings than anybody needs are an error', async () => {
    const { url } = await serve(answerWith({ 'content-encoding': 'gzip, '.repeat(5) + 'gzip' }, 'fine'));
    const response = await createClient().send(get(url));
    await expect(bytesOf(response)).rejects.toThrow('too many content encodings');
  });

  it('arrive while they are sent', async () => {
    const gzip = zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH });
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      gzip.pipe(response);
      gzip.write('data: 1\n\n');
    });
    const response = await createClient().send(get(url));
    expect(String(await response.body.read())).toBe('data: 1\n\n');
    gzip.end('data: 2\n\n');
    expect(String(await bytesOf(response))).toBe('data: 2\n\n');
  });

  it('are decompressed no further than they are read', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(200 * 1024 * 1024));
    const { url } = await serve(answerWith({ 'content-encoding': 'gzip' }, bomb));
    const response = await createClient().send(get(url));
    const before = process.memoryUsage().arrayBuffers;
    expect((await response.body.read())?.length).toBeLessThanOrEqual(64 * 1024);
    await new Promise((resolve) => setImmediate(resolve));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
    response.body.cancel();
  });
});

describe('bodies', () => {
  it('hold the server back while they are not read', async () => {
    const piece = Buffer.alloc(64 * 1024);
    const pieces = 2_000;
    let written = 0;
    const { url } = await serve((_request, response) => {
      const write = (): void => {
        while (written < pieces) {
          written += 1;
          if (!response.write(piece)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    const response = await createClient().send(get(url));
    await response.body.read();
    // The server writes until the buffers of both sockets are full: a few megabytes.
    let before = -1;
    while (before !== written) {
      before = written;
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(written).toBeLessThan(pieces / 2);
    expect((await bytesOf(response)).length).toBeGreaterThan((pieces - 2) * piece.length);
    expect(written).toBe(pieces);
  });

  it('are at their end once all was read, but neither before nor when they broke', async () => {
    const whole = (await createClient().send(get((await serve(ok)).url))).body;
    await new Promise(setImmediate);
    expect(whole.isAtEnd).toBe(false);
    expect(Buffer.from((await whole.read()) ?? []).toString()).toBe('fine');
    expect(whole.isAtEnd).toBe(true);
    const { url } = await serve((_request, response) => {
      response.write('fi');
      setImmediate(() => response.destroy());
    });
    const { body } = await createClient().send(get(url));
    await body.read();
    await expect(body.read()).rejects.toThrow();
    expect(body.isAtEnd).toBe(false);
  });

  it('that end early are an error, after what has arrived', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('half', () => response.socket?.destroy());
    });
    const { body } = await createClient().send(get(url));
    expect(String(await body.read())).toBe('half');
    await expect(body.read()).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(body.read()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('that are no longer wanted close their connection', async () => {
    const { url, sockets } = await serve((_request, response) => void response.write('and so on'));
    const { body } = await createClient().send(get(url));
    const closed = new Promise((resolve) => sockets[0]?.on('close', resolve));
    body.cancel();
    await closed;
    expect(await body.read()).toBeUndefined();
  });
});

/** Answers every connection with these bytes as they are, and keeps it open. */
async function serveBytes(...pieces: readonly (string | Buffer)[]): Promise<{ url: URL; sockets: readonly Socket[] }> {
  const sockets: Socket[] = [];
  const server = createRawServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      for (const piece of pieces) socket.write(piece);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater({
    close() {
      server.close();
      sockets.forEach((socket) => socket.destroy());
    },
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), sockets };
}

describe('a server that keeps a connection for itself', () => {
  it('by switching protocols is an error', async () => {
    const { url, sockets } = await serveBytes(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n',
    );
    await expect(createClient().send(get(url))).rejects.toThrow('closed before the response');
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  it.each(encoders.slice(0, 4))('by bytes after a compressed body loses it: %s', async (encoding, encode) => {
    const body = encode(Buffer.from('{}'));
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: 1000000\r\n\r\n`;
    const { url, sockets } = await serveBytes(head, body, Buffer.alloc(10));
    expect(String(await bytesOf(await createClient().send(get(url))))).toBe('{}');
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  it('by an answer before it has read the request loses it', async () => {
    const { url, sockets } = await serveBytes('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno');
    const response = await createClient().send(post(url, { body: 'x'.repeat(30 * 1024 * 1024) }));
    sockets[0]?.pause();
    expect([response.status, String(await bytesOf(response))]).toEqual([413, 'no']);
    const closed = new Promise((resolve) => sockets[0]?.on('close', resolve));
    sockets[0]?.resume();
    await closed;
  });
});

describe('an abort', () => {
  it('before the request sends nothing', async () => {
    const { url, requests } = await serve(ok);
    await expect(createClient().send(post(url, { signal: AbortSignal.abort('stop') }))).rejects.toBe('stop');
    expect(requests).toEqual([]);
  });

  it.each([
    ['before the response', () => {}],
    ['within the body', (_request, response) => void response.write('and so on')],
  ] satisfies readonly (readonly [string, RequestListener])[])('%s closes the connection', async (_what, answer) => {
    const arrived = withResolvers<Socket>();
    const { url } = await serve((request, response) => {
      answer(request, response);
      arrived.resolve(request.socket);
    });
    const controller = new AbortController();
    const reading = createClient()
      .send(post(url, { signal: controller.signal }))
      .then(bytesOf);
    const socket = await arrived.promise;
    const closed = new Promise((resolve) => socket.on('close', resolve));
    controller.abort('stop');
    await expect(reading).rejects.toBe('stop');
    await closed;
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('leaves no listener on the signal of requests that have ended', async () => {
    const { url } = await serve(ok);
    const { signal } = new AbortController();
    const client = createClient();
    for (let count = 0; count < 20; count += 1) await bytesOf(await client.send(post(url, { signal })));
    (await client.send(post(url, { signal }))).body.cancel();
    await client.send(post(new URL('http://127.0.0.1:1/'), { signal })).catch(() => {});
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
