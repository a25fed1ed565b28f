import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toDisposable } from '../../base/disposable.ts';
import { PatchbayError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { callbackPath, lateRedirectText, type Redirect, unexpectedRedirectText } from './redirects.ts';

/**
 * Listens for the redirect on the loopback address (RFC 8252, section 7.3).
 * @param ports tried in this order; 0 is any free port
 * @param path the redirect path of this sign-in
 * @param host in the redirect URI, a loopback name or address; the listener is at an address
 * @throws {PatchbayError} `configuration` when all ports are in use
 */
export async function openLoopbackRedirect(
  ports: readonly number[],
  path: string,
  host = '127.0.0.1',
): Promise<Redirect> {
  const server = createServer();
  const redirectUri = `http://${host}:${await listen(server, ports, host === '[::1]' ? '::1' : '127.0.0.1')}${path}`;
  let expected: { readonly state: string; readonly arrived: (url: URL) => void } | undefined;
  server.on('request', ({ method, url: target = '', headers }, response) => {
    const url = URL.canParse(target, redirectUri) ? new URL(target, redirectUri) : undefined;
    // The name of another site may resolve to this address (DNS rebinding).
    const isForUs =
      headers.host === new URL(redirectUri).host &&
      (url?.pathname === path || url?.pathname.startsWith(callbackPath) === true);
    if (method !== 'GET' || url === undefined || !isForUs) return answer(response, 404, 'There is nothing here.');
    if (url.searchParams.get('state') !== expected?.state) return answer(response, 400, lateRedirectText);
    const { arrived } = expected;
    expected = undefined;
    // An answer at the address of another issuer ends the sign-in, which refuses it.
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

/** Listens on the first port that is free. @returns that port */
async function listen(server: Server, [port = 0, ...others]: readonly number[], address: string): Promise<number> {
  try {
    await once(server.listen(port, address), 'listening');
  } catch (error) {
    const isTaken = isRecord(error) && (error['code'] === 'EADDRINUSE' || error['code'] === 'EACCES');
    if (!isTaken) throw error;
    if (others.length > 0) return listen(server, others, address);
    throw new PatchbayError(
      'configuration',
      `The browser should come back to port ${port} of this machine, which another program uses. End that program, or change "redirectUri" under "auth".`,
    );
  }
  return (server.address() as AddressInfo).port;
}

/** Answers with a page of fixed text only. */
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
