import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toDisposable } from '../../base/disposable.ts';
import { isRecord } from '../../base/json.ts';
import { callbackPath, lateRedirectText, type Redirect, unexpectedRedirectText } from './redirects.ts';

const host = '127.0.0.1';

/**
 * Listens on this machine's loopback address (RFC 8252, 7.3).
 * @param ports tried in their order; a free one is taken where all are busy
 * @param path of this sign-in
 */
export async function openLoopbackRedirect(ports: readonly number[], path: string): Promise<Redirect> {
  const server = createServer();
  const redirectUri = `http://${host}:${await listen(server, [...ports, 0])}${path}`;
  let expected: { readonly state: string; readonly arrived: (url: URL) => void } | undefined;
  server.on('request', ({ method, url: target = '', headers }, response) => {
    const url = URL.canParse(target, redirectUri) ? new URL(target, redirectUri) : undefined;
    // A page elsewhere may have made its name point here.
    const isForUs = headers.host === new URL(redirectUri).host && url?.pathname.startsWith(callbackPath) === true;
    if (method !== 'GET' || url === undefined || !isForUs) return answer(response, 404, 'There is nothing here.');
    if (url.searchParams.get('state') !== expected?.state) return answer(response, 400, lateRedirectText);
    const { arrived } = expected;
    expected = undefined;
    // What came to the address of another issuer ends the sign-in, which refuses it.
    if (url.pathname === path) answer(response, 200, 'Patchbay goes on in the editor. You can close this page.');
    else answer(response, 400, unexpectedRedirectText);
    arrived(url);
  });
  return {
    redirectUri,
    expect(state, arrived) {
      expected = { state, arrived };
      return toDisposable(() => {
        expected = undefined;
      });
    },
    dispose() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

/** @returns the port of the first address that is free */
async function listen(server: Server, [port = 0, ...others]: readonly number[]): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    const isTaken = isRecord(error) && (error['code'] === 'EADDRINUSE' || error['code'] === 'EACCES');
    if (!isTaken || others.length === 0) throw error;
    return listen(server, others);
  }
  return (server.address() as AddressInfo).port;
}

/** The page holds our own words only. */
function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  });
  const style = 'body{font:18px system-ui;max-width:36em;margin:20vh auto;padding:0 1em;color-scheme:light dark}';
  response.end(
    `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Patchbay</title><style>${style}</style><main><h1>Patchbay</h1><p>${text}</p></main></html>`,
  );
}
