import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AsyncDisposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord, type UnknownRecord } from '../../base/json.ts';

export interface LoopbackServer extends AsyncDisposable {
  /** With a secret in its path, without a slash at the end. */
  readonly base: string;
}

export const jsonType = { 'content-type': 'application/json' };

/**
 * Serves HTTP on loopback to programs of this machine that know its address; a page in a browser, also under a name that it has for this
 * machine, is refused.
 * @param answer gets what follows the base of the address; an error is answered with 500
 */
export async function serveLoopback(
  answer: (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>,
): Promise<LoopbackServer> {
  const secret = `/${crypto.randomUUID()}`;
  const server = createServer((request, response) => {
    const { url = '' } = request;
    if (!isFromHere(request)) return refuse(response, 403, 'Only for the test suite on this machine.');
    if (!url.startsWith(`${secret}/`)) return refuse(response, 404, 'Not found.');
    return void answer(request, response, url.slice(secret.length)).catch((error: unknown) =>
      refuse(response, 500, messageOf(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}${secret}`,
    async dispose() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function isFromHere({ headers, socket }: IncomingMessage): boolean {
  const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort}`);
  const { host = '', origin } = headers;
  return hosts.includes(host) && (origin === undefined || hosts.some((name) => origin === `http://${name}`));
}

/** @returns `undefined` for a body that is longer */
export async function readBody(message: IncomingMessage, maximumBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maximumBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @returns `undefined` where it is no object */
export function parseBody(body: Buffer | undefined): UnknownRecord | undefined {
  try {
    const value: unknown = JSON.parse(body?.toString('utf8') ?? '');
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function refuse(response: ServerResponse, status: number, message: string, code = -32000): void {
  if (response.headersSent) return void response.end();
  response.writeHead(status, jsonType).end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
}
