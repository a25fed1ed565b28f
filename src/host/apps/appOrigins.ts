import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Disposable } from '../../base/disposable.ts';
import { hasCode } from '../platform/plainFiles.ts';

export interface AppOrigin extends Disposable {
  readonly origin: string;
  /** Serves a document once, with its policy as a header. @returns its address, which cannot be guessed */
  serve(html: string, policy: string): string;
}

const hosts = ['127.0.0.1', '::1'] as const;
/** Ports that are tried: the same one has to be free at both addresses. */
const attempts = 5;

/**
 * Gives apps real origins of their own: `http://<random name>.localhost:<port>`, which only this computer reaches. Browsers
 * resolve names below `localhost` to the loopback addresses themselves, and other origins, cookies included, are those of other
 * names. Listens on nothing before the first origin is opened.
 */
export class AppOrigins implements Disposable {
  /** The document of each host that waits to be fetched: the newest one. */
  readonly #documents = new Map<string, { readonly url: string; readonly html: string; readonly policy: string }>();
  #listening: Promise<{ readonly port: number; readonly servers: readonly Server[] }> | undefined;

  /** A new origin, where nothing is served yet. The first one starts to listen. @throws {Error} of the system, if it cannot */
  async open(): Promise<AppOrigin> {
    this.#listening ??= listenOnBoth(() => createServer((request, response) => this.#answer(request, response)));
    const { port } = await this.#listening.catch((error: unknown) => {
      this.#listening = undefined;
      throw error;
    });
    const host = `app-${randomBytes(16).toString('hex')}.localhost:${port}`;
    return {
      origin: `http://${host}`,
      serve: (html, policy) => {
        const url = `/${randomBytes(16).toString('hex')}`;
        this.#documents.set(host, { url, html, policy });
        return `http://${host}${url}`;
      },
      dispose: () => void this.#documents.delete(host),
    };
  }

  dispose(): void {
    this.#documents.clear();
    void this.#listening?.then(
      ({ servers }) => servers.forEach(close),
      () => {},
    );
    this.#listening = undefined;
  }

  /** The name of another site may resolve to this address (DNS rebinding): the host is part of what is looked up. */
  #answer({ method, url, headers }: IncomingMessage, response: ServerResponse): void {
    const { host = '' } = headers;
    const document = this.#documents.get(host);
    const isWanted = document !== undefined && document.url === url;
    if (isWanted) this.#documents.delete(host);
    if (!isWanted || method !== 'GET') return void response.writeHead(404, { 'cache-control': 'no-store' }).end();
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      // The sandbox holds also where the document is not in the app's frame.
      'content-security-policy': `${document.policy}; sandbox allow-scripts allow-same-origin`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    response.end(document.html);
  }
}

/**
 * Listens at both loopback addresses with one port: a browser may try either, and nobody else is to have the other.
 * A computer without IPv6 has one address.
 */
async function listenOnBoth(
  create: () => Server,
  left = attempts,
): Promise<{ readonly port: number; readonly servers: readonly Server[] }> {
  const [first, second] = [create(), create()];
  const port = await listen(first, 0, hosts[0]);
  try {
    await listen(second, port, hosts[1]);
    return { port, servers: [first, second] };
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) return { port, servers: [first] };
    close(first);
    if (left <= 1) throw error;
    return listenOnBoth(create, left - 1);
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // An open app is no reason for the extension host to stay.
      server.unref();
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function close(server: Server): void {
  server.close();
  server.closeAllConnections();
}
